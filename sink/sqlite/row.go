package sqlite

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/sink"
)

// digest tells one JSON of a node from another.
type digest [16]byte

func digestOf(json []byte) digest {
	sum := sha256.Sum256(json)
	return digest(sum[:16])
}

// row is a node as the table holds it. An empty string is NULL where the column
// allows it.
type row struct {
	n                                 int64
	id, kind, source, session, thread string
	seq                               int64
	timestamp                         string
	cwd, root, branch, sha            string

	speaker                 string // conversation
	isBan                   bool   // decision
	decidedBy, supersededBy string
	path, oldPath, change   string // episode
	added, removed          int64
	tool, callID            string
	from, to                string // binding
	relation, evidence      string
	used, generated         string
	memory                  access // conversation, episode

	digest digest
	json   string
	words  words
	spoken string // what memscribe search finds it by
}

// access is what an agent did to a memory of its own.
type access struct{ action, store, key string }

// words are what can be searched for.
type words struct{ text, path string }

// project is the folder that a row counts for.
func (r *row) project() string {
	if r.root != "" {
		return r.root
	}
	return r.cwd
}

// base is the last element of the path.
func (r *row) base() string { return r.path[strings.LastIndexAny(r.path, `/\`)+1:] }

// reader of rows: it keeps the index of the line that it reads.
type rowReader struct {
	doc   jsondoc.Doc
	cap   int  // bytes of a text that can be searched for
	heard bool // what is said comes as messages too

	last struct{ kind, source, session, timestamp, cwd, root, branch string } // of the row before
}

// latest returns the text of v, and remembers it in last: nodes that come one after
// another have much in common.
func latest(last *string, v jsondoc.Value) string {
	if !v.Is(*last) {
		*last = v.Str()
	}
	return *last
}

// read takes a line apart.
func (p *rowReader) read(l *sink.Line, d digest) (*row, error) {
	n, err := p.doc.Parse(l.JSON)
	if err != nil {
		return nil, fmt.Errorf("read node %s: %w", l.ID, err)
	}
	root := p.doc.Root()
	if n != len(l.JSON) || !root.Get("schema").Is(core.NodeSchema) {
		return nil, fmt.Errorf("read node %s: it is not a %s", l.ID, core.NodeSchema)
	}
	if !root.Get("id").Is(l.ID) {
		return nil, fmt.Errorf("read node %s: it calls itself %s", l.ID, root.Get("id").Raw())
	}
	r := &row{id: l.ID, digest: d, json: string(l.JSON)}
	for name, v := range root.Fields() {
		if !p.head(r, name.Body(), v) {
			r.body(name.Body(), v)
		}
	}
	r.words, r.spoken = p.words(r.kind, root), p.spoken(r.kind, root)
	return r, nil
}

// again reads the words of a node that is stored. Heard says that there is a message
// of its words.
func (p *rowReader) again(r *row, json []byte, heard bool) error {
	if _, err := p.doc.Parse(json); err != nil {
		return err
	}
	was := p.heard
	p.heard = heard
	r.words, r.spoken = p.words(r.kind, p.doc.Root()), p.spoken(r.kind, p.doc.Root())
	p.heard = was
	return nil
}

// head takes a member that all nodes have.
func (p *rowReader) head(r *row, name []byte, v jsondoc.Value) bool {
	switch string(name) {
	case "node":
		r.kind = latest(&p.last.kind, v)
	case "id":
	case "source":
		r.source = latest(&p.last.source, v)
	case "session_id":
		r.session = latest(&p.last.session, v)
	case "thread_id":
		r.thread = v.Str()
	case "seq":
		r.seq, _ = v.Int()
	case "timestamp":
		r.timestamp = latest(&p.last.timestamp, v)
	case "project":
		r.cwd, r.root = latest(&p.last.cwd, v.Get("cwd")), latest(&p.last.root, v.Get("repo_root"))
		r.git(v.Get("git"))
	default:
		return false
	}
	return true
}

func (r *row) git(v jsondoc.Value) {
	if b := v.Get("branch").Str(); b != "" {
		r.branch = b
	}
	if s := v.Get("sha").Str(); s != "" {
		r.sha = s
	}
}

// body takes a member that only nodes of some kinds have.
func (r *row) body(name []byte, v jsondoc.Value) {
	switch string(name) {
	case "speaker":
		r.speaker = v.Str()
	case "is_ban":
		r.isBan = v.Bool()
	case "decided_by":
		r.decidedBy = v.Str()
	case "superseded_by":
		r.supersededBy = v.Str()
	case "path":
		r.path = v.Str()
	case "diff":
		r.diff(v)
	case "git":
		r.git(v)
	case "tool":
		r.tool = v.Str()
	case "call_id":
		r.callID = v.Str()
	case "from":
		r.from = v.Str()
	case "to":
		r.to = v.Str()
	case "relation":
		r.relation = v.Str()
	case "evidence":
		r.evidence = v.Str()
	case "memory":
		r.memory = access{v.Get("action").Str(), v.Get("store").Str(), v.Get("key").Str()}
	case "prov":
		r.used, r.generated = v.Get("t_use").Str(), v.Get("t_gen").Str()
	}
}

func (r *row) diff(v jsondoc.Value) {
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "old_path":
			r.oldPath = v.Str()
		case "added_lines":
			r.added, _ = v.Int()
		case "removed_lines":
			r.removed, _ = v.Int()
		case "change":
			r.change = v.Str()
		}
	}
}

// words finds what can be searched for in a node.
func (p *rowReader) words(kind string, node jsondoc.Value) words {
	switch kind {
	case "conversation":
		return words{text: cut(node.Get("text").Str(), p.cap)}
	case "decision":
		var text strings.Builder
		text.WriteString(node.Get("epitome").Str())
		for option := range node.Get("considered_options").Elems() {
			text.WriteString("\n" + option.Get("text").Str())
		}
		return words{text: cut(text.String(), p.cap)}
	case "episode":
		return words{path: node.Get("path").Str()}
	}
	return words{}
}

// cut shortens a text to at most so many bytes, at the end of a word if it can.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[:most]
	if at := strings.LastIndexAny(s, " \n\t"); at > most/2 {
		s = s[:at]
	}
	return strings.ToValidUTF8(s, "")
}

// args are the values of the columns, in their order.
func (r *row) args(dst []any) []any {
	dst = append(dst, r.n, r.id, r.kind, r.source, r.session, r.thread, r.seq, null(r.timestamp), r.project(),
		null(r.cwd), null(r.branch), null(r.sha))
	switch r.kind {
	case "conversation":
		dst = append(dst, null(r.speaker), nil, nil, nil)
	case "decision":
		dst = append(dst, nil, r.ban(), null(r.decidedBy), null(r.supersededBy))
	default:
		dst = append(dst, nil, nil, nil, nil)
	}
	if r.kind == "episode" {
		dst = append(dst, r.path, null(r.oldPath), r.base(), null(r.change), r.added, r.removed, null(r.tool), null(r.callID))
	} else {
		dst = append(dst, nil, nil, nil, nil, nil, nil, nil, nil)
	}
	if r.kind == "binding" {
		dst = append(dst, r.from, r.to, null(r.relation), null(r.evidence))
	} else {
		dst = append(dst, nil, nil, nil, nil)
	}
	if r.memory.action == "" {
		dst = append(dst, nil, nil, nil)
	} else {
		dst = append(dst, r.memory.action, r.memory.store, r.memory.key)
	}
	return append(dst, r.digest[:], r.json)
}

func (r *row) ban() int64 {
	if r.isBan {
		return 1
	}
	return 0
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// columns are those of a node that are written.
func columns() []string {
	return []string{
		"n", "id", "kind", "source", "session", "thread", "seq", "timestamp", "project", "cwd", "branch", "sha",
		"speaker", "is_ban", "decided_by", "superseded_by",
		"path", "old_path", "base", "change", "added", "removed", "tool", "call_id",
		"from_id", "to_id", "relation", "evidence", "memory_action", "memory_store", "memory_key", "digest", "json",
	}
}

func updateNode() string {
	names := columns()
	return "UPDATE nodes SET (" + strings.Join(names, ", ") + ") = " + marks(len(names)) + " WHERE n = ?"
}

// marks is a list of so many parameters.
func marks(n int) string { return "(?" + strings.Repeat(", ?", n-1) + ")" }
