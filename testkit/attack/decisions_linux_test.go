package attack_test

import (
	"fmt"
	"time"

	"github.com/memscribe/memscribe/testkit/attack"
	"github.com/memscribe/memscribe/testkit/size"
)

func decisions() []input {
	ruled := size.Of(1200, 20_000)
	over := []string{`its decisions take more than 67108864 bytes`}
	return []input{
		{
			name: "decisions.jsonl", make: func(path string) error { return attack.Decisions(path, 100_000, false) },
			args: []string{"parse"}, complains: over, prints: []string{"number 0 instead", "number 99999 instead"}, long: true,
		},
		{
			name: "rewound.jsonl", make: func(path string) error { return attack.Decisions(path, 60_000, true) },
			args: []string{"parse"}, prints: []string{`"superseded_by"`, "number 59999 instead"}, long: true, processor: time.Minute,
		},
		{
			name: "carried.jsonl", make: func(path string) error { return attack.Carried(path, 100_000) },
			args: []string{"parse"}, complains: over, prints: []string{"store_0 instead", "store_99999 instead", `"same_arc"`}, long: true,
		},
		{
			name: "ruled.jsonl", make: func(path string) error { return attack.Ruled(path, ruled, 1000) },
			args: []string{"parse"}, prints: []string{fmt.Sprint("store_", ruled-1), `"governs"`}, processor: time.Minute,
		},
	}
}
