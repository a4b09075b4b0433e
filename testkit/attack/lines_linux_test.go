package attack_test

import "github.com/memscribe/memscribe/testkit/attack"

func lines() []input {
	dense := func(size int64) func(string) error {
		return func(path string) error { return attack.DenseLine(path, size) }
	}
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
			name: "short-lines.jsonl", make: func(path string) error { return attack.ShortLines(path, 24_000_000) },
			args: []string{"parse", "--events"}, prints: append(around(), `"change":"modify"`),
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
