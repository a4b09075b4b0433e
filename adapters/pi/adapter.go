// Package pi reads the sessions of the pi coding agent.
//
// A session is a file of JSON lines: a header, and entries that form a tree by
// id and parentId. File order is the order in which things happened; an entry
// that does not follow the one before it begins another branch. Entries before
// version 2 of the format have no ids and form a line.
//
// OpenClaw and Oh My Pi are built on the same agent and write the same form.
// docs/adapters/pi.md says what is known of the format, and how.
//
// A session with a branch, in file order:
//
//	{"type":"session","id":"s","cwd":"/w"}                                 session_start
//	{"type":"message","id":"a","parentId":null,"message":{"role":"user"…}}    user_turn
//	{"type":"message","id":"b","parentId":"a",…"role":"assistant"…}           assistant_turn
//	{"type":"message","id":"c","parentId":"b",…"role":"user"…}                user_turn
//	{"type":"message","id":"d","parentId":"b",…"role":"user"…}                rewind to b, user_turn
//
// Ids are short and only unique within a file; an event is named by the id and the
// moment, "d@2026-03-01T10:00:00Z", which a fork copies unchanged.
//
// What a file held before an edit is found, in this order: from the text as it is
// known, with the edit done as the client does it, if the diff on the screen agrees;
// from that diff; from the strings of the call. Versions such as 0.49.2 compare texts
// smoothed where an exact match fails, and then write the whole file smooth: see
// sloppy.
package pi

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Tool is the slug of the pi coding agent.
const Tool = core.Pi

// Adapter knows the pi coding agent.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return Tool }

// Places are the folder of the agent, and the one that sessions can be kept in
// instead.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{
			// The variable and the folder are read in source, the folder is recorded.
			Roots:    []core.Root{{Env: "PI_CODING_AGENT_DIR"}, {Path: ".pi/agent"}},
			Patterns: []string{"sessions/*/*.jsonl", "sessions/*.jsonl"},
		},
		// Of what is built on it, heard of: Oh My Pi, Senpi, and OpenClaw, whose
		// published sessions are read.
		{Roots: []core.Root{{Path: ".omp/agent"}}, Patterns: []string{"sessions/*/*.jsonl", "sessions/*.jsonl"}},
		{Roots: []core.Root{{Path: ".senpi/agent"}}, Patterns: []string{"sessions/*/*.jsonl", "sessions/*.jsonl"}},
		{Roots: []core.Root{{Path: ".openclaw"}}, Patterns: []string{"agents/*/sessions/*.jsonl"}},
		// Unverified.
		{Roots: []core.Root{{Env: "PI_CODING_AGENT_SESSION_DIR"}}, Patterns: []string{"*.jsonl", "*/*.jsonl"}},
	}
}

// Detect judges by the header, or by the messages of a file that has lost it.
func (Adapter) Detect(s core.Sample) core.Fit {
	best := stream.Fit(false, strings.Contains(s.Path, "/.pi/agent/sessions/") && strings.HasSuffix(s.Path, ".jsonl"))
	for _, v := range s.Records() {
		if fit := fitOf(v); fit > core.NoFit {
			return max(fit, best)
		}
	}
	return best
}

// fitOf judges one record. DeepSeek's harness has a header of the same type,
// with createdAt for timestamp.
func fitOf(v jsondoc.Value) core.Fit {
	switch r := recordOf(v); {
	case r.kind.Is("session") && r.id.Kind() == jsondoc.String && r.time.Kind() == jsondoc.String:
		if r.cwd.Kind() == jsondoc.String {
			return core.NativeFit
		}
		return core.ShapeFit
	case r.kind.Is("message") && r.message.Get("role").Kind() == jsondoc.String && r.time.Exists():
		return core.ShapeFit
	}
	return core.NoFit
}
