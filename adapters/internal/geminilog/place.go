package geminilog

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// place is what the path of a transcript says.
type place struct {
	stem   string // of the file's name, without "session-" and the time
	parent string // session of a subagent: chats/<parent>/<own id>.jsonl, 0.37 on
}

// placeOf reads a file's place out of its path: the name is the session's, without the time in it.
func placeOf(file string) place {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	if rest, ok := strings.CutPrefix(stem, "session-"); ok {
		// session-2026-11-21T01-54-55b0e10b: the time is 16 long.
		if len(rest) > 17 && rest[16] == '-' {
			rest = rest[17:]
		}
		return place{stem: rest}
	}
	p := place{stem: stem}
	dir := path.Dir(file)
	if path.Base(path.Dir(dir)) == "chats" {
		p.parent = path.Base(dir)
	}
	return p
}

// settle finds out the session, and its line, that a transcript is. A subagent of 0.31 to 0.36 has
// the session id of its parent and lies beside it (source): its line is named after its prompt,
// which is all that the call that started it knows of it.
func (p *Parser) settle(e *entry) {
	own := cmp.Or(e.session.Str(), p.place.stem)
	switch {
	case p.place.parent != "":
		p.Session, p.Thread = p.place.parent, own
	case e.who.Is("subagent") && e.messages.Exists():
		p.Session, p.Thread, p.shared = own, promptThread(firstPrompt(e.messages)), true
	case e.who.Is("subagent"):
		p.Session, p.Thread = own, own
	default:
		p.Session = own
	}
}

// firstPrompt is the text of the first message of the user's role.
func firstPrompt(messages jsondoc.Value) string {
	for m := range messages.Elems() {
		if m.Get("type").Is("user") {
			return textOf(m.Get("content"))
		}
	}
	return ""
}

// asked reads what a subagent was asked. Those of 0.31 to 0.36 that began in one
// minute have one document (source): with each prompt the next one begins.
func (p *Parser) asked(content jsondoc.Value) {
	for part := range google.Parts(content) {
		if p.shared && part.Kind == google.Text && google.Judge(part.Text.Body()) != google.Client {
			p.Thread = promptThread(textOf(content))
		}
		return
	}
}

// promptThread names a subagent after its prompt: after that part of it which the
// call that started it has, too.
func promptThread(prompt string) string {
	return "subagent-" + core.ContentID([]byte(strings.TrimSpace(google.Asked(prompt))))[:16]
}

// start opens the stream: with the first header, or else with whatever comes first.
func (p *Parser) start(e *entry) {
	if p.started {
		return
	}
	p.started = true
	p.settle(e)
	p.works(firstDir(e.dirs))
	body := core.SessionStart{}
	if p.Project != nil {
		body.Cwd = p.Project.Cwd
	}
	p.ID = p.Session
	if p.Thread != "" {
		p.ID = p.Thread
	}
	p.origin = p.ID
	p.send(&body, false)
	p.first, p.window = p.Last, p.Last+1
}

// works notes where the work happens. It is said once, if at all: the log itself
// has only a hash of it.
func (p *Parser) works(dir string) {
	if dir != "" && (p.Project == nil || p.folder.lower && strings.EqualFold(dir, p.Project.Cwd)) {
		p.Project = &core.Project{Cwd: dir}
		p.folder.lower = false
	}
}

// firstDir is the first of some folders; "" if there is none.
func firstDir(dirs jsondoc.Value) string {
	for d := range dirs.Elems() {
		return d.Str()
	}
	return ""
}

// Where the work happens, the client says in a file of the project's folder, and
// in a list of all projects that names that folder (recorded 0.61.0).
const (
	rootFile  = ".project_root"
	rootsFile = "projects.json"
)

// Sidecars names the files that say where the work of a conversation happens:
// <home>/tmp/<folder>/.project_root and <home>/projects.json.
func Sidecars(file string) []string {
	up := ".."
	if dir := path.Dir(path.Dir(file)); path.Base(dir) == "chats" {
		up = "../.." // a subagent's
	}
	return []string{up + "/" + rootFile, up + "/../../" + rootsFile}
}

// beside takes in what the files beside the transcript say of where the work happens.
func (p *Parser) beside(info core.StreamInfo) {
	names := Sidecars(info.Path)
	p.works(strings.TrimSpace(string(info.Sidecars[names[0]])))
	folder := path.Base(path.Join(path.Dir(info.Path), path.Dir(names[0])))
	var doc jsondoc.Doc
	if _, err := doc.Parse(info.Sidecars[names[1]]); err != nil {
		return
	}
	for root, name := range doc.Root().Get("projects").Fields() {
		if name.Is(folder) {
			p.works(root.Str())
		}
		if len(p.folder.roots) < maxFolders {
			p.folder.roots = append(p.folder.roots, root.Str())
		}
	}
}

// hashed holds what the files beside the transcript said against the hash that it
// has. The folder of a project that 0.29 found in use is named after the hash, and
// the list knows it under its newer name only. On Windows both files have the path
// in lower case (source): whatever says how it is really written then counts more.
// Only the first hash counts: the folder of a session does not change.
func (p *Parser) hashed(hash string) {
	f := &p.folder
	if f.hash != "" || hash == "" {
		return
	}
	f.hash = hash
	for _, root := range f.roots {
		if f.is(root) {
			p.works(root)
			return
		}
	}
	f.lower = p.Project != nil && !f.is(p.Project.Cwd) && p.Project.Cwd == strings.ToLower(p.Project.Cwd) && strings.Contains(p.Project.Cwd, `\`)
}

// maxFolders is how many folders are held against the hash in one conversation.
const maxFolders = 256

// folder finds the folder of the project by its hash, which is all that most
// transcripts say of it: a path that a call names leads through it. For /w/app/src/a.js
// it hashes /w/app/src/a.js, /w/app/src, /w/app, /w, until one fits, and remembers
// which do not; at most maxFolders are tried for one conversation.
type folder struct {
	hash  string   // SHA-256 in hexadecimal digits
	roots []string // of all projects that the client knows
	lower bool     // what is known is in lower case, and not really written so
	tried map[string]struct{}
}

// of returns the folder above a path that has the hash.
func (f *folder) of(file string) (string, bool) {
	if len(f.hash) != 2*sha256.Size || !stream.IsAbs(file) {
		return "", false
	}
	for dir := file; ; {
		if _, again := f.tried[dir]; again || len(f.tried) >= maxFolders {
			return "", false
		}
		if f.is(dir) {
			return dir, true
		}
		if f.tried == nil {
			f.tried = map[string]struct{}{}
		}
		f.tried[dir] = struct{}{}
		i := strings.LastIndexAny(dir, `/\`)
		if i <= 0 {
			return "", false
		}
		dir = dir[:i]
	}
}

// is reports whether a folder has the hash.
func (f *folder) is(dir string) bool {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:]) == f.hash
}

// locate looks for the folder of the project in what a call names.
func (p *Parser) locate(args jsondoc.Value) {
	if p.Project != nil && !p.folder.lower || p.folder.hash == "" {
		return
	}
	for name, v := range args.Fields() {
		switch string(name.Body()) {
		case "file_path", "absolute_path", "path", "dir_path", "directory", "notebook_path":
			if dir, ok := p.folder.of(v.Str()); ok {
				p.works(dir)
				return
			}
		}
	}
}

// locateAll looks through the calls of all messages of a document.
func (p *Parser) locateAll(messages jsondoc.Value) {
	for m := range messages.Elems() {
		for c := range m.Get("toolCalls").Elems() {
			if p.locate(c.Get("args")); p.Project != nil && !p.folder.lower {
				return
			}
		}
	}
}
