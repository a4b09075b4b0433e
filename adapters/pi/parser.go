package pi

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the records of one session. What it keeps of an entry is a
// few bytes, of a call what its result needs.
type parser struct {
	stream.Base
	stream.Bodies

	// Of the current record.
	rec   record
	texts []core.Text

	// For the whole file.
	forked core.Time // when the session was copied from another one
	tree   tree
	from   uint64 // seq of the first event that the model can see
	calls  calls
	files  edit.Files
}

// record holds the members of a record. They point into the record's bytes and are
// valid while it is read.
type record struct {
	root, kind, id, parent, time jsondoc.Value
	message, cwd, summary        jsondoc.Value
}

// recordOf reads the members of a record that the parser uses.
func recordOf(v jsondoc.Value) record {
	return record{
		root: v, kind: v.Get("type"), id: v.Get("id"),
		parent: v.Get("parentId"), time: v.Get("timestamp"), message: v.Get("message"),
		cwd: v.Get("cwd"), summary: v.Get("summary"),
	}
}

// NewParser returns a parser for one session: <moment>_<session>.jsonl.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path)
	if _, id, ok := strings.Cut(p.Session, "_"); ok {
		p.Session = id
	}
	return mcpedits.Edits(p, &p.files)
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.Parent, p.Scope = "", ""
	if _, ok := p.Begin(rec, emit); !ok {
		return
	}
	r := &p.rec
	*r = recordOf(rec.Doc.Root())
	if r.root.Kind() != jsondoc.Object {
		p.unknownRecord(r.root.Kind().String(), false)
		return
	}
	p.place(r)
	p.dispatch(r)
	if p.ID != "" && !r.kind.Is("session") {
		p.tree.add(r.id.Str(), node{first: p.First, last: p.Last, time: p.Time})
	}
}

// place names the record. The ids are unique within a file only, and are the
// same in the copies that a fork makes, as are the moments (recorded 0.73.1):
// both together name an entry.
func (p *parser) place(r *record) {
	p.Time = core.ParseTime(r.time.Str())
	if id := r.id.Str(); id != "" {
		p.ID = key(id, p.Time)
	}
	if parent := r.parent.Str(); parent != "" {
		p.Parent = parent
		if n, ok := p.tree.nodes[parent]; ok {
			p.Parent = key(parent, n.time)
		}
	}
	if !p.forked.IsZero() && !p.Time.IsZero() && p.Time.Compare(p.forked) < 0 {
		p.CopyOf = p.ID
	}
}

// key names an entry by its id and its moment.
func key(id string, at core.Time) string {
	if at.IsZero() {
		return id
	}
	return id + "@" + at.String()
}

// dispatch reads a record by its type.
func (p *parser) dispatch(r *record) {
	if to, ok := p.tree.branch(r, p.Session); ok && !r.kind.Is("session") {
		p.rewind(to)
	}
	p.read("", r.kind, r.root)
}

// read reads an entry by its type, or a message by its role.
func (p *parser) read(in string, kind, v jsondoc.Value) {
	k := stream.ReadAs(p, &p.Kinds, in, kind, v)
	if p.Emitted {
		return
	}
	if in == "message" && k.Known {
		k.Name = in
	}
	p.unknownRecord(k.Name, k.Known)
}

// header opens the session. A second header is that of a file whose first one
// was written again; only the first counts.
func (p *parser) header(jsondoc.Value) {
	r := &p.rec
	p.ID = r.id.Str()
	if p.tree.started {
		return
	}
	p.tree.started = true
	if p.ID != "" {
		p.Session = p.ID
	}
	if r.root.Get("parentSession").Kind() == jsondoc.String {
		p.forked = p.Time
	}
	body := core.SessionStart{Cwd: r.cwd.Str(), Model: r.root.Get("modelId").Str()} // the model: version 1, wild
	if body.Cwd != "" {
		p.Project = &core.Project{Cwd: body.Cwd}
	}
	p.CopyOf = ""
	p.send(&body, false)
	p.tree.root = node{first: p.Last, last: p.Last, time: core.Time{}}
}

// compacted emits a compaction: what stands before the first entry that was
// kept is replaced. Newer ones carry what was kept themselves (source).
func (p *parser) compacted(jsondoc.Value) {
	r := &p.rec
	body := core.Compaction{Summary: core.Token(r.summary)}
	from, end := p.from, p.Last
	p.from = p.Last
	if kept, ok := p.tree.nodes[r.root.Get("firstKeptEntryId").Str()]; ok {
		p.from, end = kept.first, max(kept.first, 1)-1
	}
	if end > from {
		body.Start, body.End = from, end
	}
	p.send(&body, false)
}

// rewind emits a rewind, under an id of its own: the record's id is the
// record's.
func (p *parser) rewind(to stream.Mark) {
	id, copyOf := p.ID, p.CopyOf
	p.ID, p.CopyOf = "rewind:"+id, ""
	p.send(&core.Rewind{ToEvent: to.ID, ToSeq: to.Seq}, false)
	p.ID, p.CopyOf, p.Emitted = id, copyOf, false
}

// send emits an event of the current record.
func (p *parser) send(body core.Body, injected bool) {
	p.Scope = p.ID
	p.Put(body, injected)
}

// unknownRecord keeps a record as it is.
func (p *parser) unknownRecord(rawType string, known bool) {
	p.Note = core.Unknown{RawType: rawType, Raw: core.RawValue(p.rec.root), Bookkeeping: known}
	p.send(&p.Note, false)
}

// tree follows the branch that is alive. An entry is remembered by a few bytes, for the
// whole file; those beyond maxNodes cannot be gone back to.
type tree struct {
	nodes   map[string]node
	root    node
	leaf    string // id of the last entry
	spoken  uint64 // seq of the last event that was said or done
	said    bool
	started bool
}

// node is an entry: the seqs of its events, and its moment.
type node struct {
	first, last uint64
	time        core.Time
}

// maxNodes bounds the entries that a branch can begin at.
const maxNodes = 1 << 20

// add makes an entry the leaf.
func (t *tree) add(id string, n node) {
	if t.nodes == nil {
		t.nodes = map[string]node{}
	}
	if len(t.nodes) < maxNodes {
		t.nodes[id] = n
	}
	t.leaf = id
}

// speak notes that the last event was said or done.
func (t *tree) speak(seq uint64) { t.spoken, t.said = seq, true }

// branch reports whether an entry leaves the branch that is alive, and to where
// it goes back. Where nothing was said since, nothing is taken back; parents
// that stand nowhere lead nowhere (wild, OpenClaw).
func (t *tree) branch(r *record, session string) (stream.Mark, bool) {
	if t.leaf == "" || !t.said || !r.parent.Exists() || r.parent.Is(t.leaf) {
		return stream.Mark{}, false
	}
	if r.parent.Kind() == jsondoc.Null || r.parent.Is(session) {
		return stream.Mark{ID: session, Seq: t.root.last}, t.started && t.spoken > t.root.last
	}
	id := r.parent.Str()
	n, ok := t.nodes[id]
	if !ok || n.last >= t.spoken {
		return stream.Mark{}, false
	}
	return stream.Mark{ID: key(id, n.time), Seq: n.last}, true
}
