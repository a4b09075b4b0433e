package attack_test

import "github.com/memscribe/memscribe/testkit/attack"

func lines() []input {
	dense := func(size int64) func(string) error {
		return func(path string) error { return attack.DenseLine(path, size) }
	}
	edits := func(n int, edit attack.Edit) func(string) error {
		return func(path string) error { return attack.Edits(path, n, edit) }
	}
	edited := append(around(), `"change":"modify"`)
	overlong := []string{`: an edit of \d+ bytes, over the limit of 8388608: not taken for one`}
	return []input{
		{
			name: "line16.jsonl", make: func(path string) error { return attack.LongLine(path, 16<<20) },
			args: []string{"parse"}, prints: around(),
		},
		{
			name: "longest.jsonl", make: func(path string) error { return attack.LongLine(path, 64<<20) },
			args: []string{"parse"}, prints: around(),
		},
		{
			name: "longest-events.jsonl", make: func(path string) error { return attack.LongLine(path, 64<<20) },
			args: []string{"parse", "--events"}, prints: around(), long: true,
		},
		{
			name: "short-lines.jsonl", make: edits(1, attack.ShortLines(24_000_000)),
			args: []string{"parse", "--events"}, complains: overlong, prints: around(),
		},
		{
			name: "control.jsonl", make: edits(1, attack.ControlCharacters(24_000_000)),
			args: []string{"parse", "--events"}, prints: edited,
		},
		{
			name: "quotes.jsonl", make: edits(1, attack.Quotes(30_000_000)),
			args: []string{"parse", "--events"}, complains: overlong, prints: around(),
		},
		{
			name: "several-edits.jsonl", make: edits(3, attack.Words(31_000_000)),
			args: []string{"parse", "--events"}, complains: overlong, prints: around(),
		},
		{
			name: "largest-edits.jsonl", make: edits(4, attack.Words(4_000_000)),
			args: []string{"parse"}, prints: edited,
		},
		{
			name: "largest-edits-stored.jsonl", make: edits(4, attack.Words(4_000_000)),
			args: []string{"replay", "--sink", "sqlite"},
		},
		{
			name: "secrets-edited.jsonl", make: edits(2, attack.Secret(4_000_000)),
			args: []string{"parse", "--events"}, prints: append(edited, "DB_PASSWORD=[REDACTED:"),
		},
		{
			name: "secrets-edited-stored.jsonl", make: edits(2, attack.Secret(4_000_000)),
			args: []string{"replay", "--sink", "sqlite"}, long: true,
		},
		{
			name: "secrets-stored.jsonl", make: func(path string) error { return attack.Secrets(path, 64<<20) },
			args: []string{"replay", "--sink", "sqlite"},
		},
		{
			name: "call-of-quotes.jsonl", make: func(path string) error { return attack.Call(path, 62_000_000) },
			args: []string{"parse", "--events"}, prints: around(),
		},
		{
			name: "longest-several", make: func(path string) error { return attack.LongLines(path, 3, 60<<20) },
			args: []string{"replay", "--jobs", "3"}, prints: around(), long: true,
		},
		{name: "dense16.jsonl", make: dense(16 << 20), args: []string{"parse"}, complains: []string{":2: .*too many values"}, prints: around()},
		{name: "dense64.jsonl", make: dense(64 << 20), args: []string{"parse"}, complains: []string{":2: .*too many values"}, prints: around()},
		{
			name: "crowded64.jsonl", make: func(path string) error { return attack.CrowdedLine(path, 64<<20) },
			args: []string{"parse"}, prints: around(), long: true,
		},
	}
}
