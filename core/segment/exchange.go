package segment

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
)

// exchange is a person's turn with what has followed it so far: the beginning of the
// reply, and whether it edited. It is judged again with every piece of that.
//
//	turn         nothing is decided as far as the words tell
//	"I'll …"     judged again: a decision, known since here
//	edit         judged again: the same decision, with another score
//	next turn    the exchange is over; without a reply it is judged once more
//
// A decision that was found stays one; what becomes known later gives it another
// score, which may be below the threshold. Each says since when it is known, so that whoever looks back from an earlier
// point does not see it, in whatever order streams are read.
type exchange struct {
	turn   *Turn
	asked  *decide.Asked // what is kept of it
	before string        // what the assistant had said before
	said   core.Location // where
	saidAt uint64        // seq of that
	at     core.Location // of the turn

	// the first decide.MaxReply bytes of it; pieces are joined by a line end
	reply  []byte
	edited bool
	// what was found in the turn so far
	decisions []*Decision
}

// hear takes in a piece of what the assistant says to the turn.
func (f *Facts) hear(ev *core.Event, t *Thread, text core.Text) {
	x := t.open
	if x == nil || len(x.reply) >= decide.MaxReply || text.IsEmpty() {
		return
	}
	if len(x.reply) > 0 {
		x.reply = append(x.reply, '\n')
	}
	x.reply = text.Beginning(decide.MaxReply).Append(x.reply)
	f.judgeAgain(ev, t)
}

// saw notes that an edit has followed the turn.
func (f *Facts) saw(ev *core.Event, t *Thread) {
	if x := t.open; x != nil && !x.edited {
		x.edited = true
		f.judgeAgain(ev, t)
	}
}

// judgeAgain judges the open exchange of a thread with what is known now.
// A score that changes is a difference to what was sent: the decision comes in
// [Facts.Changed]. If nothing was decided so far and the reply makes the turn one, it
// is found now, and is known since this event.
func (f *Facts) judgeAgain(ev *core.Event, t *Thread) {
	x := t.open
	sum := f.judge.Hear(x.asked, string(x.reply), x.edited)
	for _, d := range x.decisions {
		if d.dropped {
			continue
		}
		if n := f.judge.Rescore(&d.Decided, x.asked, sum); n != d.Score {
			d.Score = n
			f.Changed = append(f.Changed, d)
		}
	}
	if len(x.decisions) == 0 && f.judge.Sends(x.asked, f.judge.Score(x.asked, sum)) {
		f.found(ev, t, sum)
	}
}

// unanswered judges the open exchange of a thread in which the person speaks again. Without
// a reply there has been none to wait for.
func (f *Facts) unanswered(ev *core.Event, t *Thread) {
	if x := t.open; x == nil || len(x.reply) > 0 || x.edited {
		return
	}
	f.judgeAgain(ev, t)
}

// found records what the open exchange of a thread decides, which an event shows.
func (f *Facts) found(ev *core.Event, t *Thread, sum int64) {
	x := t.open
	if !x.turn.Elevated {
		x.turn.Elevated, x.turn.Since = true, ev.Seq
		f.Turns = append(f.Turns, x.turn)
		if t.Arc != nil && t.Arc.Start == x.turn.Head.Seq {
			t.Arc.Opening = x.turn.Opening
		}
	}
	f.decides(t, x, f.judge.Again(x.turn.Text, x.before, sum), ev.Seq)
}

// decides records what the turn of an exchange decides, which is known since an
// event.
// If the words of the decision are the assistant's (a "yes"), its node begins at that
// message and names both places in its provenance.
func (f *Facts) decides(t *Thread, x *exchange, all []decide.Decided, since uint64) {
	head := x.turn.Head
	said := make([]*Decision, len(all))
	for i := range all {
		d := &Decision{
			Decided: all[i], Thread: t, Head: head, Copied: x.turn.Copied, Origin: x.turn.Origin, Index: i,
			Turns: core.TurnRange{Start: head.Seq, End: head.Seq}, By: "user", Since: since,
		}
		if d.Confirmation {
			d.Confirming = x.turn.Text
		}
		d.titleOfTurn(x.before)
		said[i] = d
	}
	for i, d := range said {
		if d.leadsTo(all[i+1:]) || d.isSaidTwice(said) {
			continue // it says nothing that the other does not
		}
		d.speaks()
		d.own()
		if d.EpitomeInAssistant && x.saidAt < head.Seq {
			d.Turns.Start = x.saidAt
			own := *head
			own.Provenance = []core.Location{x.said, x.at}
			d.Head = &own
		}
		x.decisions = append(x.decisions, d)
		f.decided(t, d)
	}
}
