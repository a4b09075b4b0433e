package acp

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
)

// talk is what a log has of one session. A log may hold it twice, and several logs may hold
// parts of it: what has no id of its own is named after the prompt that it follows, and a prompt
// after its words and how many of these words came before it.
type talk struct {
	begun, asked bool             // by a session_start; by a prompt
	prompts      map[uint64]count // by their words
	turn         string           // the id of the last prompt
	again        bool             // the log has had what stands here
	repeats      bool             // and that holds until the session is loaded
	follows      map[uint64]int   // the last prompt
}

// count is how many times something was said: since the session was begun or loaded, and at most.
type count struct{ now, most int }

// talk returns the one that is being read.
func (p *parser) talk() *talk {
	t := p.talks[p.Session]
	if t == nil {
		t = &talk{turn: p.Session, prompts: map[uint64]count{}, follows: map[uint64]int{}}
		p.talks[p.Session] = t
	}
	return t
}

// restart says that the session is sent from its beginning.
func (t *talk) restart(loading bool) {
	for words, n := range t.prompts { // in any order
		t.prompts[words] = count{most: n.most}
	}
	t.again, t.repeats = true, loading
}

// loaded says that the session is where it was. An agent that sent nothing leaves it there.
func (t *talk) loaded() {
	sent := !t.repeats
	for _, n := range t.prompts { // in any order
		sent = sent || n.now > 0
	}
	for words, n := range t.prompts { // in any order
		if !sent {
			t.prompts[words] = count{n.most, n.most}
		}
	}
	t.repeats = false
}

// prompt names what a person said.
func (t *talk) prompt(session, words string) string {
	key := stream.Hash([]byte(strings.Join(strings.Fields(words), "")))
	n := t.prompts[key]
	n.now++
	t.again = t.repeats || n.now <= n.most
	n.most = max(n.most, n.now)
	t.prompts[key] = n
	t.turn = fmt.Sprintf("%s/prompt/%d-%x", session, n.now, key)
	clear(t.follows)
	return t.turn
}

// head names what has no id of its own.
func (p *parser) head(kind, text string) stream.Head {
	t, key := p.talk(), stream.Hash([]byte(kind+text))
	t.follows[key]++
	return stream.Head{ID: fmt.Sprintf("%s/%s/%d-%x", t.turn, kind, t.follows[key], key)}
}
