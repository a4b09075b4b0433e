package copilot

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// workspaceFile says of a session where it works, and how it is called (recorded
// 1.0.102). The log says where, too, unless its head is gone or is poor.
const workspaceFile = "workspace.yaml"

// workspace is what the file says that events can say.
type workspace struct {
	id      string
	project core.Project
	created core.Time
}

// isWorkspace reports whether a file is a session's workspace.yaml: the name is
// other programs' as well.
func isWorkspace(file string, head []byte) bool {
	if path.Base(file) != workspaceFile {
		return false
	}
	w := readWorkspace(head)
	return stream.IsUUID(w.id) && (w.project.Cwd != "" || !w.created.IsZero())
}

// readWorkspace reads the lines of the file that tell where a session works. It is
// YAML, as the client writes it: a list of keys with a scalar each.
func readWorkspace(text []byte) workspace {
	var w workspace
	lines := slices.Collect(bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))))
	for i, line := range lines {
		key, value, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		if !ok || i+1 < len(lines) && goesOn(lines[i+1]) {
			continue
		}
		value = scalar(value)
		switch key {
		case "id":
			w.id = value
		case "cwd":
			w.project.Cwd = value
		case "git_root":
			w.project.RepoRoot = value
		case "branch":
			w.project.Git.Branch = value
		case "created_at":
			w.created = core.ParseTime(value)
		}
	}
	return w
}

// goesOn reports whether a line belongs to the value of the one before.
func goesOn(line []byte) bool {
	return len(bytes.TrimSpace(line)) > 0 && (line[0] == ' ' || line[0] == '\t')
}

// scalar is the text of a scalar that stands behind its key: plain, or in quotes.
// What begins as something else is left out.
func scalar(value string) string {
	value = strings.TrimSpace(value)
	switch {
	case value == "", value == "~", value == "null", strings.ContainsRune("|>&*!%@`{}[],#", rune(value[0])):
		return ""
	case value[0] == '\'':
		if len(value) < 2 || !strings.HasSuffix(value, "'") {
			return ""
		}
		return strings.ReplaceAll(value[1:len(value)-1], "''", "'")
	case value[0] == '"':
		var doc jsondoc.Doc
		if n, err := doc.Parse([]byte(value)); err != nil || n != len(value) {
			return ""
		}
		return doc.Root().Str()
	}
	plain, _, _ := strings.Cut(value, " #")
	return strings.TrimRight(plain, " \t")
}

// ReadsText implements [core.TextParser].
func (p *parser) ReadsText(record []byte) bool { return isWorkspace(p.file, record) }

// workspaceText keeps the file itself: the title of the session and the name of its
// client are only there, and events have no place for them.
func (p *parser) workspaceText(rec core.Record) {
	w := readWorkspace(rec.Bytes)
	p.Session, p.ID, p.Time = w.id, w.id+":"+workspaceFile, w.created
	p.Project = w.known()
	p.Note = core.Unknown{RawType: "workspace", Raw: core.RawBytes(rec.Bytes), Bookkeeping: true}
	p.send(&p.Note, false)
}

// known is where the session works, or nil.
func (w *workspace) known() *core.Project {
	if w.project == (core.Project{}) {
		return nil
	}
	project := w.project
	return &project
}

// elsewhere asks the workspace file where the session works, if its log has not said
// so.
func (p *parser) elsewhere() {
	if p.Project != nil {
		return
	}
	p.consulted = true
	p.Project = p.workspace.known()
}

// completed is a place that the log knows no more about than the folder, with what
// the workspace file says of the same folder.
func (p *parser) completed(now core.Project) core.Project {
	if now.RepoRoot != "" || now.Git != (core.Git{}) {
		return now
	}
	p.consulted = true
	if p.workspace.project.Cwd == now.Cwd {
		return p.workspace.project
	}
	return now
}

// moved takes in another state of the workspace file, and reports whether all that
// was said so far stands.
func (p *parser) moved(text []byte) bool {
	now := readWorkspace(text)
	stands := !p.consulted || now.id == p.workspace.id && now.project == p.workspace.project
	p.workspace = now
	return stands
}
