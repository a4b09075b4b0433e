package prose_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core/prose"
)

// What a person pasted is left out; offsets are those of the turn.
func ExampleOf() {
	turn := prose.Of("I get this again:\n" +
		"Traceback (most recent call last):\n" +
		"  File \"app.py\", line 3, in <module>\n" +
		"KeyError: 'page'\n" +
		"Please use cursors instead.\n")
	for _, s := range turn.Sentences {
		fmt.Printf("%d-%d %s\n", s.Start, s.End, s.In(turn.Text))
	}
	fmt.Println(turn.Pasted, "bytes are pasted")
	// Output:
	// 0-17 I get this again:
	// 107-134 Please use cursors instead.
	// 91 bytes are pasted
}
