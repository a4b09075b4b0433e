package codex

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// bare reads a record of a rollout from before September 2025: a header without
// a type, then items without a time, and "state" records between them (wild).
func (p *parser) bare(l line) {
	if p.root.Get("record_type").Is("state") {
		p.note("state", true)
		return
	}
	if l.kind.Kind() != jsondoc.String {
		if !p.started && l.time.Exists() && p.root.Get("id").Kind() == jsondoc.String {
			p.bareHeader(p.root, l.time)
			return
		}
		p.note("", false)
		return
	}
	if l.payload.Exists() {
		p.note(l.kind.Str(), false)
		return
	}
	p.bareItem(p.root)
}

// bareHeader reads {"id","timestamp","instructions","git"}.
func (p *parser) bareHeader(v, at jsondoc.Value) {
	m := rollout.ReadMeta(v)
	p.Time, p.ms = rollout.Clock(at)
	p.open(rollout.Meta{ID: m.ID, Git: m.Git})
}

// bareItem reads an item. There are no events, so what is not context is a
// person's turn.
func (p *parser) bareItem(v jsondoc.Value) {
	if v.Get("type").Is("message") && v.Get("role").Is("user") {
		p.bareUser(v)
		return
	}
	p.item(v)
}

func (p *parser) bareUser(v jsondoc.Value) {
	text, first := p.content(v.Get("content"))
	p.User = core.UserTurn{Text: text, Parts: p.pieces(text)}
	id := v.Get("id").Str()
	head := p.head(first)
	if rollout.IsContext(head) {
		p.contextCwd(first)
		p.inject(id, &p.User)
		return
	}
	p.turns.begin()
	p.saidByUser(id, true)
}

// contextCwd takes the working folder from the context that stands at the start
// of a conversation, since the header does not have it (source).
func (p *parser) contextCwd(v jsondoc.Value) {
	if p.Project != nil && p.Project.Cwd != "" {
		return
	}
	s := v.Str()
	cwd := ""
	if _, after, ok := strings.Cut(s, "<cwd>"); ok {
		cwd, _, _ = strings.Cut(after, "</cwd>")
	} else if _, after, ok := strings.Cut(s, "Current working directory: "); ok {
		cwd, _, _ = strings.Cut(after, "\n")
	}
	if cwd = strings.TrimSpace(cwd); cwd == "" {
		return
	}
	next := core.Project{Cwd: cwd}
	if p.Project != nil {
		next.Git = p.Project.Git
	}
	p.Project = &next
}

// document reads a rollout of the TypeScript version (until August 2025): one
// object that is rewritten as a whole (source).
func (p *parser) document(l line) {
	if !p.started {
		p.bareHeader(l.session, l.session.Get("timestamp"))
	}
	p.Time = core.Time{}
	whole := p.root
	for it := range l.items.Elems() {
		p.root = it
		p.Emitted = false
		p.bareItem(it)
		if !p.Emitted {
			p.note("", false)
		}
	}
	p.root = whole
}
