// Package copilot reads the sessions of the GitHub Copilot command line tool.
//
// A session is a log of events, a JSON object a line: {type, data, id, timestamp, parentId,
// agentId}. Before 0.0.342 it was one JSON document, which was rewritten whole; see talk.go. Events
// that the client marks ephemeral do not reach the disk, but they do reach the stream that
// --output-format json prints, which has the same form and is read as well.
//
// A database beside the sessions repeats what was said in them, also what a rewind
// has deleted; see rows.go.
//
// What the versions write, and on what evidence that is known, is in docs/adapters/copilot.md.
//
// A turn with a call, as 1.0.102 writes it, with what becomes of it:
//
//	user.message             {content}                             user_turn
//	assistant.turn_start                                           bookkeeping
//	assistant.message        {content, toolRequests:[{toolCallId,
//	                          name:"edit", arguments}]}            assistant_turn, tool_call
//	permission.requested     {requestId, permissionRequest}        noted
//	permission.completed     {requestId, result:{kind}}            the verdict of the call
//	tool.execution_start     {toolCallId, arguments}               as hooks have changed them
//	tool.execution_complete  {toolCallId, success, result:
//	                          {content, detailedContent}}          tool_result, file_edit
//
// The content of a result is what the model was told, detailedContent what the screen
// showed: of an edit a diff, in which carriage returns and a missing last line end are
// lost. Both are needed to know what a file held.
package copilot

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows the Copilot command line tool.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Copilot }

// Places are the folders below COPILOT_HOME. Old clients may have followed
// XDG_STATE_HOME (unverified).
func (Adapter) Places() []core.Place {
	patterns := []string{
		"session-state/*/events.jsonl", // since 1.0; recorded 1.0.102
		"session-state/*/" + snapshotIndex,
		"session-state/*/" + workspaceFile,
		storeFile,                       // recorded 1.0.102
		"session-state/*.jsonl",         // 0.0.342 to 1.0; reported by other readers
		"history-session-state/*.json",  // before 0.0.342; wild
		"history-session-state/*.jsonl", // reported by another reader
	}
	return []core.Place{
		{Roots: []core.Root{{Env: "COPILOT_HOME"}, {Path: ".copilot"}}, Patterns: patterns},
		{Roots: []core.Root{{Env: "XDG_STATE_HOME", Path: ".copilot"}}, Patterns: patterns},
	}
}

// Framing tells the old documents from the logs. The name does not: people keep
// logs under the name of a document.
func (Adapter) Framing(s core.Sample) core.Framing {
	if isDocument(s.Head) || isWorkspace(s.Path, s.Head) || path.Base(path.Dir(s.Path))+"/"+path.Base(s.Path) == snapshotIndex {
		return core.Document
	}
	return core.Lines
}

// isDocument reports whether a file begins as the documents before 0.0.342.
func isDocument(head []byte) bool {
	o := stream.OpeningOf(core.Sample{Head: head})
	o = o[:min(len(o), 4<<10)]
	return o.Is("{", "sessionId", "startTime") && !o.Is(`{"type":`) && (o.Has("chatMessages") || o.Has("timeline"))
}

// Detect judges by the events. The editor's extension keeps logs in the same
// form and says so in the first event: those are another tool's first.
func (Adapter) Detect(s core.Sample) core.Fit {
	if isDocument(s.Head) || isWorkspace(s.Path, s.Head) {
		return core.NativeFit
	}
	if strings.Contains(s.Path, "/GitHub.copilot-chat/") {
		return core.NoFit
	}
	if path.Base(path.Dir(s.Path))+"/"+path.Base(s.Path) == snapshotIndex {
		return core.NativeFit
	}
	best := stream.Fit(false, strings.Contains(s.Path, "/.copilot/") &&
		(strings.Contains(s.Path, "/session-state/") && strings.HasSuffix(s.Path, ".jsonl") || strings.Contains(s.Path, "/history-session-state/")))
	for line, v := range s.Records() {
		if !v.Exists() {
			best = max(best, fitOfCut(line))
			continue
		}
		if fit := fitOf(v); fit > core.NoFit {
			return fit
		}
	}
	return best
}

// fitOf judges one event. One of the editor's extension fits in shape alone, so that
// the adapter for VS Code comes first.
func fitOf(v jsondoc.Value) core.Fit {
	data := v.Get("data")
	if data.Kind() != jsondoc.Object || v.Get("id").Kind() != jsondoc.String || !v.Get("parentId").Exists() {
		return core.NoFit
	}
	kind := v.Get("type")
	switch {
	case kind.Is("session.start") && data.Get("vscodeVersion").Exists():
		return core.ShapeFit
	case kind.Is("session.start") && data.Get("sessionId").Exists(), stream.Described(Adapter{}.Kinds(), kind):
		return core.NativeFit
	}
	return core.NoFit
}

// fitOfCut judges the beginning of an event that is too long for the sample.
func fitOfCut(line []byte) core.Fit {
	for _, start := range []string{`{"type":"user.message","data":{`, `{"type":"assistant.message","data":{`, `{"type":"system.message","data":{`, `{"type":"tool.execution_`} {
		if bytes.HasPrefix(line, []byte(start)) {
			return core.NativeFit
		}
	}
	return core.NoFit
}
