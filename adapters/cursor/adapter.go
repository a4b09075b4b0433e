// Package cursor parses the conversations of Cursor's editor and command-line agent,
// and the transcripts that both write.
//
//	state.vscdb, cursorDiskKV   composerData:<id> and bubbleId:<id>:<bubble>   the editor's
//	state.vscdb, ItemTable      …aichat.view.aichat.chatdata                   the editor's before
//	store.db, meta and blobs    a root that lists its messages                 the command line agent's
//	agent-transcripts/<id>      lines of JSON, or text                         a copy without results
//	an exported file            text                                           what was said, and nothing else
//
// There is no description by the vendor; every field may be missing. What is
// known, and how, stands in docs/adapters/cursor.md.
//
// A conversation of the editor, row by row as [Adapter.Layout] gives them:
//
//	composer  {"composerId","fullConversationHeadersOnly":[{"bubbleId"},…]}   session_start
//	content   composer.content.<hash>: a text                                 kept for edits
//	bubble    {"type":1,"text":"Use UTC."}                                    user_turn
//	bubble    {"type":2,"toolFormerData":{"name":"edit_file_v2","rawArgs":…,
//	           "status":"completed","result":{"beforeContentId",…}}}          tool_call, tool_result, file_edit
//	bubble    {"type":2,"text":"Done."}                                       assistant_turn
//
// Rows are read in that order: a text comes before the bubble that names it. A row
// whose JSON is damaged is missing, as a bubble that was taken back is.
package cursor

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Cursor.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Cursor }

// Places are the editor's folders and those of the agent (reported by other
// readers). The transcripts below projects/ say again what the databases say: where
// an agent ran on another machine, they are all there is.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{
			Roots: []core.Root{
				{OS: "darwin", Path: "Library/Application Support/Cursor/User"},
				{OS: "windows", Env: "APPDATA", Path: "Cursor/User"},
				{OS: "windows", Path: "AppData/Roaming/Cursor/User"},
				{OS: "linux", Env: "XDG_CONFIG_HOME", Path: "Cursor/User"},
				{Path: ".config/Cursor/User"},
			},
			Patterns: []string{"globalStorage/state.vscdb", "workspaceStorage/*/state.vscdb"},
		},
		{
			Roots: []core.Root{{Env: "CURSOR_CONFIG_DIR"}, {Path: ".cursor"}},
			Patterns: []string{
				"chats/*/*/store.db", "acp-sessions/*/store.db",
				"projects/*/agent-transcripts/*.jsonl", "projects/*/agent-transcripts/*.txt",
				"projects/*/agent-transcripts/*/*.jsonl", "projects/*/agent-transcripts/*/*.txt",
				"projects/*/agent-transcripts/*/subagents/*.jsonl",
			},
		},
	}
}

// NewParser returns a parser for one conversation.
// A transcript beside a database is an echo: it repeats what that holds.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Echo = isTold(info)
	p.Session = strings.TrimSuffix(path.Base(info.Path), path.Ext(info.Path))
	dir := path.Dir(info.Path)
	switch {
	case path.Base(dir) == "subagents":
		p.Session, p.Thread = path.Base(path.Dir(dir)), p.Session
	case path.Base(info.Path) == "store.db":
		p.Session = path.Base(dir)
	}
	return mcpedits.Edits(p, &p.files)
}

// Framing says that what is text is a document.
func (Adapter) Framing(s core.Sample) core.Framing {
	if isText(s.Head) {
		return core.Document
	}
	return core.Lines
}

// maxLooks is how many lines Detect looks at.
const maxLooks = 16

// Detect knows transcripts: lines with a role and a message, and none of what
// other tools put beside those.
func (Adapter) Detect(s core.Sample) core.Fit {
	best := core.NoFit
	inPlace := strings.Contains(s.Path, "/agent-transcripts/")
	looks := 0
	if isText(s.Head) {
		if inPlace || isExport(strings.TrimLeft(string(s.Head), "\ufeff \t\r\n")) {
			return core.NativeFit
		}
		return core.PathFit
	}
	for _, v := range s.Records() {
		if looks++; looks > maxLooks {
			break
		}
		if v.Exists() {
			best = max(best, fitOf(v, inPlace))
		}
	}
	if best == core.NoFit && inPlace && len(s.Head) == 0 {
		return core.PathFit
	}
	return best
}

// fitOf judges a line of a transcript. Other tools write the same two members with more
// beside them.
func fitOf(v jsondoc.Value, inPlace bool) core.Fit {
	content := v.Path("message", "content").Kind()
	if v.Get("role").Kind() != jsondoc.String || content != jsondoc.Array && (content != jsondoc.String || !inPlace) {
		return core.NoFit
	}
	for _, other := range []string{"type", "uuid", "id", "sessionId", "timestamp"} {
		if v.Get(other).Exists() {
			return core.NoFit
		}
	}
	if inPlace {
		return core.NativeFit
	}
	return core.ShapeFit
}
