package acp

import (
	"fmt"
	"maps"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
)

// talk is what a log has of one session. A log may hold it twice, and several logs may hold
// parts of it: what has no id of its own is named after the prompt that it follows, and a prompt
// after its words and how many of these words came before it.
type talk struct {
	begun, asked bool           // by a session_start; by a prompt
	now, most    map[uint64]int // how many times a person has said something, by the words: since the session began or was loaded, and ever
	turn         string         // the id of the last prompt
	again        bool           // the log has had what stands here
	repeats      bool           // and that holds until the session is loaded
	follows      map[uint64]int // the last prompt
}

// talk returns the one that is being read.
func (p *parser) talk() *talk {
	t := p.talks[p.Session]
	if t == nil {
		t = &talk{turn: p.Session, now: map[uint64]int{}, most: map[uint64]int{}, follows: map[uint64]int{}}
		p.talks[p.Session] = t
	}
	return t
}

// restart says that the session is sent from its beginning.
func (t *talk) restart(loading bool) {
	clear(t.now)
	t.again, t.repeats = true, loading
}

// loaded says that the session is where it was, also if its agent has sent nothing.
func (t *talk) loaded() {
	if t.repeats && len(t.now) == 0 {
		maps.Copy(t.now, t.most)
	}
	t.repeats = false
}

// prompt names what a person said.
func (t *talk) prompt(session, words string) string {
	key := stream.Hash([]byte(strings.Join(strings.Fields(words), "")))
	t.now[key]++
	t.again = t.repeats || t.now[key] <= t.most[key]
	t.most[key] = max(t.most[key], t.now[key])
	t.turn = fmt.Sprintf("%s/prompt/%d-%x", session, t.now[key], key)
	clear(t.follows)
	return t.turn
}

// head names what has no id of its own.
func (p *parser) head(kind, text string) stream.Head {
	t, key := p.talk(), stream.Hash([]byte(kind+text))
	t.follows[key]++
	return stream.Head{ID: fmt.Sprintf("%s/%s/%d-%x", t.turn, kind, t.follows[key], key)}
}
