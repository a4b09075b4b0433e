package decide_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
)

func ExampleJudge_Turn() {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := decide.Model()
	if err != nil {
		fmt.Println(err)
		return
	}
	judge := decide.NewJudge(rules, model, decide.Threshold)
	before := func() string { return "Sessions could go into Redis or Postgres." }
	v := judge.Turn("Let's use Postgres instead of Redis for the sessions.", before)
	for _, d := range v.Decisions {
		fmt.Printf("%s %q at %d\n", d.Kind, d.Epitome, d.Offset)
		for _, o := range d.Options {
			fmt.Printf("  %q chosen: %t\n", o.Text, o.Chosen)
		}
	}
	fmt.Println("a reply may still count:", v.Asked != nil)
	v = judge.Turn("The tests fail.", before)
	fmt.Println(len(v.Decisions), v.Elevated)
	// Output:
	// choice "Let's use Postgres instead of Redis for the sessions." at 0
	//   "Postgres" chosen: true
	//   "Redis" chosen: false
	// a reply may still count: true
	// 0 false
}
