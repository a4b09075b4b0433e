// Package rollout knows what the records of a rollout say of themselves, whatever stands
// before and after them: whether a file is one ([Detect]), whose it is ([ReadMeta]), which
// thread a record was copied from ([Lineage]), whether a text is a second telling
// ([Voices]), and what the tool says in a person's name ([IsContext]).
//
// What a record becomes is the parser's business, in the package above.
package rollout

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
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
	git, base := v.Get("git"), v.Get("history_base")
	m := Meta{
		ID: v.Get("id").Str(), Session: v.Get("session_id").Str(), Parent: v.Get("parent_thread_id").Str(),
		forkedFrom: v.Get("forked_from_id").Str(), Cwd: v.Get("cwd").Str(), Version: v.Get("cli_version").Str(), Model: v.Get("model").Str(),
		Git: core.Git{SHA: git.Get("commit_hash").Str(), Branch: git.Get("branch").Str()}, Paginated: v.Get("history_mode").Is("paginated"),
		Subagent: v.Get("thread_source").Is("subagent"), BaseThread: base.Get("thread_id").Str(),
	}
	m.BaseEnd, _ = base.Get("end_ordinal_exclusive").Int()
	m.start, _ = v.Get("subagent_history_start_ordinal").Int()
	m.source(v.Get("source"))
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

// Clock reads a timestamp, and counts the milliseconds since 1970 until then; 0 where
// the time is not known.
func Clock(v jsondoc.Value) (t core.Time, ms int64) {
	if v.Kind() == jsondoc.String {
		t = core.ParseTimeBytes(v.Body())
	}
	return t, t.Milli()
}

// ReadTokens reads a count, in which what came out of the cache is also input, and what
// was thought is also output.
func ReadTokens(v jsondoc.Value) core.Usage {
	return stream.Tokens(v, "input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens", "reasoning_output_tokens")
}
