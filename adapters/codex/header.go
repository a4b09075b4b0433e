package codex

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// meta is a session_meta, as far as it matters.
type meta struct {
	id, session, parent, forkedFrom string
	cwd, version, model             string
	git                             core.Git
	subagent, paginated, internal   bool
	baseThread                      string // history_base: the file continues where a part of that thread ends
	baseEnd                         int64
	start                           int64 // ordinal of the first record that is not inherited
}

func readMeta(v jsondoc.Value) meta {
	var m meta
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "id":
			m.id = v.Str()
		case "session_id":
			m.session = v.Str()
		case "parent_thread_id":
			m.parent = v.Str()
		case "forked_from_id":
			m.forkedFrom = v.Str()
		case "cwd":
			m.cwd = v.Str()
		case "cli_version":
			m.version = v.Str()
		case "model":
			m.model = v.Str()
		case "git":
			m.git = core.Git{SHA: v.Get("commit_hash").Str(), Branch: v.Get("branch").Str()}
		case "source":
			m.source(v)
		case "thread_source":
			m.subagent = m.subagent || v.Is("subagent")
		case "history_mode":
			m.paginated = v.Is("paginated")
		case "history_base":
			m.baseThread = v.Get("thread_id").Str()
			m.baseEnd, _ = v.Get("end_ordinal_exclusive").Int()
		case "subagent_history_start_ordinal":
			m.start, _ = v.Int()
		}
	}
	return m
}

// source is a word, or says which subagent the thread is: {"subagent":"review"}
// or {"subagent":{"thread_spawn":{"parent_thread_id":…}}}; or that the tool
// talks to itself: {"internal":"memory_consolidation"} (source).
func (m *meta) source(v jsondoc.Value) {
	m.internal = v.Get("internal").Exists()
	sub := v.Get("subagent")
	if !sub.Exists() {
		return
	}
	m.subagent = true
	if parent := sub.Path("thread_spawn", "parent_thread_id"); parent.Exists() && m.parent == "" {
		m.parent = parent.Str()
	}
}

// sessionMeta reads a header. The first one is the file's own. Later ones are
// the same again (the git state may be a new one), or those of the threads of
// which a fork copied the history.
func (p *parser) sessionMeta(v jsondoc.Value) {
	m := readMeta(v)
	switch {
	case !p.started:
		p.open(m)
	case m.id == p.id || m.id == "":
		p.git(m.git)
		p.note("session_meta", true)
	default:
		p.lineage.ancestor(m.id)
		p.note("session_meta", true)
	}
}

// open starts the file's thread.
func (p *parser) open(m meta) {
	p.started = true
	if m.id != "" {
		p.id = m.id
	}
	p.session = p.id
	if m.subagent || m.session != "" && m.session != p.id {
		p.thread = p.id
		switch {
		case m.session != "" && m.session != p.id:
			p.session = m.session
		case m.parent != "":
			p.session = m.parent
		}
	}
	p.machine = m.internal || p.thread != ""
	p.model = m.model
	p.keepsEnds = atLeast(m.version, 163) // and not 0.162.0-alpha.15 (recorded)
	p.lineage.unmarked = m.version != "" && !atLeast(m.version, 53)
	p.project = &core.Project{Cwd: m.cwd, Git: m.git}
	switch {
	case m.baseThread == p.id && p.id != "":
		p.part = ""
		p.continued(m)
	case p.part != "" && m.paginated:
		p.restarted()
	default:
		p.part = ""
		p.anchored = m.paginated
		p.put(p.id, &core.SessionStart{Cwd: m.cwd, Git: m.git, Model: m.model, ToolVersion: m.version, Base: m.base()})
		p.anchored = false
	}
	p.lineage.open(p.id, m)
}

// atLeast reports whether a version is 0.minor or later.
func atLeast(version string, minor int) bool {
	major, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(second)
	return err == nil && (major != "0" || n >= minor)
}

// base is where a fork by reference continues: the last record that it has in common
// with the thread that was forked, which is the end of a turn (0.169, recorded).
func (m *meta) base() core.Base {
	if m.baseThread == "" || m.subagent {
		return core.Base{}
	}
	return core.Base{Session: m.baseThread, Event: ordinalID(m.baseThread, m.baseEnd-1)}
}

// continued opens a file that continues with the thread of another one from a
// point before its end: that is how a paginated thread is rolled back (0.169,
// recorded). The event to go back to stands in the other file.
func (p *parser) continued(m meta) {
	p.put(p.ordinalID(p.ordinal)+"-rewind", &core.Rewind{ToEvent: p.ordinalID(m.baseEnd - 1), Elsewhere: true})
}

// restarted opens a file in which a paginated thread starts again, after a rollback
// of all its turns: it counts its records from zero again (0.166, recorded).
func (p *parser) restarted() {
	p.put(p.ordinalID(p.ordinal)+"-rewind", &core.Rewind{ToEvent: p.id, Elsewhere: true})
}

// ordinalID names a record of a paginated thread that has no id of its own.
func (p *parser) ordinalID(n int64) string {
	if p.part != "" {
		return ordinalID(p.id+"_"+p.part, n)
	}
	return ordinalID(p.id, n)
}

func ordinalID(thread string, n int64) string { return thread + "/" + strconv.FormatInt(n, 10) }

// git takes in a newer state of the repository.
func (p *parser) git(g core.Git) {
	if p.project == nil || g == (core.Git{}) || g == p.project.Git {
		return
	}
	next := *p.project
	next.Git = g
	p.project = &next
}

// cwd takes in the folder in which the next turn works.
func (p *parser) cwd(v jsondoc.Value) {
	if v.Kind() != jsondoc.String || p.project != nil && v.Is(p.project.Cwd) {
		return
	}
	next := core.Project{}
	if p.project != nil {
		next = *p.project
	}
	next.Cwd = v.Str()
	p.project = &next
}

// turnContext reads the settings of a turn, which are written again before
// every request.
func (p *parser) turnContext(v jsondoc.Value) {
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "turn_id":
			p.lineage.turn(v)
		case "cwd":
			p.cwd(v)
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

// compacted reads that the model's view of the conversation was replaced. What
// it was replaced by lists items over again; none of it is new.
func (p *parser) compacted(v jsondoc.Value) {
	c := core.Compaction{Summary: core.Token(v.Get("message"))}
	c.End = p.turns.seq
	p.put(v.Get("window_id").Str(), &c)
}
