package copilot

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
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
	sums    map[opening]string // SHA-256 of texts that are gone, in hexadecimal digits
	prompts map[string]bool    // the prompts that changed files
	prompt  string             // the latest of them
}

// readSnapshots reads the index, and the texts that it names.
func readSnapshots(beside map[string][]byte) snapshots {
	s := snapshots{texts: map[opening]string{}, sums: map[opening]string{}, prompts: map[string]bool{}}
	var doc jsondoc.Doc
	if n, err := doc.Parse(beside[snapshotIndex]); err != nil || n == 0 {
		return s // there is none, or it is being written
	}
	for snapshot := range doc.Root().Get("snapshots").Elems() {
		prompt := snapshot.Get("eventId").Str()
		s.prompts[prompt] = true
		for _, file := range snapshot.Get("files").Fields() {
			s.keep(opening{prompt, edit.Clean(file.Get("path").Str())}, file.Get("preimage"), beside)
		}
	}
	return s
}

// keep notes what a file held, or how to know it again.
func (s *snapshots) keep(at opening, before jsondoc.Value, beside map[string][]byte) {
	if !before.Get("kind").Is("content") {
		return
	}
	if text, ok := beside[backupFolder+before.Get("backupFile").Str()]; ok {
		s.texts[at] = string(text)
		return
	}
	s.sums[at] = before.Get("contentHash").Str()
}

// begin notes a prompt.
func (s *snapshots) begin(prompt string) {
	if s.prompts[prompt] {
		s.prompt = prompt
	}
}

// opened takes in what a file held before the current prompt changed it for the
// first time, if that agrees with what is known of the edit: a shell command may
// have been the first to change it. Where the text itself is gone, it is one of
// those that were seen, with one or the other end of its lines, or none.
func (p *parser) opened(name string, seen core.Diff, agrees func(text string) bool) {
	at := opening{p.snapshots.prompt, edit.Clean(name)}
	text, ok := p.snapshots.texts[at]
	if !ok {
		known, _ := p.files.Text(name)
		text, ok = p.snapshots.recognize(at, known, wholeBefore(seen.Unified))
	}
	if !ok {
		return
	}
	delete(p.snapshots.texts, at)
	delete(p.snapshots.sums, at)
	if agrees(text) {
		p.files.Set(name, text)
	}
}

// recognize is the one of several texts whose sum was kept, with the ends of lines
// that it had.
func (s *snapshots) recognize(at opening, shown ...string) (string, bool) {
	want := s.sums[at]
	if want == "" {
		return "", false
	}
	for _, text := range shown {
		bare := strings.TrimSuffix(text, "\n")
		for _, text := range []string{text, returned(text), bare, returned(bare), text + "\n", returned(text + "\n")} {
			if sum := sha256.Sum256([]byte(text)); hex.EncodeToString(sum[:]) == want {
				return text, true
			}
		}
	}
	return "", false
}

// wholeBefore is the text before a diff that begins with its first line and has one
// hunk; it may be only the beginning of that text.
func wholeBefore(unified string) string {
	_, hunk, ok := strings.Cut(unified, "@@ -1,")
	if !ok || strings.Contains(hunk, "\n@@ ") {
		return ""
	}
	var text strings.Builder
	for line := range strings.Lines(hunk[strings.IndexByte(hunk, '\n')+1:]) {
		switch line[0] {
		case ' ', '-':
			text.WriteString(line[1:])
		}
	}
	return text.String()
}

// unreturned is a text as the client's diffs show it: without carriage returns.
func unreturned(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
