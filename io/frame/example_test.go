package frame_test

import (
	"fmt"

	"github.com/memscribe/memscribe/io/frame"
)

func ExampleLines() {
	var lines frame.Lines
	show := func(l frame.Line) { fmt.Printf("line %d at %d: %s\n", l.Number, l.Offset, l.Bytes) }
	lines.Feed([]byte("{\"a\":1}\n\n{\"b\""), show)
	lines.Feed([]byte(":2}\n{\"torn"), show)
	lines.Flush(show)
	// Output:
	// line 1 at 0: {"a":1}
	// line 3 at 9: {"b":2}
	// line 4 at 17: {"torn
}
