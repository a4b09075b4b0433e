package segment_test

import (
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
)

// TestSentAgain shows that a turn that is sent again, as after an interruption, decides once, and that the
// edits which follow carry out that decision.
func TestSentAgain(t *testing.T) {
	r := record(t)
	r.add("", says(choice))
	r.add("", replies("Let me look at the schema first."))
	r.add("", says(choice+"\n"))
	r.add("", replies("I'll switch the store to it now."))
	r.add("", edits("c1"))
	if len(r.decisions) != 1 || len(r.turns) != 2 {
		t.Fatalf("%d decisions of %d turns, want one of two", len(r.decisions), len(r.turns))
	}
	d, e := r.decisions[0], r.edits[0]
	x := new(bind.Index)
	x.Add(d)
	if links := bind.Links(&e, bind.Context{Index: x, Arc: e.Arc, Seq: e.CallSeq, Known: e.Head.Seq}); len(links) != 1 || links[0].Decision != d {
		t.Errorf("the edit after the second turn is bound to %+v", links)
	}
	r.add("", says("thanks"))
	r.add("", says(choice))
	if len(r.decisions) != 2 {
		t.Errorf("%d decisions, though the words were said again after others", len(r.decisions))
	}
}

// TestSentAgainWithReply has the reply to the second turn tell what the first one is worth, to which there was none.
func TestSentAgainWithReply(t *testing.T) {
	r := record(t)
	first := r.add("", says(borderline))
	second := r.add("", says(borderline))
	if len(r.decisions) != 1 || r.decisions[0].Head.Seq != first || r.decisions[0].Since != second {
		t.Fatalf("decisions %+v, want that of the first turn, known since the second", r.decisions)
	}
	before := r.decisions[0].Score
	r.add("", replies("Understood. From now on the totals are kept in whole cents: I'll change them now."))
	r.add("", edits("c1"))
	if len(r.decisions) != 1 || r.decisions[0].Score <= before {
		t.Errorf("%d decisions, score %d after %d", len(r.decisions), r.decisions[0].Score, before)
	}
}

// TestYesTwice has a "yes" accept two offers, one after the other.
func TestYesTwice(t *testing.T) {
	r := record(t)
	for _, offer := range []string{
		"Shall I switch the cache to Redis so that several workers can share it?",
		"Done. Shall I replace the hand-written retry loop with the backoff package?",
	} {
		r.add("", replies(offer))
		r.add("", says("yes, do that"))
	}
	r.add("", replies("Understood, I'll replace it: I add the package and update the lookup."))
	if len(r.decisions) != 2 {
		t.Errorf("%d decisions, want one for each offer", len(r.decisions))
	}
}

// TestSentAgainAfterRewind has a rewind take the first turn back: then the second one decides.
func TestSentAgainAfterRewind(t *testing.T) {
	r := record(t)
	first := r.add("", says("hello"))
	r.add("", says(choice))
	r.event(&core.Event{ID: "r", Body: &core.Rewind{ToEvent: "e0", ToSeq: first}})
	second := r.add("", says(choice))
	if n := len(r.decisions); n != 2 || r.decisions[1].Head.Seq != second || !r.decisions[1].Live(r.seq, r.seq) {
		t.Errorf("decisions %+v, want one that holds", r.decisions)
	}
}

// TestCommandBetween has a command of the tool stand between an offer and the words that accept it.
func TestCommandBetween(t *testing.T) {
	r := record(t)
	r.add("", replies("Shall I switch the cache to Redis so that several workers can share it?"))
	r.add("", says("/code yes, do that"))
	r.add("", says("yes, do that"))
	if len(r.decisions) != 1 || !r.decisions[0].EpitomeInAssistant {
		t.Errorf("decisions %+v, want the offer", r.decisions)
	}
	r.add("", replies("Done."))
	r.add("", says("/code "+choice))
	r.add("", says(choice))
	if len(r.decisions) != 2 {
		t.Errorf("%d decisions, though a tool records the words again without its command", len(r.decisions))
	}
}
