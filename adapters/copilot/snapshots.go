package copilot

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
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

// Companions names the snapshots of a session, and its workspace file. The index is
// written on with every edit.
func (Adapter) Companions(file string) (work string, files []string) {
	dir := path.Dir(file)
	switch {
	case path.Base(file) == "events.jsonl":
		return path.Base(dir), []string{workspaceFile, snapshotIndex, backupFolder + "*"}
	case path.Base(file) == workspaceFile:
		return path.Base(dir), nil
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

// preimage is what the index says of a file before a prompt: the name of its text,
// and the SHA-256 of that, in hexadecimal digits. The zero one is nothing.
type preimage struct{ backup, sum string }

// snapshots are the texts of files before the prompts that changed them.
type snapshots struct {
	index   map[opening]preimage
	prompts map[string]bool // those that changed files
	prompt  string          // the latest of them
	there   map[string]bool // the texts that are kept, by name
	texts   map[string]string
	users   map[string]int   // how many of the index may still use a text
	taken   map[opening]bool // of what has been used
	begun   []string         // prompts
	asked   []asked
	crowded bool // there is more than is remembered
}

// asked is what was looked for, and what was found.
type asked struct {
	turn  int // how many prompts had begun
	file  string
	found preimage
	there bool
	taken bool
}

// maxAsked bounds what is remembered of what was looked for, and of the prompts.
const maxAsked = 1 << 16

// readSnapshots reads the index, and the texts that it names.
func readSnapshots(beside map[string][]byte) snapshots {
	s := snapshots{there: map[string]bool{}, texts: map[string]string{}, taken: map[opening]bool{}}
	s.read(beside[snapshotIndex])
	s.keep(beside)
	return s
}

// read reads the index. There may be none, or it is being written.
func (s *snapshots) read(index []byte) {
	s.index, s.prompts = map[opening]preimage{}, map[string]bool{}
	var doc jsondoc.Doc
	if n, err := doc.Parse(index); err != nil || n == 0 {
		return
	}
	for snapshot := range doc.Root().Get("snapshots").Elems() {
		prompt := snapshot.Get("eventId").Str()
		s.prompts[prompt] = true
		for _, file := range snapshot.Get("files").Fields() {
			if before := file.Get("preimage"); before.Get("kind").Is("content") {
				at := opening{prompt, edit.Clean(file.Get("path").Str())}
				s.index[at] = preimage{before.Get("backupFile").Str(), before.Get("contentHash").Str()}
			}
		}
	}
}

// keep takes in the texts among some files. It reports false if one is needed that
// was there before, and has not been kept.
func (s *snapshots) keep(files map[string][]byte) bool {
	s.users = map[string]int{}
	for at, p := range s.index { // order does not matter: it is a sum
		if !s.taken[at] {
			s.users[p.backup]++
		}
	}
	for file, text := range files { // order does not matter: each has its own name
		if name, ok := strings.CutPrefix(file, backupFolder); ok {
			s.there[name] = true
			if s.users[name] > 0 {
				s.texts[name] = string(text)
			}
		}
	}
	for name := range s.users { // order does not matter: one is enough
		if _, ok := s.texts[name]; s.there[name] && !ok {
			return false
		}
	}
	return true
}

// begin notes a prompt.
func (s *snapshots) begin(prompt string) {
	if s.prompts[prompt] {
		s.prompt = prompt
	}
	if len(s.begun) == maxAsked {
		s.crowded = true
		return
	}
	s.begun = append(s.begun, prompt)
}

// ask looks for what a file was before the latest prompt that changed files.
func (s *snapshots) ask(at opening) *asked {
	found := s.found(at)
	if len(s.asked) == maxAsked {
		s.crowded = true
		return &asked{found: found, there: s.there[found.backup]}
	}
	s.asked = append(s.asked, asked{turn: len(s.begun), file: at.file, found: found, there: s.there[found.backup]})
	return &s.asked[len(s.asked)-1]
}

// found is what the index says of a file, unless it has been used.
func (s *snapshots) found(at opening) preimage {
	if s.taken[at] {
		return preimage{}
	}
	return s.index[at]
}

// take notes that a text has been used.
func (s *snapshots) take(at opening, a *asked) {
	a.taken, s.taken[at] = true, true
	if s.users[a.found.backup]--; s.users[a.found.backup] <= 0 {
		delete(s.texts, a.found.backup)
		delete(s.users, a.found.backup)
	}
}

// renew takes in how the snapshots have changed, and reports whether all that was
// looked for would have been found as it was.
func (s *snapshots) renew(changed map[string][]byte, gone []string) bool {
	if s.crowded {
		return false
	}
	if index, ok := changed[snapshotIndex]; ok || slices.Contains(gone, snapshotIndex) {
		s.read(index)
	}
	for file := range changed { // order does not matter: one is enough
		if name, ok := strings.CutPrefix(file, backupFolder); ok && s.there[name] {
			return false // a text has changed under its name
		}
	}
	for _, file := range gone {
		if name, ok := strings.CutPrefix(file, backupFolder); ok {
			delete(s.there, name)
			delete(s.texts, name)
		}
	}
	return s.stand() && s.keep(changed)
}

// stand reports whether all that was looked for would be found as it was, and
// brings up to date what has been used.
func (s *snapshots) stand() bool {
	s.taken, s.prompt = map[opening]bool{}, ""
	turn := 0
	begin := func(until int) {
		for ; turn < until; turn++ {
			if s.prompts[s.begun[turn]] {
				s.prompt = s.begun[turn]
			}
		}
	}
	for _, a := range s.asked {
		begin(a.turn)
		at := opening{s.prompt, a.file}
		found := s.found(at)
		if found != a.found || s.there[found.backup] != a.there {
			return false
		}
		if a.taken {
			s.taken[at] = true
		}
	}
	begin(len(s.begun))
	return true
}

// opened takes in what a file held before the current prompt changed it for the
// first time, if that agrees with what is known of the edit: a shell command may
// have been the first to change it. Where the text itself is gone, it is one of
// those that were seen, with one or the other end of its lines, or none.
func (p *parser) opened(name string, seen core.Diff, agrees func(text string) bool) {
	at := opening{p.snapshots.prompt, edit.Clean(name)}
	a := p.snapshots.ask(at)
	text, ok := p.snapshots.texts[a.found.backup]
	if !a.there {
		known, _ := p.files.Text(name)
		text, ok = recognize(a.found.sum, known, wholeBefore(seen.Unified))
	}
	if !ok {
		return
	}
	p.snapshots.take(at, a)
	if agrees(text) {
		p.files.Set(name, text)
	}
}

// Renew implements [core.Refresher].
func (p *parser) Renew(changed map[string][]byte, gone []string) bool {
	if text, ok := changed[workspaceFile]; (ok || slices.Contains(gone, workspaceFile)) && !p.moved(text) {
		return false
	}
	return p.snapshots.renew(changed, gone)
}

// recognize is the one of several texts whose sum was kept, with the ends of lines that it had.
func recognize(want string, shown ...string) (string, bool) {
	if want == "" {
		return "", false
	}
	for _, text := range shown {
		bare := strings.TrimSuffix(text, "\n")
		for _, text := range []string{text, edit.CRLF(text), bare, edit.CRLF(bare), text + "\n", edit.CRLF(text + "\n")} {
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
