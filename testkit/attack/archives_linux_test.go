package attack_test

import "github.com/memscribe/memscribe/testkit/attack"

// around are the words that stand before and behind what is too large.
func around() []string { return []string{"tabs instead of spaces", "zstd instead of gzip"} }

func archives() []input {
	const size = 480_000_000
	over := []string{`:2: 4799999\d\d bytes, over the limit of 67108864`}
	return []input{
		{
			name: "line.jsonl.gz", make: func(path string) error { return attack.LineGzip(path, size) },
			args: []string{"parse"}, complains: over, prints: around(),
		},
		{
			name: "line.jsonl.zst", make: func(path string) error { return attack.LineZstd(path, size) },
			args: []string{"parse", "--events"}, complains: over,
			prints: append(around(), `"line_no":2`, ` bytes, over the limit of 67108864: only the first 65536 are kept"`),
		},
		{
			name: "nested.zip", make: func(path string) error { return attack.NestedZip(path, size) },
			args: []string{"replay"}, complains: over, prints: around(),
		},
		{
			name: "dense.jsonl.gz", make: func(path string) error { return attack.DenseGzip(path, size) },
			args: []string{"parse"}, complains: over, prints: around(),
		},
	}
}
