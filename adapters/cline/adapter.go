// Package cline parses the tasks and sessions of Cline, and the tasks of its forks
// Roo Code and Kilo Code 1.
//
// Each is one document, rewritten at every change: a list of messages in the form of Anthropic's
// API. A task (until 2.x) writes calls as XML into what the model says, and their results into what
// the user says; a session (3.x) has blocks with ids for both.
//
// docs/adapters/cline.md says what is known of the format, and how.
//
// The two forms of an answer with a call, and of its result:
//
//	task      {"role":"assistant","content":[{"type":"text","text":
//	            "I'll set it.\n<write_to_file><path>a.js</path><content>…</content></write_to_file>"}]}
//	          {"role":"user","content":[{"type":"text","text":"[write_to_file for 'a.js'] Result:\n…"}]}
//	session   {"id":"m2","role":"assistant","content":[{"type":"text","text":"I'll set it."},
//	            {"type":"tool_use","id":"c1","name":"editor","input":{…}}]}
//	          {"id":"m3","role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":…}]}
//
// A message of a task has no id: it is named after what it says, and the second one that says the
// same gets "-2". So an id stays the same when the document is read again.
package cline

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Cline and its kin.
type Adapter struct{ stream.Documents }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Cline }

const (
	taskFile = "api_conversation_history.json"
	messages = ".messages.json"
)

// Places are Cline's own folder, and those of the extensions in every editor that has them.
func (Adapter) Places() []core.Place {
	places := []core.Place{
		{Roots: []core.Root{{Env: "CLINE_SESSION_DATA_DIR"}}, Patterns: []string{"*/*" + messages}},
		{
			Roots:    []core.Root{{Env: "CLINE_DATA_DIR"}, {Env: "CLINE_DIR", Path: "data"}, {Path: ".cline/data"}},
			Patterns: []string{"tasks/*/" + taskFile, "tasks/*/" + shownFile, "sessions/*/*" + messages},
		},
	}
	var patterns []string
	for _, extension := range []string{"saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code"} {
		patterns = append(patterns, extension+"/tasks/*/"+taskFile, extension+"/tasks/*/"+shownFile)
	}
	for _, editor := range []string{"Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf"} {
		storage := editor + "/User/globalStorage"
		places = append(places, core.Place{Roots: []core.Root{
			{OS: "darwin", Path: "Library/Application Support/" + storage},
			{OS: "windows", Env: "APPDATA", Path: storage},
			{OS: "windows", Path: "AppData/Roaming/" + storage},
			{Env: "XDG_CONFIG_HOME", Path: storage},
			{Path: ".config/" + storage},
		}, Patterns: patterns})
	}
	for _, server := range []string{".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".cursor-server", ".windsurf-server"} {
		places = append(places, core.Place{Roots: []core.Root{{Path: server + "/data/User/globalStorage"}}, Patterns: patterns})
	}
	return places
}

// Sidecars names the manifest of a session, which says where it works.
func (Adapter) Sidecars(file string) []string {
	name := path.Base(file)
	stem, ok := strings.CutSuffix(name, messages)
	if !ok {
		return nil
	}
	names := []string{stem + ".json"}
	if dir := path.Base(path.Dir(file)); dir != stem { // a subagent's: the session's
		names = append(names, dir+".json")
	}
	return names
}

// Detect judges by the content: a session says so, a task begins with one.
func (Adapter) Detect(s core.Sample) core.Fit {
	head := stream.OpeningOf(s)
	tagged := func(tag string) bool { return bytes.Contains(head, []byte(tag)) }
	isTask, isShown := path.Base(s.Path) == taskFile, path.Base(s.Path) == shownFile
	switch {
	case head.Is("{", "messages", "sessionId") && (head.Says("agent", `lead"`) || head.Says("agent", `subagent"`) || head.Says("agent", `teammate"`)),
		head.Is("[", "role", "content") && (tagged("<task>") || tagged("<user_message>")) && (isTask || tagged("<environment_details>")),
		isShown && head.Is("[", "ts", "type") && (head.Has("say") || head.Has("ask")):
		return core.NativeFit
	case isTask && head.Is("[", "role"):
		return core.ShapeFit
	}
	return stream.Fit(false, len(head) == 0 && (isTask || isShown || strings.HasSuffix(s.Path, messages)))
}
