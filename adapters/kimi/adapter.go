// Package kimi reads the sessions of Kimi Code, and those of the Kimi CLI that it
// follows.
//
// A session is a folder, and in it every agent has a log of its own: the main one,
// and each that it has sent. The log says everything twice, as what the model is
// given (context.…) and as what is shown (agent.…, turn.…); the first is read, the
// second is bookkeeping. A fork begins with the records of the session that it
// comes from, under their own ids.
//
// What the versions write, and on what evidence that is known, is in
// docs/adapters/kimi.md.
//
// A prompt with a call, as it is in the log, and what becomes of it:
//
//	{"type":"turn.prompt",…}                                              bookkeeping
//	{"type":"context.append_message","message":{"role":"user",…}}         user_turn
//	{"type":"llm.request","model":"kimi-…"}                               bookkeeping: the model
//	{"type":"file_history.tracked","path":"a.js","entry":{…}}             what a.js held before
//	{"type":"context.append_loop_event","event":{…}}                      assistant_turn, tool_call
//	{"type":"permission.record_approval_result","toolCallId":…}           the verdict of the call
//	{"type":"context.append_loop_event","event":{…}}                      tool_result, file_edit
//
// Each line has a meaning by its type alone: see the roles in kinds.go, which is where
// a new type goes.
package kimi

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Kimi Code and the Kimi CLI.
type Adapter struct{ stream.JSONDocuments }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Kimi }

// Places are the folder of Kimi Code (documented, recorded) and the one of the Kimi
// CLI (read in source).
func (Adapter) Places() []core.Place {
	return []core.Place{
		{
			Roots:    []core.Root{{Env: "KIMI_CODE_HOME"}, {Path: ".kimi-code"}},
			Patterns: []string{"sessions/*/*/agents/*/wire.jsonl", "sessions/*/*/" + stateFile},
		},
		{
			Roots:    []core.Root{{Env: "KIMI_SHARE_DIR"}, {Path: ".kimi"}},
			Patterns: []string{"sessions/*/*/wire.jsonl", "sessions/*/*/subagents/*/wire.jsonl"},
		},
	}
}

// Companions is where Kimi Code says in which folder a session works, and whether it
// is a fork of another one. A fork has its log before that.
func (Adapter) Companions(name string) (work string, files []string) {
	dir, file := path.Split(name)
	switch dir = path.Dir(dir); {
	case file == stateFile:
		return "kimi/" + path.Base(dir), nil
	case file == logFile && path.Base(path.Dir(dir)) == "agents":
		return "kimi/" + path.Base(path.Dir(path.Dir(dir))), []string{stateOf}
	}
	return "", nil
}

const (
	logFile   = "wire.jsonl"
	stateFile = "state.json"         // of a session
	stateOf   = "../../" + stateFile // as seen from the folder of one of its agents
)

// NewParser returns a parser for the log of one agent.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{file: info.Path}
	p.Init(Adapter{}.Kinds(), "")
	p.Session, p.Thread = nameOf(info.Path)
	if path.Base(info.Path) == stateFile {
		p.Session, p.Thread = path.Base(path.Dir(info.Path)), ""
	}
	p.beside = stateIn(stream.Beside(info, stateOf))
	if p.beside.cwd != "" {
		p.Project = &core.Project{Cwd: p.beside.cwd}
	}
	return mcpedits.Edits(p, &p.files)
}

// nameOf names the session and the subagent that a log belongs to, by the folders in
// which it lies: <session>/agents/<agent>, <session>/subagents/<agent>, <session>.
func nameOf(file string) (session, thread string) {
	if path.Base(file) != logFile {
		name, _, _ := strings.Cut(path.Base(file), ".")
		return name, ""
	}
	dir := path.Dir(file)
	switch agents := path.Dir(dir); path.Base(agents) {
	case "agents", "subagents":
		if thread = path.Base(dir); thread == mainAgent {
			thread = ""
		}
		return path.Base(path.Dir(agents)), thread
	}
	return path.Base(dir), ""
}

// mainAgent is the one that a person talks to.
const mainAgent = "main"

// Detect judges by the first line, which says how the others are written, and
// where that is lost by the types of the others.
func (Adapter) Detect(s core.Sample) core.Fit {
	for _, v := range s.Records() {
		if !v.Exists() {
			continue
		}
		kind := v.Get("type").Str()
		switch {
		case kind == "metadata" && v.Get("protocol_version").Exists():
			return core.NativeFit
		case strings.HasPrefix(kind, "context.append_"), isLegacy(v), isState(s.Path, v):
			return core.ShapeFit
		}
		break
	}
	return stream.Fit(false, path.Base(s.Path) == logFile && strings.Contains(s.Path, "/sessions/") && strings.Contains(s.Path, "kimi"))
}
