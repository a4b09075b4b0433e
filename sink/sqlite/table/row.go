package table

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
)

// Digest tells one JSON of a node from another.
type Digest [16]byte

// DigestOf returns the digest of a node.
func DigestOf(json []byte) Digest {
	sum := sha256.Sum256(json)
	return Digest(sum[:16])
}

// Row is a node as the table holds it. An empty string is NULL where the column
// allows it.
type Row struct {
	N                                 int64
	ID, Kind, Source, Session, Thread string
	Seq                               int64
	Timestamp                         string
	cwd, Root, branch, sha            string

	Speaker                 string // conversation
	IsBan                   bool   // decision
	DecidedBy, SupersededBy string
	Path, oldPath, change   string // episode
	Added, Removed          int64
	tool, callID            string
	From, To                string // binding
	relation, evidence      string
	Used, Generated         string
	memory                  access // conversation, episode

	Digest Digest
	json   string
	Words  Words
	Spoken string // what memscribe search finds it by
}

// access is what an agent did to a memory of its own.
type access struct{ action, store, key string }

// Words are what can be searched for.
type Words struct{ text, path string }

// Project returns the folder that a row counts for.
func (r *Row) Project() string {
	if r.Root != "" {
		return r.Root
	}
	return r.cwd
}

// base returns the last element of the path.
func (r *Row) base() string { return r.Path[strings.LastIndexAny(r.Path, `/\`)+1:] }

// Parser reads lines, one after another: it keeps the index of the line that it reads.
type Parser struct {
	Doc         jsondoc.Doc
	Cap         int  // bytes of a text that can be searched for
	HasMessages bool // what is said is stored as messages too

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

// Read parses the line of a node. d is the digest of its JSON, which the caller has compared
// already. The row keeps a copy of the JSON; the parser's document is reused.
func (p *Parser) Read(l *sink.Line, d Digest) (*Row, error) {
	n, err := p.Doc.Parse(l.JSON)
	if err != nil {
		return nil, fmt.Errorf("read node %s: %w", l.ID, err)
	}
	root := p.Doc.Root()
	if n != len(l.JSON) || !root.Get("schema").Is(core.NodeSchema) {
		return nil, fmt.Errorf("read node %s: it is not a %s", l.ID, core.NodeSchema)
	}
	if !root.Get("id").Is(l.ID) {
		return nil, fmt.Errorf("read node %s: it calls itself %s", l.ID, root.Get("id").Raw())
	}
	r := &Row{ID: l.ID, Digest: d, json: string(l.JSON)}
	for name, v := range root.Fields() {
		if !p.head(r, name.Body(), v) {
			r.body(name.Body(), v)
		}
	}
	r.cwd, r.Root, r.Path, r.oldPath = l.Moved.Path(r.cwd), l.Moved.Path(r.Root), l.Moved.Path(r.Path), l.Moved.Path(r.oldPath)
	r.Words, r.Spoken = p.words(r.Kind, root), fulltext.OfNode(r.Kind, root, p.HasMessages)
	return r, nil
}

// Again reads the words of a node that is stored. hasMessage says that there is a message
// of its words.
func (p *Parser) Again(r *Row, json []byte, hasMessage bool) error {
	if _, err := p.Doc.Parse(json); err != nil {
		return err
	}
	r.Words, r.Spoken = p.words(r.Kind, p.Doc.Root()), fulltext.OfNode(r.Kind, p.Doc.Root(), hasMessage)
	return nil
}

// head takes a member that all nodes have.
func (p *Parser) head(r *Row, name []byte, v jsondoc.Value) bool {
	switch string(name) {
	case "node":
		r.Kind = latest(&p.last.kind, v)
	case "id":
	case "source":
		r.Source = latest(&p.last.source, v)
	case "session_id":
		r.Session = latest(&p.last.session, v)
	case "thread_id":
		r.Thread = v.Str()
	case "seq":
		r.Seq, _ = v.Int()
	case "timestamp":
		r.Timestamp = latest(&p.last.timestamp, v)
	case "project":
		r.cwd, r.Root = latest(&p.last.cwd, v.Get("cwd")), latest(&p.last.root, v.Get("repo_root"))
		r.git(v.Get("git"))
	default:
		return false
	}
	return true
}

// git reads branch and commit.
func (r *Row) git(v jsondoc.Value) {
	if b := v.Get("branch").Str(); b != "" {
		r.branch = b
	}
	if s := v.Get("sha").Str(); s != "" {
		r.sha = s
	}
}

// body takes a member that only nodes of some kinds have.
func (r *Row) body(name []byte, v jsondoc.Value) {
	switch string(name) {
	case "speaker":
		r.Speaker = v.Str()
	case "is_ban":
		r.IsBan = v.Bool()
	case "decided_by":
		r.DecidedBy = v.Str()
	case "superseded_by":
		r.SupersededBy = v.Str()
	case "path":
		r.Path = v.Str()
	case "diff":
		r.diff(v)
	case "git":
		r.git(v)
	case "tool":
		r.tool = v.Str()
	case "call_id":
		r.callID = v.Str()
	case "from":
		r.From = v.Str()
	case "to":
		r.To = v.Str()
	case "relation":
		r.relation = v.Str()
	case "evidence":
		r.evidence = v.Str()
	case "memory":
		r.memory = access{v.Get("action").Str(), v.Get("store").Str(), v.Get("key").Str()}
	case "prov":
		r.Used, r.Generated = v.Get("t_use").Str(), v.Get("t_gen").Str()
	}
}

// diff reads the counts, the change and the old path of a diff.
func (r *Row) diff(v jsondoc.Value) {
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "old_path":
			r.oldPath = v.Str()
		case "added_lines":
			r.Added, _ = v.Int()
		case "removed_lines":
			r.Removed, _ = v.Int()
		case "change":
			r.change = v.Str()
		}
	}
}

// words finds what can be searched for in a node.
func (p *Parser) words(kind string, node jsondoc.Value) Words {
	switch kind {
	case "conversation":
		return Words{text: fulltext.Cut(node.Get("text").Str(), p.Cap)}
	case "decision":
		var text strings.Builder
		text.WriteString(node.Get("epitome").Str())
		for option := range node.Get("considered_options").Elems() {
			text.WriteString("\n" + option.Get("text").Str())
		}
		return Words{text: fulltext.Cut(text.String(), p.Cap)}
	case "episode":
		return Words{path: node.Get("path").Str()}
	}
	return Words{}
}

// Args returns the values of the columns, in their order.
func (r *Row) Args(dst []any) []any {
	dst = append(dst, r.N, r.ID, r.Kind, r.Source, r.Session, r.Thread, r.Seq, schema.Null(r.Timestamp), r.Project(),
		schema.Null(r.cwd), schema.Null(r.branch), schema.Null(r.sha))
	switch r.Kind {
	case "conversation":
		dst = append(dst, schema.Null(r.Speaker), nil, nil, nil)
	case "decision":
		dst = append(dst, nil, r.Ban(), schema.Null(r.DecidedBy), schema.Null(r.SupersededBy))
	default:
		dst = append(dst, nil, nil, nil, nil)
	}
	if r.Kind == "episode" {
		dst = append(dst, r.Path, schema.Null(r.oldPath), r.base(), schema.Null(r.change), r.Added, r.Removed, schema.Null(r.tool), schema.Null(r.callID))
	} else {
		dst = append(dst, nil, nil, nil, nil, nil, nil, nil, nil)
	}
	if r.Kind == "binding" {
		dst = append(dst, r.From, r.To, schema.Null(r.relation), schema.Null(r.evidence))
	} else {
		dst = append(dst, nil, nil, nil, nil)
	}
	if r.memory.action == "" {
		dst = append(dst, nil, nil, nil)
	} else {
		dst = append(dst, r.memory.action, r.memory.store, r.memory.key)
	}
	return append(dst, r.Digest[:], r.json)
}

// InForce is 1 of a decision that nothing replaced, else 0.
func (r *Row) InForce() int64 { return schema.Bit(r.Kind == "decision" && r.SupersededBy == "") }

// Ban is 1 of a ban, else 0.
func (r *Row) Ban() int64 {
	if r.IsBan {
		return 1
	}
	return 0
}

// Columns returns those of a node that are written.
func Columns() []string {
	return []string{
		"n", "id", "kind", "source", "session", "thread", "seq", "timestamp", "project", "cwd", "branch", "sha",
		"speaker", "is_ban", "decided_by", "superseded_by",
		"path", "old_path", "base", "change", "added", "removed", "tool", "call_id",
		"from_id", "to_id", "relation", "evidence", "memory_action", "memory_store", "memory_key", "digest", "json",
	}
}

// UpdateNode returns the statement that writes all columns of a node again.
func UpdateNode() string {
	names := Columns()
	return "UPDATE nodes SET (" + strings.Join(names, ", ") + ") = " + schema.Placeholders(len(names)) + " WHERE n = ?"
}
