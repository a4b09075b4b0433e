package copilot

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// The client keeps what files held before each prompt changed them, so that a
// rewind can put it back (recorded 1.0.102). Only there stand the ends of lines,
// and what a file that was never shown holds.
const (
	snapshotFolder = "rewind-file-snapshots"
	snapshotIndex  = snapshotFolder + "/index.json"
	backupFolder   = snapshotFolder + "/backups/"
)

// Companions names the snapshots of a session. The index is written on with every
// edit.
func (Adapter) Companions(file string) (work string, files []string) {
	dir := path.Dir(file)
	switch {
	case path.Base(file) == "events.jsonl":
		return path.Base(dir), []string{snapshotIndex, backupFolder + "*"}
	case path.Base(dir)+"/"+path.Base(file) == snapshotIndex:
		return path.Base(path.Dir(dir)), nil
	}
	return "", nil
}

// isIndex reports whether a document is the index of a session's snapshots.
func isIndex(v jsondoc.Value) bool {
	return v.Get("schema").Exists() && v.Get("snapshots").Kind() == jsondoc.Array
}

// opening is a file before a prompt.
type opening struct{ prompt, file string }

// snapshots are the texts of files before the prompts that changed them.
type snapshots struct {
	texts   map[opening]string
	prompts map[string]bool // the prompts that changed files
	prompt  string          // the latest of them
}

// readSnapshots reads the index, and the texts that it names.
func readSnapshots(beside map[string][]byte) snapshots {
	s := snapshots{texts: map[opening]string{}, prompts: map[string]bool{}}
	var doc jsondoc.Doc
	if n, err := doc.Parse(beside[snapshotIndex]); err != nil || n == 0 {
		return s // there is none, or it is being written
	}
	for snapshot := range doc.Root().Get("snapshots").Elems() {
		prompt := snapshot.Get("eventId").Str()
		s.prompts[prompt] = true
		for _, file := range snapshot.Get("files").Fields() {
			before := file.Get("preimage")
			text, ok := beside[backupFolder+before.Get("backupFile").Str()]
			if ok && before.Get("kind").Is("content") {
				s.texts[opening{prompt, edit.Clean(file.Get("path").Str())}] = string(text)
			}
		}
	}
	return s
}

// begin notes a prompt.
func (s *snapshots) begin(prompt string) {
	if s.prompts[prompt] {
		s.prompt = prompt
	}
}

// opened takes in what a file held before the current prompt changed it for the
// first time, if that agrees with what is known of the edit: a shell command may
// have been the first to change it.
func (p *parser) opened(name string, agrees func(text string) bool) {
	at := opening{p.snapshots.prompt, edit.Clean(name)}
	text, ok := p.snapshots.texts[at]
	if !ok {
		return
	}
	delete(p.snapshots.texts, at)
	if agrees(text) {
		p.files.Set(name, text)
	}
}

// unreturned is a text as the client's diffs show it: without carriage returns.
func unreturned(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
