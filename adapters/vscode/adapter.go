// Package vscode parses the chat sessions of Visual Studio Code and its forks, as
// written by GitHub Copilot Chat.
//
// A session is a list of requests, each with what was asked and the parts of the
// response. It is kept as one document, rewritten at every change, or as a log
// of changes to such a document, a line each:
//
//	{"kind":0,"v":session}             the whole
//	{"kind":1,"k":path,"v":value}      set; without v, remove
//	{"kind":2,"k":path,"v":list,"i":n} cut the list at path to n, then append
//	{"kind":3,"k":path}                remove
//
// While a response streams in, a log holds every state that its text went through.
// So a request is passed on when it is settled: when it has its result, or when
// another one follows.
//
// docs/adapters/vscode.md says what is known of the format, and how.
//
// A log of one request, and when what is passed on:
//
//	{"kind":0,"v":{"sessionId":…,"requests":[]}}               session_start
//	{"kind":2,"k":["requests"],"v":[{"requestId":"r1",
//	  "message":{"text":"Use UTC."},"response":[]}]}           user_turn
//	{"kind":2,"k":["requests",0,"response"],"v":["Do"]}        nothing yet
//	{"kind":2,"k":["requests",0,"response"],"v":["ne."],"i":0} nothing yet
//	{"kind":1,"k":["requests",0,"result"],"v":{…}}             is it settled?
//	{"kind":2,"k":["requests"],"v":[{"requestId":"r2",…}]}     now r1 is, at the latest
//
// A request moves through these states; only the last one of a session may still
// change:
//
//	waiting ──▶ open ──▶ ended ──▶ settled
//	(no agent   asked    result,    all passed on; parts that come
//	 yet)       is told  response   late are passed on as they come
//	                     lags
//
// A person who goes back to a checkpoint takes requests off the end: that is a rewind,
// as soon as the open request is settled. Only the open request is in memory as it
// stands.
package vscode

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Visual Studio Code, its Insiders, and what is built of the same
// source.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.VSCode }

// Places are the data folders of each build, on each system, and those of the
// server that runs on a remote machine.
func (Adapter) Places() []core.Place {
	var places []core.Place
	for _, build := range builds() {
		places = append(places, core.Place{Roots: folders(build), Patterns: patterns()})
	}
	places = append(places, core.Place{Roots: folders("Cursor"), Patterns: chats()}) // beside what Cursor itself keeps there
	for _, server := range []string{".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".vscode-remote", ".positron-server"} {
		places = append(places, core.Place{Roots: []core.Root{{Path: server + "/data/User"}}, Patterns: patterns()})
	}
	places = append(places, core.Place{Roots: []core.Root{
		{Env: "XDG_DATA_HOME", Path: "code-server/User"}, {Path: ".local/share/code-server/User"},
	}, Patterns: patterns()})
	return append(places, core.Place{Roots: []core.Root{{Env: "VSCODE_PORTABLE", Path: "user-data/User"}}, Patterns: patterns()})
}

// folders are the data folders of a build.
func folders(build string) []core.Root {
	user := build + "/User"
	return []core.Root{
		{OS: "darwin", Path: "Library/Application Support/" + user},
		{OS: "windows", Env: "APPDATA", Path: user},
		{OS: "windows", Path: "AppData/Roaming/" + user},
		{Env: "XDG_CONFIG_HOME", Path: user},
		{Path: ".config/" + user},
	}
}

// builds are the names of the data folders of each build.
func builds() []string {
	return []string{"Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Code - OSS", "Positron"}
}

// patterns are where the files lie, below the folder of the editor.
func patterns() []string {
	return append(chats(),
		"workspaceStorage/*/state.vscdb", // until early 2024
		"workspaceStorage/*/"+extensionFolder+"/"+transcriptsFolder+"/*.jsonl",
	)
}

// chats are the files of sessions.
func chats() []string {
	return []string{
		"workspaceStorage/*/chatSessions/*.json", "workspaceStorage/*/chatSessions/*.jsonl",
		"globalStorage/emptyWindowChatSessions/*.json", "globalStorage/emptyWindowChatSessions/*.jsonl",
		"globalStorage/transferredChatSessions/*.json", "globalStorage/transferredChatSessions/*.jsonl",
		"workspaceStorage/*/chatEditingSessions/*/state.json",
	}
}

// Sidecars names the file that says which folder a workspace is.
func (Adapter) Sidecars(file string) []string {
	switch {
	case path.Base(path.Dir(file)) == "chatSessions":
		return []string{"../" + workspaceFile}
	case path.Base(file) == databaseFile:
		return []string{workspaceFile}
	case isTranscript(file):
		return []string{"../../" + workspaceFile}
	}
	return nil
}

const (
	workspaceFile = "workspace.json"
	databaseFile  = "state.vscdb"
)

// Companions names the editing session that belongs to a chat session: it holds
// the texts of the files that were edited. That of a window without a folder lies
// in a workspace of its own. To a transcript of the extension's belongs the chat
// session.
func (Adapter) Companions(file string) (work string, files []string) {
	dir := path.Dir(file)
	session, _, _ := strings.Cut(path.Base(file), ".")
	store := ""
	switch {
	case path.Base(dir) == "chatSessions":
		store = "../chatEditingSessions/"
	case path.Base(dir) == "emptyWindowChatSessions", path.Base(dir) == "transferredChatSessions":
		store = "../../workspaceStorage/*/chatEditingSessions/"
	case path.Base(path.Dir(dir)) == "chatEditingSessions" && path.Base(file) == stateFile:
		return path.Base(dir), nil
	case isTranscript(file):
		return session, tellers(file)
	default:
		return "", nil
	}
	return session, []string{store + session + "/" + stateFile, store + session + "/" + contentsFolder + "*"}
}

const (
	stateFile      = "state.json"
	contentsFolder = "contents/"
)

// Framing says that what does not begin with a change is a document.
func (Adapter) Framing(s core.Sample) core.Framing {
	line := firstLine(s.Head)
	var doc jsondoc.Doc
	if _, err := doc.Parse(line); err == nil {
		if isChange(doc.Root()) || isEntry(doc.Root()) {
			return core.Lines
		}
		return core.Document
	}
	if bytes.HasPrefix(line, []byte(`{"kind":`)) && !bytes.Contains(line[:min(len(line), 40)], []byte(`:"`)) {
		return core.Lines // the beginning of a long one
	}
	if strings.HasSuffix(s.Path, ".jsonl") {
		return core.Lines
	}
	return core.Document
}

// isChange reports whether a record is a line of a log of changes.
func isChange(v jsondoc.Value) bool {
	kind := v.Get("kind")
	n, ok := kind.Int()
	return ok && kind.Kind() == jsondoc.Number && n >= 0 && n <= 3 && (v.Get("k").Kind() == jsondoc.Array || n == 0 && v.Get("v").Kind() == jsondoc.Object)
}

// Detect judges by the content: a session names its responder or has requests
// with ids of this client's.
func (Adapter) Detect(s core.Sample) core.Fit {
	head := stream.OpeningOf(s)
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return pathFit(s, head)
	}
	switch root := stream.FirstLine(s); {
	case isChange(root):
		return changeFit(root)
	case isEntry(root):
		return entryFit(root, s.Path)
	}
	return max(documentFit(head), pathFit(s, head))
}

// changeFit judges the first line of a log.
func changeFit(v jsondoc.Value) core.Fit {
	if session := v.Get("v"); session.Get("requests").Exists() || session.Get("inputState").Exists() {
		return core.NativeFit
	}
	for key := range v.Get("k").Elems() {
		switch key.Str() {
		case "requests", "inputState", "customTitle", "responderUsername":
			return core.NativeFit
		}
		break
	}
	return core.ShapeFit
}

// documentFit judges a document that may be only a beginning.
func documentFit(head stream.Opening) core.Fit {
	isLog := head.Is(`{"kind":0,"v":`, "requests") // the beginning of one
	isSession := head.Has("requests", "responderUsername") ||
		head.Has("requests", "requestId") && (head.Has("response") || head.Has("message") || head.Has("sessionId"))
	isEditing := head.Has("initialFileContents", "recentSnapshot") || head.Has("timeline", "fileBaselines") || head.Has("linearHistory", "initialFileContents")
	return stream.Fit(isLog || isSession || isEditing, false)
}

// pathFit judges by where a file lies.
func pathFit(s core.Sample, head []byte) core.Fit {
	dir, ext := path.Base(path.Dir(s.Path)), path.Ext(s.Path)
	return stream.Fit(false, len(head) == 0 && (ext == ".json" || ext == ".jsonl") && (dir == "chatSessions" || dir == "emptyWindowChatSessions"))
}

// tableSession is what a session is called that lies in a database.
const tableSession = "session"

// sessions are the sessions in a workspace's database, as they were kept until
// early 2024: all of them in one list.
const sessions = `SELECT t.value AS doc, json_extract(t.value, '$.sessionId') AS id FROM ItemTable i,
	json_each(CASE WHEN json_valid(CAST(i.value AS TEXT)) THEN CAST(i.value AS TEXT) END) t
	WHERE i.key = 'interactive.sessions' AND t.type = 'object'`

// Layout knows the database of a workspace, which every editor of this source has:
// whose it is, its path says. Only the sessions are looked at.
func (Adapter) Layout(file string, s core.Schema) (core.Layout, core.Fit) {
	if !s.Has("ItemTable", "key", "value") || s.Has("cursorDiskKV", "key") || path.Base(file) != databaseFile {
		return core.Layout{}, core.NoFit
	}
	l := core.Layout{
		Unreadable:    stream.NotJSON("ItemTable", "key = 'interactive.sessions'"),
		Conversations: `SELECT DISTINCT id FROM (` + sessions + `) WHERE id IS NOT NULL`,
		Rows: []core.Rows{{
			Table: tableSession, Query: `SELECT id, doc AS "data:json" FROM (` + sessions + `) WHERE id = ?1 LIMIT 1`,
		}},
	}
	for _, build := range append(builds(), "user-data") {
		if strings.Contains(file, "/"+build+"/User/") {
			return l, core.NativeFit
		}
	}
	return l, core.PathFit
}
