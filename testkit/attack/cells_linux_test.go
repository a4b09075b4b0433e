package attack_test

import "github.com/memscribe/memscribe/testkit/attack"

func cells() []input {
	const over = `row thread/a: more than 67108864 bytes, over the limit of 67108864: not kept`
	bomb := func(path string) error { return attack.Cell(path, 1_000_000_000) }
	return []input{
		{name: "threads.db", make: bomb, args: []string{"parse"}, complains: []string{over}, prints: around()[:1]},
		{
			name: "threads-events.db", make: bomb, args: []string{"parse", "--events"}, complains: []string{over},
			prints: append(around()[:1], `"row":"thread/a"`, `"reason":"more than 67108864 bytes, over the limit`),
		},
		{
			name: "largest.db", make: func(path string) error { return attack.Cell(path, 60_000_000) },
			args: []string{"parse"}, prints: around()[:1],
		},
	}
}
