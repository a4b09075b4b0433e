package rollout

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Meta is a session_meta, as far as it matters.
type Meta struct {
	ID, Session, Parent, forkedFrom string
	Cwd, Version, Model             string
	Git                             core.Git
	Subagent, Paginated, Internal   bool
	BaseThread                      string // history_base: the file continues where a part of that thread ends
	BaseEnd                         int64
	start                           int64 // ordinal of the first record that is not inherited
}

// ReadMeta reads the payload of a session_meta. What a version does not say is empty.
func ReadMeta(v jsondoc.Value) Meta {
	var m Meta
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "id":
			m.ID = v.Str()
		case "session_id":
			m.Session = v.Str()
		case "parent_thread_id":
			m.Parent = v.Str()
		case "forked_from_id":
			m.forkedFrom = v.Str()
		case "cwd":
			m.Cwd = v.Str()
		case "cli_version":
			m.Version = v.Str()
		case "model":
			m.Model = v.Str()
		case "git":
			m.Git = core.Git{SHA: v.Get("commit_hash").Str(), Branch: v.Get("branch").Str()}
		case "source":
			m.source(v)
		case "thread_source":
			m.Subagent = m.Subagent || v.Is("subagent")
		case "history_mode":
			m.Paginated = v.Is("paginated")
		case "history_base":
			m.BaseThread = v.Get("thread_id").Str()
			m.BaseEnd, _ = v.Get("end_ordinal_exclusive").Int()
		case "subagent_history_start_ordinal":
			m.start, _ = v.Int()
		}
	}
	return m
}

// source is a word, or says which subagent the thread is: {"subagent":"review"}
// or {"subagent":{"thread_spawn":{"parent_thread_id":…}}}; or that the tool
// talks to itself: {"internal":"memory_consolidation"} (source).
func (m *Meta) source(v jsondoc.Value) {
	m.Internal = v.Get("internal").Exists()
	sub := v.Get("subagent")
	if !sub.Exists() {
		return
	}
	m.Subagent = true
	if parent := sub.Path("thread_spawn", "parent_thread_id"); parent.Exists() && m.Parent == "" {
		m.Parent = parent.Str()
	}
}

// AtLeast reports whether a version is 0.minor or later.
func AtLeast(version string, minor int) bool {
	major, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(second)
	return err == nil && (major != "0" || n >= minor)
}

// Base is where a fork by reference continues: the last record that it has in common
// with the thread that was forked, which is the end of a turn (0.169, recorded).
func (m *Meta) Base() core.Base {
	if m.BaseThread == "" || m.Subagent {
		return core.Base{}
	}
	return core.Base{Session: m.BaseThread, Event: OrdinalID(m.BaseThread, m.BaseEnd-1)}
}

// OrdinalID is the id of an event by the ordinal of its record: "<thread>/17".
func OrdinalID(thread string, n int64) string { return thread + "/" + strconv.FormatInt(n, 10) }
