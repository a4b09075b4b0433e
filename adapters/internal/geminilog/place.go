package geminilog

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// place is what the path of a transcript says.
type place struct {
	stem   string // of the file's name, without "session-" and the time
	parent string // session of a subagent: chats/<parent>/<own id>.jsonl, 0.37 on
}

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

// settle finds out the session, and its line, that a transcript is. A subagent of
// 0.31 to 0.36 has the session id of its parent and lies beside it (source): its
// line is named after its prompt, which is all that the call that started it
// knows of it.
func (p *Parser) settle(e *entry) {
	own := e.session.Str()
	if own == "" {
		own = p.place.stem
	}
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

// start opens the stream: with the first header, or else with whatever comes
// first.
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

func firstDir(dirs jsondoc.Value) string {
	for d := range dirs.Elems() {
		return d.Str()
	}
	return ""
}
