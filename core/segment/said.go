package segment

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// said identifies a person's turn, so that the same words are recognised if they are sent
// again, as after an interruption.
type said struct {
	sum       [sha256.Size]byte // SHA-256 of the trimmed text
	decisions []*Decision       // found in the turn so far
}

// saidOf returns the said of a turn in which no decision was found yet. A command of the tool
// before the words does not count: Aider records "/code use Redis", and then "use Redis".
func saidOf(text string) *said {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "/") {
		if _, own, found := strings.Cut(text, " "); found {
			text = strings.TrimSpace(own)
		}
	}
	return &said{sum: sha256.Sum256([]byte(text))}
}

// sentAgain returns the said of the latest turn of a thread if the turn at seq only repeats
// it: the text is the same, and every decision of it is made by the person's own words. Such a
// turn continues the arc and decides nothing new. For any other turn sentAgain returns nil.
//
//	Use Postgres instead of Redis.      decision D
//	[interrupted]
//	Use Postgres instead of Redis.      D is judged again, with the reply to this
//
// A second "yes" may answer a second question: it repeats the first one only if the assistant
// said nothing in between.
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

// usesReply reports whether a decision has words of the assistant.
func (d *Decision) usesReply() bool {
	return d.EpitomeInAssistant || d.Confirmation || slices.ContainsFunc(d.Options, func(o core.Option) bool { return o.InAssistant })
}
