package cline

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// shownFile is what a task showed to the person: it has what the conversation
// with the model leaves out, when they said something and, in versions that do
// not note it there, what an answer cost.
const shownFile = "ui_messages.json"

// Companions names what a task showed. It is written on while the task continues.
func (Adapter) Companions(file string) (work string, files []string) {
	work = "task/" + path.Base(path.Dir(file))
	switch path.Base(file) {
	case taskFile:
		return work, []string{shownFile}
	case shownFile:
		return work, nil
	}
	return "", nil
}

// isShown reports whether a document is what a task showed.
func isShown(v jsondoc.Value) bool {
	kind := firstOf(v).Get("type")
	return kind.Is("say") || kind.Is("ask")
}

// shown is what is known of a task by what it showed.
type shown struct {
	human []human             // what the person said, in order
	costs map[int]*core.Usage // by the number of the answer in the conversation
}

// human is something that the person said, and when.
type human struct {
	text string
	at   core.Time
}

// readShown reads what a task showed. A request says how long the conversation
// was before it: it adds the message for the model, and the answer comes behind
// that. Of versions that do not say so, requests are answers in their order, if
// there are as many.
func readShown(content []byte, answers []int) shown {
	s := shown{costs: map[int]*core.Usage{}}
	var doc, request jsondoc.Doc
	if n, err := doc.Parse(content); err != nil || n == 0 {
		return s
	}
	var inOrder []*core.Usage
	for m := range doc.Root().Elems() {
		switch said := m.Get("say"); {
		case said.Is("task"), said.Is("text") && len(s.human) == 0, said.Is("user_feedback"):
			s.human = append(s.human, human{strings.TrimSpace(m.Get("text").Str()), stream.Millis(m.Get("ts"))})
		case said.Is("api_req_started"):
			u := requestCost(&request, m.Get("text").Str())
			if last, ok := m.Get("conversationHistoryIndex").Int(); ok {
				s.costs[int(last)+2] = u
				continue
			}
			inOrder = append(inOrder, u)
		}
	}
	if len(inOrder) == len(answers) {
		for i, at := range answers {
			s.costs[at] = inOrder[i]
		}
	}
	return s
}

// requestCost reads the tokens in the JSON of a request; nil if they are not
// known.
func requestCost(doc *jsondoc.Doc, text string) *core.Usage {
	if n, err := doc.Parse([]byte(text)); err != nil || n == 0 {
		return nil
	}
	u := stream.Tokens(doc.Root(), "tokensIn", "tokensOut", "cacheReads", "cacheWrites", "")
	if u == (core.Usage{}) {
		return nil
	}
	return &u
}

// saidAt is when the person said something. What they say comes in the same order
// in both files.
func (p *parser) saidAt(text string) core.Time {
	text = strings.TrimSpace(text)
	for i, h := range p.shown.human {
		if h.text == text {
			p.shown.human = p.shown.human[i+1:]
			return h.at
		}
	}
	return core.Time{}
}
