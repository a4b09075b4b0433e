package segment

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
)

// exchange is a person's turn with the beginning of the reply and whether the agent made an
// edit. It is judged again with each of these:
//
//	turn         the words alone are no decision
//	"I'll …"     judged again: a decision, known since here
//	edit         the same decision, with another score
//	next turn    the exchange is over; without a reply it is judged once more
//
// Later pieces change the score of a decision, which may fall below the threshold, but do
// not remove it. They are counted together, by [Facts.Settle]. Decision.Since says since when
// it is known, so that it is not seen from an earlier point, whatever the order of reading.
type exchange struct {
	turn       *Turn
	asked      *decide.Asked // evidence of the turn, for judging it again
	before     string        // the assistant's words before the turn
	messageAt  core.Location // of these words
	messageSeq uint64        // seq of these words
	at         core.Location // of the turn

	// the first decide.MaxReply bytes of the reply; newlines join its pieces
	reply     []byte
	edited    bool
	unsettled bool // it is in Facts.unsettled
	*said
}

// addReply adds a piece of the reply to the turn.
func (f *Facts) addReply(ev *core.Event, t *Thread, text core.Text) {
	x := t.exchange
	if x == nil || len(x.reply) >= decide.MaxReply || text.IsEmpty() {
		return
	}
	if len(x.reply) > 0 {
		x.reply = append(x.reply, '\n')
	}
	x.reply = text.Beginning(decide.MaxReply).Append(x.reply)
	f.rejudge(ev, t)
}

// noteEdit records that an edit follows the turn.
func (f *Facts) noteEdit(ev *core.Event, t *Thread) {
	if x := t.exchange; x != nil && !x.edited {
		x.edited = true
		f.rejudge(ev, t)
	}
}

// rejudge judges the open exchange of a thread with what is known now. If the turn was no
// decision so far and now is one, the decision is known since this event. If it was one, only
// its score can change, which waits for [Facts.Settle].
func (f *Facts) rejudge(ev *core.Event, t *Thread) {
	x := t.exchange
	if len(x.decisions) > 0 {
		if !x.unsettled {
			x.unsettled = true
			f.unsettled = append(f.unsettled, x)
		}
		return
	}
	if sum := f.judge.Hear(x.asked, string(x.reply), x.edited); f.judge.Sends(f.judge.Score(x.asked, sum)) {
		f.addFromReply(ev, t, sum)
	}
}

// IsSettled reports whether all decisions have the scores that their exchanges give them by now.
func (f *Facts) IsSettled() bool { return len(f.unsettled) == 0 }

// Settle gives decisions the scores that their exchanges give them by now, and returns those
// whose score changes. A reply comes in many pieces, and only the last one counts: whoever
// wants the state of decisions calls Settle before.
func (f *Facts) Settle() []*Decision {
	if len(f.unsettled) == 0 {
		return nil
	}
	var changed []*Decision
	for _, x := range f.unsettled {
		x.unsettled = false
		sum := f.judge.Hear(x.asked, string(x.reply), x.edited)
		for _, d := range x.decisions {
			if d.dropped {
				continue
			}
			if n := f.judge.Rescore(&d.Decided, x.asked, sum); n != d.Score {
				d.Score = n
				changed = append(changed, d)
			}
			f.report(d, x)
		}
	}
	clear(f.unsettled)
	f.unsettled = f.unsettled[:0]
	return changed
}

// judgeUnanswered judges the open exchange of a thread if the person speaks again before
// any reply.
func (f *Facts) judgeUnanswered(ev *core.Event, t *Thread) {
	if x := t.exchange; x == nil || len(x.reply) > 0 || x.edited {
		return
	}
	f.rejudge(ev, t)
}

// addFromReply records the decisions that the reply to the open turn shows.
func (f *Facts) addFromReply(ev *core.Event, t *Thread, sum int64) {
	x := t.exchange
	if !x.turn.Elevated {
		x.turn.Elevated, x.turn.Since = true, ev.Seq
		f.Turns = append(f.Turns, x.turn)
		if t.Arc != nil && t.Arc.Start == x.turn.Head.Seq {
			t.Arc.Opening = x.turn.Opening
		}
	}
	f.addDecisions(t, x, f.judge.Again(x.turn.Text, x.before, sum), ev.Seq)
}

// addDecisions records the decisions of a turn, known since the event with seq since. If
// the words of a decision are the assistant's (a "yes"), its node begins at that message,
// and its provenance has both places.
func (f *Facts) addDecisions(t *Thread, x *exchange, all []decide.Decided, since uint64) {
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
			continue // the other one has its words
		}
		d.adopt(said, x.before)
		d.setWords()
		d.cloneTexts()
		if d.EpitomeInAssistant && x.messageSeq < head.Seq {
			d.Turns.Start = x.messageSeq
			own := *head
			own.Provenance = []core.Location{x.messageAt, x.at}
			d.Head = &own
		}
		x.decisions = append(x.decisions, d)
		f.addDecision(t, d)
		f.report(d, x)
	}
}

// report passes a decision and its exchange to whoever explains it.
func (f *Facts) report(d *Decision, x *exchange) {
	f.explain(d, decide.Input{Text: x.turn.Text, PrevAssistant: x.before, Reply: string(x.reply), Edited: x.edited})
}

// explain passes on what a decision was judged by.
func (f *Facts) explain(d *Decision, in decide.Input) {
	if f.Judged != nil {
		f.Judged(d, in)
	}
}
