package segment_test

import (
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/segment"
)

func replies(text string) *core.AssistantTurn { return &core.AssistantTurn{Text: core.Plain(text)} }

// borderline is a turn whose words alone do not say that it decides.
const borderline = "hm, I'd keep the totals in whole cents"

// TestReplyTells has the reply and an edit show that a turn decided something: the
// decision is known since then, in the place of its turn.
func TestReplyTells(t *testing.T) {
	r := record(t)
	turn := r.add("", says(borderline))
	if len(r.decisions) > 0 {
		t.Fatalf("%q alone decides", borderline)
	}
	call := r.add("", &core.ToolCall{CallID: "c0"})
	said := r.add("", replies("Understood. From now on the totals are kept in whole cents: I'll change them now."))
	r.add("", edits("c1"))
	if len(r.decisions) != 1 {
		t.Fatalf("decisions %+v, want that of the turn", r.decisions)
	}
	d := r.decisions[0]
	if d.Epitome != borderline || d.Head.Seq != turn || d.Since < said || d.Turns != (core.TurnRange{Start: turn, End: turn}) {
		t.Errorf("got %q at %d, known since %d", d.Epitome, d.Head.Seq, d.Since)
	}
	if d.Live(segment.Never, call) || !d.Live(segment.Never, d.Since) || d.Live(turn, d.Since) {
		t.Error("a decision holds behind its turn, for whoever looks from where it is known")
	}
	if len(r.turns) != 1 || !r.turns[0].Elevated || r.turns[0].Since != d.Since {
		t.Errorf("turns %+v, want the one that decided, since then", r.turns)
	}
	x := new(bind.Index)
	x.Add(d)
	e := r.edits[0]
	if links := bind.Links(&e, bind.Context{Index: x, Arc: e.Arc, Seq: e.CallSeq, Known: e.Head.Seq}); len(links) != 1 || links[0].Decision != d {
		t.Errorf("the edit that shows it is bound to %+v", links)
	}
}

// TestUnfinished has a reply that is being written still: what it begins with shows nothing,
// because it may go on otherwise.
func TestUnfinished(t *testing.T) {
	r := record(t)
	r.add("", says(borderline))
	const reply = "Understood. From now on the totals are kept in whole cents: I'll change them now."
	r.add("", &core.AssistantTurn{Text: core.Plain(reply), Unfinished: true})
	r.add("", &core.ToolCall{CallID: "c0"})
	if len(r.decisions) > 0 {
		t.Errorf("decisions %+v by a reply that has not come to its end", r.decisions)
	}
	r.add("", replies(reply))
	r.add("", edits("c1"))
	if len(r.decisions) != 1 {
		t.Errorf("decisions %+v, want that of the turn", r.decisions)
	}
}

// TestNoReply has the person speak again before there is any reply: what the turn before
// decides as far as its words tell is known since then.
func TestNoReply(t *testing.T) {
	const likely = "use tabs"
	r := record(t)
	turn := r.add("", says(likely))
	if len(r.decisions) > 0 {
		t.Fatalf("%q does not wait for its reply", likely)
	}
	next := r.add("", says("hello"))
	if len(r.decisions) != 1 {
		t.Fatalf("decisions %+v, want that of the turn without a reply", r.decisions)
	}
	if d := r.decisions[0]; d.Head.Seq != turn || d.Since != next {
		t.Errorf("got %q at %d, known since %d", d.Epitome, d.Head.Seq, d.Since)
	}
	r.add("", says("hello"))
	if len(r.decisions) != 1 {
		t.Errorf("decisions %+v, though nothing was decided since", r.decisions)
	}
}

// TestScoreFollows has the reply change the score of a decision that was known, and
// the next turn end that.
func TestScoreFollows(t *testing.T) {
	r := record(t)
	r.add("", says(choice))
	if len(r.decisions) != 1 {
		t.Fatalf("decisions %+v", r.decisions)
	}
	d := r.decisions[0]
	first := d.Score
	r.add("", replies("The difference is how they lock rows. I could not find out which of the two is used. Which one do you mean?"))
	doubted := d.Score
	r.add("", edits("c1"))
	if doubted >= first || d.Score <= doubted || len(r.gone) < 2 || len(r.decisions) != 1 {
		t.Errorf("score %d, %d in doubt, %d when it is carried out; %d times sent again, %d decisions", first, doubted, d.Score, len(r.gone), len(r.decisions))
	}
	r.add("", says("thanks"))
	r.gone = nil
	r.add("", replies("Sorry, I reverted all of that."))
	if len(r.gone) > 0 {
		t.Error("a reply to the next turn changed the decision before it")
	}
}

// TestRewoundExchange has a rewind take the turn whose reply is still to come.
func TestRewoundExchange(t *testing.T) {
	r := record(t)
	first := r.add("", says("hello"))
	r.add("", says(borderline))
	r.event(&core.Event{ID: "r", Body: &core.Rewind{ToEvent: "e0", ToSeq: first}})
	r.add("", replies("Understood. From now on the totals are kept in whole cents: I'll change them now."))
	r.add("", edits("c1"))
	if len(r.decisions) > 0 {
		t.Errorf("decisions %+v of a turn that no longer counts", r.decisions)
	}
}
