package title_test

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/title"
)

// text writes a title out: each part with its joint before it.
func text(in *title.Input) string {
	var b strings.Builder
	for _, p := range title.Of(in) {
		from := in.Turn
		if p.InBefore {
			from = in.Before
		}
		b.WriteString(p.Joint + p.In(from))
	}
	return b.String()
}

// A "yes" or a number alone says nothing: the title has what was proposed.
func ExampleOf() {
	before := "The lookups are slow. I'll move the cache to Redis. Shall I proceed?"
	question := strings.Index(before, "Shall")
	fmt.Println(text(&title.Input{
		Turn: "yes, do that", Before: before,
		Epitome: prose.Span{Start: question, End: len(before)}, InBefore: true,
	}))

	fmt.Println(text(&title.Input{
		Turn:    "Go with option 2",
		Before:  "Two ways:\n1. Offset pagination\n2. Cursor pagination\n",
		Epitome: prose.Span{End: len("Go with option 2")},
	}))
	// Output:
	// I'll move the cache to Redis. Shall I proceed? → yes, do that
	// Cursor pagination (not: Offset pagination)
}
