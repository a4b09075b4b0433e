package segment

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// said is what is kept of a person's turn to recognise the same words if they are sent again, as after an
// interruption.
type said struct {
	sum       [sha256.Size]byte // of its text
	decisions []*Decision       // found in the turn so far
}

func saidOf(text string) *said { return &said{sum: sha256.Sum256([]byte(strings.TrimSpace(text)))} }

// sentAgain returns what is kept of the latest turn of a thread if the turn at a seq only sends it again: the text is
// the same, and all that it decided holds by the person's own words. Then the turn goes on with the work of the first
// one, and decides nothing new. Nil for any other turn.
//
//	Use Postgres instead of Redis.      decision D
//	[interrupted]
//	Use Postgres instead of Redis.      D is judged again, with the reply to this
//
// A "yes" that is said twice may answer two questions: it repeats the first one only if the assistant said nothing
// in between.
func (t *Thread) sentAgain(text string, seq uint64) *said {
	last := t.said
	if last == nil || len(last.decisions) == 0 || last.sum != saidOf(text).sum {
		return nil
	}
	answered := !t.lastWords.empty()
	for _, d := range last.decisions {
		if !d.Live(seq, seq) || answered && d.usesReply() {
			return nil
		}
	}
	return last
}

// usesReply reports whether words of the assistant's are a part of a decision.
func (d *Decision) usesReply() bool {
	return d.EpitomeInAssistant || d.Confirmation || slices.ContainsFunc(d.Options, func(o core.Option) bool { return o.InAssistant })
}
