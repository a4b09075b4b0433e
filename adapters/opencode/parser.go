package opencode

import (
	"cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the records of one session.
type parser struct {
	stream.Base // whose thread is the session's own id, if a session started it

	message message // the one whose parts are read

	// For the whole session.
	marks   []mark // where messages begin
	born    int64  // when the session was made
	oneEach bool   // a response is one message, not one for each step
	files   edit.Files

	// Until the next message.
	summing bool // a summary was asked for
	broken  bool // a record could not be read

	// Until a message comes that is later than those that were deleted.
	gone    []gone
	kept    edit.Kept // files as they were before the first of them
	putBack bool      // one of them has what it takes to put the files back
}

// message is the one whose parts are being read.
type message struct {
	id, role, model string
	time            core.Time
	summary         bool // it is the summary of a compaction
	summed          bool // and has been told
	isDone          bool // nothing of it is written any more

	copyOf string
	copies []string // ids of the parts that its parts copy
	part   int      // how many parts it has had
}

// mark is the last event before a message.
type mark struct {
	message, id string
	seq         uint64
	known       bool
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	if _, ok := p.Begin(rec, emit); !ok {
		p.broken = true
		return
	}
	root := rec.Doc.Root()
	table, key := core.Row(root)
	h := stream.Head{ID: key}
	if p.Kinds.Of("", root.Get("table")).Known {
		p.read("", root.Get("table"), h, root)
		return
	}
	if p.bare(root); !p.Emitted {
		p.Unknown(h, table)
	}
}

// opened reads the session itself.
func (p *parser) opened(h stream.Head, row jsondoc.Value) {
	key := h.ID
	if data := row.Get("data"); data.Kind() == jsondoc.Object { // it lay in a file
		p.info(key, data)
		return
	}
	p.belongs(key, row.Get("parent_id").Str(), row.Get("root").Str())
	p.place(row.Get("directory").Str(), "")
	p.Start(stream.Head{ID: key, Time: stream.Millis(row.Get("time_created"))}, core.SessionStart{
		Model: row.Path("model", "id").Str(), ToolVersion: row.Get("version").Str(),
	})
}

// info reads a session's own document.
func (p *parser) info(key string, v jsondoc.Value) {
	p.belongs(key, v.Get("parentID").Str(), "")
	p.place(v.Get("directory").Str(), "")
	p.born, _ = v.Path("time", "created").Int()
	p.Start(stream.Head{ID: key, Time: stream.Millis(v.Path("time", "created"))}, core.SessionStart{ToolVersion: v.Get("version").Str()})
}

// belongs says whose line a session is: its own, or the one of the session at the
// end of the chain of its parents.
func (p *parser) belongs(key, parent, root string) {
	p.Session = key
	if parent == "" {
		return
	}
	p.Thread, p.Session = key, cmp.Or(root, parent)
}

// exported reads a session as the client exports it: one document with all of
// its messages and their parts (seen in the wild: 1.1.13, 1.1.34).
func (p *parser) exported(v jsondoc.Value) {
	info := v.Get("info")
	p.info(info.Get("id").Str(), info)
	for m := range v.Get("messages").Elems() {
		p.saidAs(m.Path("info", "id").Str(), m.Get("info"), jsondoc.Value{})
		for part := range m.Get("parts").Elems() {
			p.Raw = core.RawValue(part)
			p.partOf(part.Get("id").Str(), part)
		}
	}
	p.revertedTo(info.Get("revert"))
}

// bare reads a session's file that came without what belongs to it, or one that
// was exported.
func (p *parser) bare(v jsondoc.Value) {
	if v.Path("info", "id").Exists() {
		p.exported(v)
		return
	}
	if id := v.Get("id").Str(); id != "" && v.Get("version").Exists() {
		p.info(id, v)
	}
}

// place says where the work happens.
func (p *parser) place(cwd, root string) {
	if cwd == "" || p.Project != nil && p.Project.Cwd == cwd && p.Project.RepoRoot == root {
		return
	}
	p.Project = &core.Project{Cwd: cwd, RepoRoot: root}
}

// said reads a message; what it says is in its parts.
func (p *parser) said(h stream.Head, row jsondoc.Value) {
	v := row.Get("data")
	if made, ok := v.Path("time", "created").Int(); ok && len(p.gone) > 0 {
		p.goneBefore(made)
	}
	p.saidAs(h.ID, v, row)
	p.deleted(h.ID, row)
}

// saidAs reads the document of a message; row says what it is a copy of.
func (p *parser) saidAs(key string, v, row jsondoc.Value) {
	p.marks = append(p.marks, mark{message: key, id: p.LastID, seq: p.Last, known: p.LastID != ""})
	p.message = message{
		id: key, role: v.Get("role").Str(), time: stream.Millis(v.Path("time", "created")), summary: v.Get("summary").Bool(), copyOf: row.Get("copy_of").Str(),
		isDone: v.Path("time", "completed").Exists(),
	}
	p.Parent, p.Scope = v.Get("parentID").Str(), row.Get("copied_session").Str()
	for id := range row.Get("copied_parts").Elems() {
		p.message.copies = append(p.message.copies, id.Str())
	}
	h := stream.Head{ID: key, CopyOf: p.message.copyOf, Time: p.message.time}
	p.read(tableMessage, v.Get("role"), h, v)
}

// answered emits what an assistant's message says besides its parts: what it cost,
// and what went wrong.
func (p *parser) answered(h stream.Head, v jsondoc.Value) {
	p.message.model, p.summing = v.Get("modelID").Str(), false
	p.files.AtOnce(p.message.id)
	root := v.Path("path", "root").Str()
	if root == "/" {
		root = "" // what it is where there is no repository; read in source
	}
	p.place(v.Path("path", "cwd").Str(), root)
	if p.message.summary {
		p.Known(h, "message/summary")
		return
	}
	turn := &core.AssistantTurn{Model: p.message.model, MessageID: p.message.id, Usage: usage(v.Get("tokens"))}
	if failure := v.Get("error"); failure.Exists() {
		turn.Parts = []core.Part{stream.Other(failure)}
	}
	p.Send(h, turn)
}

// usage reads the tokens of a message. Those that came from a cache are not
// among its input.
func usage(v jsondoc.Value) *core.Usage {
	return stream.Costs(v, "input", "output", "cache.read", "cache.write", "reasoning")
}

// reverted reads what a session says was taken back: the message and everything
// behind it, until more is said; then it is deleted.
func (p *parser) reverted(row jsondoc.Value) {
	v := row.Get("revert")
	if data := row.Get("data"); data.Exists() {
		v = data.Get("revert")
	}
	p.revertedTo(v)
}

// revertedTo emits the rewind to what stood before a message.
func (p *parser) revertedTo(v jsondoc.Value) {
	to := v.Get("messageID").Str()
	p.message, p.Parent, p.Scope = message{}, "", ""
	if m, ok := p.markOf(to); ok {
		p.Send(stream.Head{ID: "revert:" + to}, &core.Rewind{ToEvent: m.id, ToSeq: m.seq})
		return
	}
	p.Known(stream.Head{ID: "revert:" + p.Session + p.Thread}, "session/revert")
}
