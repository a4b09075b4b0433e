package cline

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads one document.
type parser struct {
	stream.Base

	info core.StreamInfo

	// For the whole document.
	cwd            string
	git            core.Git
	model, version string
	started        bool
	isTask         bool           // calls are XML in what is said
	seen           map[string]int // ids that are made of content
	files          edit.Files
	shown          shown

	// Of the latest answer. The next one drops calls without a result.
	calls []call
	cost  *core.Usage // as it was shown

	// Of a call or its result, while it is read.
	args, told jsondoc.Doc
}

// call is a call of a tool.
type call struct {
	id, name string
	args     []byte // JSON
}

// NewParser returns a parser for one task or session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{info: info, seen: map[string]int{}, Base: stream.Base{Kinds: stream.NewTable(Adapter{}.Kinds())}}
	return mcpedits.Edits(p, &p.files)
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	if _, ok := p.Begin(rec, emit); !ok {
		return
	}
	switch root := rec.Doc.Root(); {
	case root.Kind() == jsondoc.Array && (path.Base(p.info.Path) == shownFile || isShown(root)):
		p.Session = path.Base(path.Dir(p.info.Path))
		p.Known(stream.Head{}, "shown")
	case stream.AreObjects(root):
		p.task(root)
	case root.Get("messages").Kind() == jsondoc.Array:
		p.saved(root)
	}
	if !p.Emitted {
		p.keep("document", rec.Doc.Root())
	}
}

// Kinds returns what each kind of message becomes, in a task or in a session.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			In: "message", Names: "user", Known: "rec", Read: (*parser).heard,
			Becomes: "`user_turn`, injected unless a wrapper says that a person typed it; `tool_result`, and edits",
		},
		{In: "message", Names: "assistant", Known: "rec", Becomes: "`assistant_turn` with thoughts and the usage, `tool_call` per call", Read: (*parser).said},
	}
}

// keep passes on what no version is known to write.
func (p *parser) keep(name string, v jsondoc.Value) {
	p.Keep(stream.Head{}, name, v, false)
}

// start opens the stream.
func (p *parser) start(at core.Time) {
	if p.started {
		return
	}
	p.started = true
	p.works()
	id := p.Session
	if p.Thread != "" {
		id += "/" + p.Thread
	}
	p.Send(stream.Head{ID: id, Time: at}, &core.SessionStart{Cwd: p.cwd, Git: p.git, Model: p.model, ToolVersion: p.version})
}

// works makes known where the work happens.
func (p *parser) works() {
	if p.cwd != "" || p.git != (core.Git{}) {
		p.Project = &core.Project{Cwd: p.cwd, Git: p.git}
	}
}

// contentID names a message that has no id after what it says.
func (p *parser) contentID(v jsondoc.Value) string {
	id := core.ContentID(v.Raw())
	p.seen[id]++
	if n := p.seen[id]; n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// edited passes on the edits of a call.
func (p *parser) edited(c call, h stream.Head, diffs ...core.Diff) {
	for _, d := range diffs {
		p.Edit(h, c.id, c.name, d)
	}
}

// take returns the call of an id, and forgets it.
func (p *parser) take(id string) call {
	for i, c := range p.calls {
		if c.id == id {
			p.calls = append(p.calls[:i], p.calls[i+1:]...)
			return c
		}
	}
	return call{}
}

// numbered is the text that a reading shows, each line behind its number, if it
// begins with the first one.
func numbered(shown string) (string, bool) {
	var b strings.Builder
	want := 1
	for line := range strings.Lines(shown) {
		number, text, ok := strings.Cut(strings.TrimLeft(line, " "), " | ")
		if !ok { // an empty line has no space behind the bar
			number, text, ok = strings.Cut(strings.TrimLeft(line, " "), " |")
		}
		if n, err := strconv.Atoi(number); !ok || err != nil || n != want {
			break
		}
		b.WriteString(strings.TrimSuffix(text, "\n"))
		b.WriteByte('\n')
		want++
	}
	return b.String(), want > 1
}

// written is the edit that wrote a file whole. The result shows a line end behind
// the last line also where there is none.
func (p *parser) written(file, content, final string, saved bool) core.Diff {
	if !saved || final == content+"\n" {
		final = content
	}
	return p.files.Write(file, final)
}

// changed is the edit that replaced texts in a file. What the file held before is
// found by taking the replacements back, else from what was shown before.
// For example, the result shows "a\nc\n" and "b" was replaced by "c": taken back, the
// file was "a\nb\n". That fails where the new text stands several times, or is empty.
func (p *parser) changed(file string, replaced []edit.Pair, final string, saved bool) core.Diff {
	t := edit.Facts{Path: file, Pairs: replaced, Strings: saved}
	if !saved {
		d, _ := p.files.Of(t)
		return d
	}
	known, shown := p.files.Text(file)
	if shown && !strings.HasSuffix(known, "\n") {
		final = strings.TrimSuffix(final, "\n") // as in written
	}
	before, ok := undone(final, replaced)
	if !ok {
		before, ok = known, shown
	}
	if ok {
		t.Before, t.After = &before, &final
	}
	d, _ := p.files.Of(t)
	p.files.Set(file, final)
	return d
}

// undone takes replacements back, the last one first. It reports false if one of
// them cannot be told from the rest of the text.
func undone(text string, replaced []edit.Pair) (string, bool) {
	end := len(text)
	for i, r := range slices.Backward(replaced) {
		if r.After == "" {
			return "", false
		}
		at := strings.LastIndex(text[:end], r.After)
		if at < 0 || strings.Contains(text[:at], r.After) && i == 0 {
			return "", false
		}
		text = text[:at] + r.Before + text[at+len(r.After):]
		end = at
	}
	return text, len(replaced) > 0
}

// shownFile is what a task showed to the person: it has what the conversation with the model leaves
// out, when they said something and, in versions that do not note it there, what an answer cost.
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

// readShown reads what a task showed. A request says how long the conversation was before it: it
// adds the message for the model, and the answer comes behind that. Of versions that do not say so,
// requests are answers in their order, if there are as many.
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

// requestCost reads the tokens in the JSON of a request; nil if they are not known.
func requestCost(doc *jsondoc.Doc, text string) *core.Usage {
	if n, err := doc.Parse([]byte(text)); err != nil || n == 0 {
		return nil
	}
	return stream.Nonzero(stream.Tokens(doc.Root(), "tokensIn", "tokensOut", "cacheReads", "cacheWrites", ""))
}

// saidAt is when the person said something. What they say comes in the same order in both files.
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
