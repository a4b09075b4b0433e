// Package qwen reads the transcripts of Qwen Code.
//
// Qwen Code is a fork of Gemini CLI with a log of its own: JSON lines, each with
// a uuid and the uuid of its parent, and in it a message in the form of Google's
// API. Records of the types user, assistant, tool_result and system form a chain,
// which branches where a person took the conversation back. File order is the
// order in which things happened.
//
// Until 0.2 the fork kept its sessions as Gemini CLI does, as JSON documents in a
// folder of its own; those are read as such.
//
// What the versions from 0.5 to 0.24 write, and on what evidence that is known,
// is in docs/adapters/qwen.md.
//
// A rewind, as it shows in the tree:
//
//	u1 ── a1 ── u2 ── a2
//	       └─── u3           u3 follows a1: u2 and a2 were taken back
//
// What is kept of a record is its place in the tree (some tens of bytes), for the whole
// file; of a call what its result needs, until that comes.
//
// A subagent that has no file of its own is known by what the client measured of it,
// between the call that started it and the result: which model answered, which calls it
// made, how they ended. What its calls told the model is not recorded.
package qwen

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/geminilog"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Qwen Code.
type Adapter struct{ stream.JSONDocuments }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Qwen }

// Places is the folder of the sessions, on all systems: the runtime's, if
// it is elsewhere, or the client's (source). A folder that only the
// client's settings name is not found.
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots: []core.Root{{Env: "QWEN_RUNTIME_DIR"}, {Env: "QWEN_HOME"}, {Path: ".qwen"}},
		Patterns: []string{
			"projects/*/chats/*.jsonl",
			"projects/*/subagents/*/agent-*.jsonl",
			"tmp/*/chats/session-*.json", // until 0.2
			"tmp/*/chats/*.jsonl",        // source of the first versions with a log of their own
		},
	}}
}

// Detect judges by the records. Their messages have "parts" where those of Claude
// Code, whose envelope they share, have "content". The documents of the first
// versions are those of Gemini CLI to the letter: there the folder decides.
func (Adapter) Detect(s core.Sample) core.Fit {
	if fit := geminilog.Detect(s); fit > core.NoFit {
		if geminilog.InFolder(s.Path, ".qwen") {
			return fit
		}
		return core.NoFit
	}
	best := core.NoFit
	var r record
	for line, v := range s.Records() {
		if best == core.NativeFit {
			break
		}
		if v.Exists() {
			best = max(best, r.fit(v))
		} else {
			best = max(best, cutFit(line))
		}
	}
	if best == core.NoFit && isSession(s.Path) && geminilog.InFolder(s.Path, ".qwen") {
		return core.PathFit
	}
	return best
}

// isSession reports whether a file is a session, or one of a subagent.
func isSession(file string) bool {
	return geminilog.IsSession(file) || strings.HasSuffix(file, ".jsonl") && geminilog.InFolder(file, "subagents")
}

// fit judges one record.
func (r *record) fit(v jsondoc.Value) core.Fit {
	r.read(v)
	switch string(r.kind.Body()) {
	case "user", "assistant", "tool_result", "system":
	default:
		return core.NoFit
	}
	switch {
	case r.message.Get("parts").Kind() != jsondoc.Array && !r.payload.Exists() && !r.result.Exists():
		return core.NoFit
	case r.uuid.Exists() && r.session.Exists():
		return core.NativeFit
	case r.session.Exists():
		return core.ShapeFit
	}
	return core.NoFit
}

// cutFit judges a line that was cut off, or torn.
func cutFit(line []byte) core.Fit {
	for _, mark := range []string{`"uuid":"`, `"parentUuid":`, `"sessionId":"`, `"parts":[`} {
		if !bytes.Contains(line, []byte(mark)) {
			return core.NoFit
		}
	}
	return core.ShapeFit
}
