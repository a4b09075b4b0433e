// Package brief writes events for people to read: one line per event, with a digest of its
// canonical bytes.
//
// The line has what a reviewer needs: the place of the event, its kind, its main content and
// its relations. Any other change of the event shows in the digest. A few cases are kept as
// canonical bytes instead; see [Kept].
package brief

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// Kept reports whether the events of a case are kept as canonical bytes: of happy_path in
// the last version of each tool, and of some scenarios of Claude Code with events that
// others rarely have. All must have at least the tool's cases.
func Kept(all []*corpus.Case, c *corpus.Case) bool {
	if c.Scenario != "happy_path" && (c.Tool != "claude_code" || !slices.Contains([]string{"subagent_thread", "rewind", "compaction", "image_stream"}, c.Scenario)) {
		return false
	}
	return !slices.ContainsFunc(all, func(o *corpus.Case) bool {
		return o.Tool == c.Tool && o.Scenario == c.Scenario && semver.Compare("v"+o.Version, "v"+c.Version) > 0
	})
}

// Name returns the name and the content of the file with a case's expected events.
func Name(all []*corpus.Case, c *corpus.Case, events []*trial.Event) (name, content string) {
	if Kept(all, c) {
		return "events.ndjson", Canonical(events)
	}
	return "events.txt", Events(events)
}

// Canonical returns the canonical bytes of events, one per line.
func Canonical(events []*trial.Event) string {
	var b strings.Builder
	for _, e := range events {
		b.Write(e.JSON)
		b.WriteByte('\n')
	}
	return b.String()
}

// Events returns events as lines, with a heading for each transcript and session.
func Events(events []*trial.Event) string {
	var b strings.Builder
	file, session := "", ""
	for _, e := range events {
		if e.Provenance.File != file || e.SessionID != session {
			file, session = e.Provenance.File, e.SessionID
			fmt.Fprintf(&b, "== %s, session %s\n", file, session)
		}
		b.WriteString(Event(e) + "\n")
	}
	return b.String()
}

// Event returns the line of one event:
//
//	17 tool_call 1f9d03b6 Bash toolu_01 {"command":"go test"} in agent-1 #5c0f3a9e72b1d846
//
// is on line 17 of the transcript, has an id that ends with 1f9d03b6, and is in the thread
// agent-1.
func Event(e *trial.Event) string {
	words := []string{fmt.Sprint(e.Provenance.Line), e.Event, short(e.ID)}
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	if e.Injected {
		add("injected")
	}
	if e.Echo {
		add("echo")
	}
	words = append(words, body(e)...)
	for _, relation := range []struct{ how, what string }{
		{"in", e.ThreadID}, {"parent", short(e.ParentID)}, {"copy of", short(e.CopyOf)}, {"voids", short(e.Voids)},
	} {
		if relation.what != "" {
			add("%s %s", relation.how, relation.what)
		}
	}
	if e.Strand != 0 {
		add("strand %d", e.Strand)
	}
	add("#%x", sum(e.JSON))
	return strings.Join(words, " ")
}

// body returns the main content of an event.
func body(e *trial.Event) (words []string) {
	b := &e.Body
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	for _, word := range []string{b.RawType, b.Name, b.CallID, b.Model, b.Cwd, b.ToolVersion, b.Verdict} {
		if word != "" {
			add("%s", word)
		}
	}
	switch e.Event {
	case "tool_result":
		if !b.OK {
			add("failed")
		}
		add("%s", cut(string(b.Output)))
	case "tool_call":
		add("%s", cut(string(b.Args)))
	case "unknown":
		if !b.Bookkeeping {
			add("not described")
		}
	case "rewind":
		add("to %s", short(b.ToEvent))
	}
	for _, text := range []string{b.Text, b.Summary, b.Reason} {
		if text != "" {
			add("%s", cut(fmt.Sprintf("%q", text)))
		}
	}
	if d := b.Diff; d != nil {
		add("%s %s +%d -%d", d.Change, d.Path, d.Added, d.Removed)
	}
	if u := b.Usage; u != nil {
		add("[%d %d]", u.Input, u.Output)
	}
	if n := len(b.Choices); n > 0 {
		add("%d choices", n)
	}
	return words
}

// most is how much of a text is shown, in characters.
const most = 80

func cut(text string) string {
	if all := []rune(text); len(all) > most {
		return string(all[:most]) + "…"
	}
	return text
}

// short returns the end of an id, since many ids begin alike.
func short(id string) string { return id[max(0, len(id)-8):] }

func sum(b []byte) []byte {
	s := sha256.Sum256(b)
	return s[:8]
}
