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
		{
			name: "cells.db", make: func(path string) error { return attack.LongCells(path, 0, 40<<20, 70<<20, 80<<20, 90<<20) },
			args: []string{"parse"}, complains: []string{`row part/prt_00000004: 943\d{5} bytes, over the limit of 67108864: not kept`},
			prints: around()[:1],
		},
		{
			name: "rows.db", make: func(path string) error { return attack.Rows(path, 400, 1000, 60_000) },
			args: []string{"parse"}, complains: []string{
				"its decisions take more than", `row part/prt_\d+: the conversation is over the limit of 134217728 bytes`,
			},
			prints: []string{"number 0 instead"}, long: true,
		},
	}
}
