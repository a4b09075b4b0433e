package cursor

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// isTranscript reports whether a path is one of the transcripts that the editor and
// the agent both leave.
func isTranscript(file string) bool {
	return strings.Contains(file, "/projects/") && strings.Contains(file, "/agent-transcripts/")
}

// idOf is the conversation that a transcript belongs to: for a subagent it is its
// parent's.
func idOf(file string) string {
	if dir := path.Dir(file); path.Base(dir) == "subagents" {
		return path.Base(path.Dir(dir))
	}
	return strings.TrimSuffix(path.Base(file), path.Ext(file))
}

// tellers are the databases that tell what a transcript does, and more of it: the
// agent's of the same id, and the editor's, which has all conversations that were
// held on its machine. Of a transcript in text there may be one in JSON. They are only
// looked for.
func tellers(file string) []string {
	at := strings.LastIndex(file, "/projects/")
	up := strings.Repeat("../", strings.Count(file[at+1:], "/")) // to the agent's folder
	const editor = "Cursor/User/globalStorage/state.vscdb?"
	names := []string{
		up + "chats/*/" + idOf(file) + "/store.db?", up + "acp-sessions/" + idOf(file) + "/store.db?",
		up + "../.config/" + editor, up + "../Library/Application Support/" + editor, up + "../AppData/Roaming/" + editor,
	}
	if path.Ext(file) == ".txt" {
		names = append(names, strings.TrimSuffix(path.Base(file), ".txt")+".jsonl?")
	}
	return names
}

// Companions names what tells of the same conversation as a transcript.
func (Adapter) Companions(file string) (work string, files []string) {
	if !isTranscript(file) {
		return "", nil
	}
	return idOf(file), tellers(file)
}

// isTold reports whether something better than a transcript is there. Then all that
// it says is an echo (see [core.Event]).
func isTold(info core.StreamInfo) bool { return isTranscript(info.Path) && len(info.Sidecars) > 0 }
