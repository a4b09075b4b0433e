package codex

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// sessionMeta reads a header. The first one is the file's own. Later ones are the same again (the
// git state may be a new one), or those of the threads of which a fork copied the history.
func (p *parser) sessionMeta(v jsondoc.Value) {
	m := rollout.ReadMeta(v)
	switch {
	case !p.started:
		p.open(m)
	case m.ID == p.id || m.ID == "":
		p.git(m.Git)
	default:
		p.lineage.Ancestor(m.ID)
	}
}

// open starts the file's thread. A header may have several ids; the session is
// the one of the thread that a person sees:
//
//	id                                of this file
//	session_id, parent_thread_id      of a subagent: the session it works for
//	history_base {thread_id = id,     this file continues the thread after a rollback,
//	 end_ordinal_exclusive}           from that ordinal on
func (p *parser) open(m rollout.Meta) {
	p.started = true
	p.id = cmp.Or(m.ID, p.id)
	p.Session = p.id
	if m.Subagent || m.Session != "" && m.Session != p.id {
		p.Thread = p.id
		switch {
		case m.Session != "" && m.Session != p.id:
			p.Session = m.Session
		case m.Parent != "":
			p.Session = m.Parent
		}
	}
	p.machine = m.Internal || p.Thread != ""
	p.model = m.Model
	p.keepsEnds = rollout.AtLeast(m.Version, 163) // and not 0.162.0-alpha.15 (recorded)
	p.lineage.Unmarked = m.Version != "" && !rollout.AtLeast(m.Version, 53)
	p.Project = &core.Project{Cwd: m.Cwd, Git: m.Git}
	switch {
	case m.BaseThread == p.id && p.id != "":
		p.part = ""
		p.continued(m)
	case p.part != "" && m.Paginated:
		p.restarted()
	default:
		p.part = ""
		p.Anchor = m.Paginated
		p.put(p.id, &core.SessionStart{Cwd: m.Cwd, Git: m.Git, Model: m.Model, ToolVersion: m.Version, Base: m.Base()})
		p.Anchor = false
	}
	p.lineage.Open(p.id, m)
}

// continued opens a file that continues with the thread of another one from a
// point before its end: that is how a paginated thread is rolled back (0.169,
// recorded). The event to go back to is in the other file.
func (p *parser) continued(m rollout.Meta) {
	p.put(p.ordinalID(p.ordinal)+"-rewind", &core.Rewind{ToEvent: p.ordinalID(m.BaseEnd - 1), CrossStream: true})
}

// restarted opens a file in which a paginated thread starts again, after a rollback
// of all its turns: it counts its records from zero again (0.166, recorded).
func (p *parser) restarted() {
	p.put(p.ordinalID(p.ordinal)+"-rewind", &core.Rewind{ToEvent: p.id, CrossStream: true})
}

// ordinalID names a record of a paginated thread that has no id of its own.
func (p *parser) ordinalID(n int64) string {
	if p.part != "" {
		return rollout.OrdinalID(p.id+"_"+p.part, n)
	}
	return rollout.OrdinalID(p.id, n)
}

// git takes in a newer state of the repository.
func (p *parser) git(g core.Git) {
	if p.Project == nil || g == (core.Git{}) || g == p.Project.Git {
		return
	}
	next := *p.Project
	next.Git = g
	p.Project = &next
}

// turnContext reads the settings of a turn, which are written again before every request.
func (p *parser) turnContext(v jsondoc.Value) {
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "turn_id":
			p.lineage.Turn(v)
		case "cwd":
			p.Follow(v, jsondoc.Value{})
		case "model":
			p.uses(v)
		}
	}
}

// uses takes in the model of the next responses.
func (p *parser) uses(model jsondoc.Value) {
	if model.Kind() == jsondoc.String && !model.Is(p.model) {
		p.model = model.Str()
	}
}

// compacted reads that the model's view of the conversation was replaced. What it was replaced by
// lists items over again; none of it is new. A decision that was taken before it still holds.
func (p *parser) compacted(v jsondoc.Value) {
	c := core.Compaction{Summary: core.Token(v.Get("message"))}
	c.End = p.turns.seq
	p.put(v.Get("window_id").Str(), &c)
}

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

// bareItem reads an item. There are no events, so what is not context is a person's turn.
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
