package segment_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/segment"
)

// A turn decides, the work continues over another turn, and a rewind takes the decision.
func ExampleFacts() {
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
	facts := segment.New(decide.NewJudge(rules, model, decide.Threshold), 0)
	var all []*segment.Decision
	for i, body := range []core.Body{
		&core.UserTurn{Text: core.Plain("What do we have for the sessions?")},
		&core.AssistantTurn{Text: core.Plain("Redis, or Postgres like the rest.")},
		&core.UserTurn{Text: core.Plain("Let's use Postgres instead of Redis for the sessions.")},
		&core.AssistantTurn{Text: core.Plain("I'll add the table.")},
		&core.FileEdit{Diff: core.Diff{Path: "schema.sql"}},
		&core.UserTurn{Text: core.Plain("continue")},
		&core.FileEdit{Diff: core.Diff{Path: "store.go"}},
		&core.Rewind{ToSeq: 2},
	} {
		seq := uint64(i) + 1
		facts.Add(&core.Event{ID: fmt.Sprint("e", seq), Seq: seq, Session: "s", Body: body})
		all = append(all, facts.New...)
		for _, d := range facts.New {
			fmt.Printf("%d  new      %q\n", seq, d.Epitome)
		}
		for _, d := range facts.Changed {
			fmt.Printf("%d  changed  superseded by %q\n", seq, d.SupersededBy())
		}
		for _, e := range facts.Edits {
			fmt.Printf("%d  edit     %s, in the arc of turn %d\n", seq, e.Diff.Path, e.Arc.Start)
		}
	}
	for _, d := range all {
		fmt.Println("live at 7:", d.Live(7, 7), " at 9:", d.Live(9, 9))
	}
	// Output:
	// 3  new      "Let's use Postgres instead of Redis for the sessions."
	// 5  edit     schema.sql, in the arc of turn 3
	// 7  edit     store.go, in the arc of turn 3
	// 8  changed  superseded by "e8"
	// live at 7: true  at 9: false
}
