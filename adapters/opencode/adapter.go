package opencode

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows OpenCode or, if Name is set, a tool that is built on it and
// keeps its sessions in a folder and a database of that name.
type Adapter struct{ Name core.Tool }

// Tool names the tool.
func (a Adapter) Tool() core.Tool {
	if a.Name == "" {
		return core.OpenCode
	}
	return a.Name
}

// name names the tool's folder and database.
func (a Adapter) name() string {
	if a.Name == "" {
		return "opencode"
	}
	return string(a.Name)
}

// Places is the tool's data folder, the same on every system (recorded on Linux,
// read in source for the others), and the database that a variable names, by its
// path or by one below that folder (read in source).
func (a Adapter) Places() []core.Place {
	below := a.name()
	database := core.Root{Env: strings.ToUpper(below) + "_DB", IsFile: true}
	return []core.Place{{
		Roots: []core.Root{{Env: "XDG_DATA_HOME", Path: below}, {Path: ".local/share/" + below}},
		Patterns: []string{
			below + "*.db",                          // since 1.2; a channel's name may follow
			"storage/session/*/*.json",              // before 1.2; recorded 1.0.185
			"project/*/storage/session/info/*.json", // recorded 0.5.29
		},
	}, {Roots: []core.Root{database}}}
}

// NewParser returns a parser for one session.
func (a Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{kinds: stream.NewTable(kinds()), oneEach: path.Base(path.Dir(info.Path)) == "info"}
	p.Session = stream.Stem(info.Path)
	return mcpedits.Edits(p, &p.files)
}

// Framing says that files are documents.
func (Adapter) Framing(core.Sample) core.Framing { return core.Document }

// Detect judges whether a file is the first one of a session that lies in files.
func (a Adapter) Detect(s core.Sample) core.Fit {
	if a.Name == "" && isExport(s.Head) {
		return core.NativeFit
	}
	if _, ok := a.Tree(s.Path); !ok || !a.isOwn(s.Path) {
		return core.NoFit
	}
	var doc jsondoc.Doc
	head := bytes.Trim(s.Head, " \t\r\n\x00\ufeff")
	if n, err := doc.Parse(head); err != nil || n == 0 {
		return core.PathFit
	}
	v := doc.Root()
	if strings.HasPrefix(v.Get("id").Str(), "ses_") && v.Get("version").Kind() == jsondoc.String && v.Path("time", "created").Exists() {
		return core.NativeFit
	}
	return core.NoFit
}

// isExport reports whether a document begins as an exported session does.
func isExport(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n\x00\ufeff")
	rest, ok := bytes.CutPrefix(head, []byte("{"))
	rest, isInfo := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"info"`))
	begin := rest[:min(len(rest), 2<<10)]
	return ok && isInfo && bytes.Contains(begin, []byte(`"ses_`)) && bytes.Contains(begin, []byte(`"projectID"`))
}

// isOwn reports whether a path is not that of a tool which is built on OpenCode,
// or is that of this one.
func (a Adapter) isOwn(name string) bool {
	inKilo := strings.Contains(name, "/"+string(core.Kilo)+"/") || strings.HasPrefix(path.Base(name), string(core.Kilo))
	return inKilo == (a.Name == core.Kilo)
}

// Tree says where the messages and parts lie of a session whose file is at name.
func (Adapter) Tree(name string) (core.Tree, bool) {
	id, isJSON := strings.CutSuffix(path.Base(name), ".json")
	dir := path.Dir(name)
	if !isJSON || !strings.HasPrefix(id, "ses_") {
		return core.Tree{}, false
	}
	t := core.Tree{Table: tableSession}
	var messages, parts string
	var strays *core.OrphanDirs
	switch {
	case strings.HasSuffix(dir, "/storage/session/info"):
		storage := path.Dir(dir)
		messages, parts = path.Join(storage, "message", id), path.Join(storage, "part", id)
		strays = &core.OrphanDirs{Dir: parts}
	case path.Base(path.Dir(dir)) == "session" && path.Base(path.Dir(path.Dir(dir))) == "storage":
		storage := path.Dir(path.Dir(dir))
		messages, parts = path.Join(storage, "message", id), path.Join(storage, "part")
		strays = &core.OrphanDirs{Dir: parts, Owner: sessionOf, Of: id}
	default:
		return core.Tree{}, false
	}
	t.Branches = []core.Branch{
		{Table: tableMessage, Dir: messages, Below: func(key string) []core.Branch {
			return []core.Branch{{Table: tablePart, Dir: path.Join(parts, key)}}
		}, Mark: copyMark, OrphanDirs: strays},
		{Table: tableRevert, Dir: dir, File: path.Base(name)},
	}
	return t, true
}

// sessionOf reads out of a part to which session it belongs.
func sessionOf(document []byte) string {
	var doc jsondoc.Doc
	if n, err := doc.Parse(document); err != nil || n == 0 {
		return ""
	}
	return doc.Root().Get("sessionID").Str()
}
