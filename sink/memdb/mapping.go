package memdb

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// mapper makes memories of nodes. A decision becomes:
//
//	content    Use cursor pagination
//	           decided: let's do cursors then
//	           chosen: cursor
//	           considered: offset
//	tags       in_force, or superseded and the id of the other decision in superseded_by
//	event_ids  the first and the last event of the turn
//	node       the node's own JSON, unchanged
//
// docs/memdb.md has the table for all kinds. Everything is taken from the JSON of a line, which
// is already redacted.
type mapper struct{ doc jsondoc.Doc }

// memory returns the memory of a node. It has the node's id, so delivering a node twice is the
// same write.
//
// An error means that the line can never become a memory: it is not JSON, or not the node that
// it claims to be. Content is cut at [api.MaxContent] bytes, between two characters; the node
// itself is kept whole.
func (p *mapper) memory(l *sink.Line) (api.MemoryWrite, error) {
	n, err := p.doc.Parse(l.JSON)
	if err != nil {
		return api.MemoryWrite{}, fmt.Errorf("read node %s: %w", l.ID, err)
	}
	node := p.doc.Root()
	if n != len(l.JSON) || !node.Get("schema").Is(core.NodeSchema) || !node.Get("id").Is(l.ID) {
		return api.MemoryWrite{}, fmt.Errorf("read node %s: it is not that node", l.ID)
	}
	m := api.MemoryWrite{ID: l.ID, Body: api.Body{
		Kind: node.Get("node").Str(), Origin: api.Internal, Source: node.Get("source").Str(),
		SessionID: node.Get("session_id").Str(), ThreadID: node.Get("thread_id").Str(),
		Project: project(node), ValidAt: node.Get("timestamp").Str(), Node: slices.Clone(l.JSON),
	}}
	b := body{node: node, memory: &m.Body}
	b.fill()
	m.Content = truncate(m.Content, api.MaxContent)
	if strings.TrimSpace(m.Content) == "" {
		m.Content = withheld(&m)
	}
	return m, nil
}

// project returns the project of a node: its repository, else its working folder. A redacted or
// hashed path does not count.
func project(node jsondoc.Value) string {
	for _, name := range []string{"repo_root", "cwd"} {
		if text := node.Path("project", name).Str(); isPlain(text) {
			return text
		}
	}
	return ""
}

// isPlain reports whether a text can be a name in a memory. If not, only the node has it.
func isPlain(s string) bool {
	const most = 4096
	return s != "" && len(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
}

// withheld returns the text that replaces a content which was left out.
func withheld(m *api.MemoryWrite) string {
	return "(" + m.Kind + " without its content)"
}

// truncate cuts a text to at most the given number of bytes, between two characters.
func truncate(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// body fills in what differs from kind to kind.
type body struct {
	node   jsondoc.Value
	memory *api.Body
}

// fill sets the members of the memory that depend on the kind of node.
func (b *body) fill() {
	switch b.memory.Kind {
	case "conversation":
		b.memory.Content = b.node.Get("text").Str()
		b.tag(b.node.Get("speaker").Str())
		b.turns()
	case "decision":
		b.decision()
	case "episode":
		b.episode()
	case "binding":
		b.binding()
	}
	for marker := range b.node.Get("markers").Elems() {
		b.tag(marker.Get("category").Str())
	}
	b.action()
}

// action sets the action of an agent on a memory of its own: the kind, the store and the key. A
// name that is not plain leaves the action out.
func (b *body) action() {
	done := b.node.Get("memory")
	a := api.Action{Kind: api.ActionKind(done.Get("action").Str()), Store: done.Get("store").Str(), Key: done.Get("key").Str()}
	if isPlain(a.Store) && (a.Key == "" || isPlain(a.Key)) {
		b.memory.Action = &a
	}
}

// tag adds a tag, unless it is redacted, too long or there already.
func (b *body) tag(tag string) {
	const most = 128
	if isPlain(tag) && len(tag) <= most && !slices.Contains(b.memory.Tags, tag) {
		b.memory.Tags = append(b.memory.Tags, tag)
	}
}

// event adds an event of the session from which the memory comes. An id over 512 bytes is left
// out.
func (b *body) event(id string) {
	const most = 512
	if isPlain(id) && len(id) <= most && !slices.Contains(b.memory.EventIDs, id) {
		b.memory.EventIDs = append(b.memory.EventIDs, id)
	}
}

// turns adds the first and the last event of the turn.
func (b *body) turns() {
	for _, end := range []string{"start", "end"} {
		if seq, ok := b.node.Path("turn_range", end).Int(); ok {
			b.event("seq:" + strconv.FormatInt(seq, 10))
		}
	}
}

// decision makes the text of a decision: its title, the deciding words if they
// differ, the options and the confirmation.
func (b *body) decision() {
	var text strings.Builder
	title, epitome := b.node.Get("title").Str(), b.node.Get("epitome").Str()
	if text.WriteString(cmp.Or(title, epitome)); title != "" && title != epitome {
		text.WriteString("\ndecided: " + epitome)
	}
	for option := range b.node.Get("considered_options").Elems() {
		line := "\nconsidered: "
		if option.Get("chosen").Bool() {
			line = "\nchosen: "
		}
		text.WriteString(line + option.Get("text").Str())
	}
	if confirmation := b.node.Get("confirmation").Str(); confirmation != "" {
		text.WriteString("\nconfirmed: " + confirmation)
	}
	b.memory.Content = text.String()
	if b.node.Get("is_ban").Bool() {
		b.tag("ban")
	}
	b.turns()
	if by := b.node.Get("superseded_by").Str(); by != "" {
		b.tag("superseded")
		b.event(by)
		b.over(by)
	} else {
		b.tag("in_force")
	}
}

// over sets the end of a decision. One that another decision replaced was in force until then.
// One that a rewind removed never was in force, since the session that the person continued
// does not contain it.
func (b *body) over(by string) {
	const most = 512
	switch {
	case !strings.HasPrefix(by, "decision:"):
		b.memory.InvalidAt = b.memory.ValidAt
	case isPlain(by) && len(by) <= most && !b.node.Get("id").Is(by):
		b.memory.SupersededBy = by
	}
}

// episode makes the text of an edit: the change, the path and the line counts. The
// diff itself is not stored.
func (b *body) episode() {
	diff := b.node.Get("diff")
	added, _ := diff.Get("added_lines").Int()
	removed, _ := diff.Get("removed_lines").Int()
	change, path, old := diff.Get("change").Str(), b.node.Get("path").Str(), diff.Get("old_path").Str()
	b.memory.Content = fmt.Sprintf("%s %s (+%d −%d)", change, path, added, removed)
	if old != "" {
		b.memory.Content += "\nfrom " + old
	}
	b.tag(change)
	b.event(b.node.Get("call_id").Str())
	for _, p := range []string{path, old} {
		if isPlain(p) && !slices.Contains(b.memory.Paths, p) {
			b.memory.Paths = append(b.memory.Paths, p)
		}
	}
}

// binding makes the text of a binding. Both of its ends are parents of the memory.
func (b *body) binding() {
	from, to, relation := b.node.Get("from").Str(), b.node.Get("to").Str(), b.node.Get("relation").Str()
	b.memory.Content = from + " " + relation + " " + to
	b.memory.ParentIDs = []string{from}
	if to != from {
		b.memory.ParentIDs = append(b.memory.ParentIDs, to)
	}
	b.tag(relation)
	b.tag(b.node.Get("evidence").Str())
}
