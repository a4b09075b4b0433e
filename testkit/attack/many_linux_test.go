package attack_test

import (
	"time"

	"github.com/memscribe/memscribe/testkit/attack"
	"github.com/memscribe/memscribe/testkit/size"
)

func many() []input {
	million := size.Of(40_000, 1_000_000)
	return []input{
		{
			name: "nothings.jsonl", make: func(path string) error { return attack.Nothings(path, million) },
			args: []string{"parse"}, prints: around()[:1],
		},
		{
			name: "records.jsonl", make: func(path string) error { return attack.Records(path, million) },
			args: []string{"parse"}, prints: around()[:1],
		},
		{
			name: "calls.jsonl", make: func(path string) error { return attack.Calls(path, million) },
			args: []string{"parse"}, prints: around()[:1],
		},
		{
			name: "context.jsonl", make: func(path string) error { return attack.Context(path, 10_000, 4<<20) },
			args: []string{"parse"}, prints: around(), processor: 10 * time.Second, output: 64 << 20,
			complains: []string{`:3: its folder has \d+ bytes, over the limit of 4096`},
		},
		{
			name: "files", make: func(path string) error { return attack.Files(path, size.Of(600, 20_000), 3000) },
			args: []string{"replay", "--out", "nodes.ndjson"},
		},
	}
}
