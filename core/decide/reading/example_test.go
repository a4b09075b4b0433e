package reading_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core/decide/reading"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
)

func ExampleReading() {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		fmt.Println(err)
		return
	}
	const before = "Errors are lost now. Shall I add a logger?"
	r := reading.New(rules)
	for _, text := range []string{"Yes, and never log the token.", "ok, go ahead and merge it", "Why is it slow?"} {
		r.Read(text, func() string { return before })
		yes, accepts, end := r.Assents()
		fmt.Printf("%s\n  yes %t, accepts %t, behind it %q; proposed %t: %q\n", text, yes, accepts, r.Word(end), r.Prev.Proposal != reading.Nothing, r.Prev.Span.In(before))
		for _, c := range r.Clauses(0) {
			fmt.Printf("  clause %q %v\n", text[r.Turn.Tokens[c.First].Start:r.Turn.Tokens[c.Last-1].End], c.Acts[:c.N])
		}
	}
	// Output:
	// Yes, and never log the token.
	//   yes true, accepts false, behind it ","; proposed true: "Shall I add a logger?"
	//   clause "never log the token." [act.never]
	// ok, go ahead and merge it
	//   yes true, accepts true, behind it "merge"; proposed true: "Shall I add a logger?"
	//   clause "go ahead and" [act.go-on]
	//   clause "merge it" [act.order act.git]
	// Why is it slow?
	//   yes false, accepts false, behind it "why"; proposed false: ""
	//   clause "Why is it slow?" []
}
