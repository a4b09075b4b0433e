package cline

import (
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads one document. All it keeps is for the document, but for calls and cost,
// which are those of the latest answer: the next answer drops calls without a result.
type parser struct {
	stream.Base

	info           core.StreamInfo
	cwd            string
	git            core.Git
	model, version string
	started        bool
	seen           map[string]int // ids that are made of content
	calls          []call         // of the latest answer, that have no result
	files          edit.Files
	shown          shown
	cost           *core.Usage // of the answer that is read, as it was shown
	args           jsondoc.Doc
	told           jsondoc.Doc
}

// call is a call of a tool.
type call struct {
	id, name string
	args     []byte // JSON
}

func newParser(info core.StreamInfo) *parser {
	return &parser{info: info, seen: map[string]int{}}
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	if !p.Begin(rec, emit) {
		return
	}
	switch root := rec.Doc.Root(); {
	case root.Kind() == jsondoc.Array && (path.Base(p.info.Path) == shownFile || isShown(root)):
		p.Session = path.Base(path.Dir(p.info.Path))
		p.Known(stream.Head{}, "shown")
	case root.Kind() == jsondoc.Array:
		p.task(root)
	case root.Get("messages").Kind() == jsondoc.Array:
		p.saved(root)
	}
	if !p.Emitted {
		p.keep("document", rec.Doc.Root())
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
