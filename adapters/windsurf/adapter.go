package windsurf

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Windsurf.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Windsurf }

// Places are the transcripts for hooks, the encrypted store, and the database in
// which the editor keeps the conversation that is open.
func (Adapter) Places() []core.Place {
	places := []core.Place{
		{Roots: []core.Root{{Path: ".windsurf"}}, Patterns: []string{"transcripts/*.jsonl"}},
		{Roots: []core.Root{{Path: ".codeium/windsurf"}}, Patterns: stores()},
		{Roots: []core.Root{{Path: ".codeium/windsurf-next"}}, Patterns: stores()},
	}
	for _, build := range []string{"Windsurf", "Windsurf - Next"} {
		user := build + "/User"
		places = append(places, core.Place{
			Roots: []core.Root{
				{OS: "darwin", Path: "Library/Application Support/" + user},
				{OS: "windows", Env: "APPDATA", Path: user},
				{OS: "windows", Path: "AppData/Roaming/" + user},
				{OS: "linux", Env: "XDG_CONFIG_HOME", Path: user},
				{Path: ".config/" + user},
			},
			Patterns: []string{"globalStorage/state.vscdb"},
		})
	}
	return places
}

func stores() []string { return []string{"cascade/*.pb", "cascade/implicit/*.pb"} }

// isStored reports whether a file lies in the encrypted store.
func isStored(file string) bool {
	dir := path.Dir(file)
	return path.Ext(file) == ".pb" && (path.Base(dir) == "cascade" || path.Base(path.Dir(dir)) == "cascade")
}

// Framing says that a file of the store is one piece.
func (Adapter) Framing(s core.Sample) core.Framing {
	if isStored(s.Path) || isExport(s.Head) {
		return core.Document
	}
	return core.Lines
}

// NewParser returns a parser for one conversation.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := newParser(info)
	return mcpedits.Edits(p, &p.files)
}

// Detect judges by the steps: each has a type, a status, and a member that is
// called as the type is.
func (Adapter) Detect(s core.Sample) core.Fit {
	if isStored(s.Path) {
		return core.PathFit
	}
	if isExport(s.Head) {
		return core.NativeFit
	}
	looks := 0
	for _, v := range s.Records() {
		if looks++; isStep(v) {
			return core.NativeFit
		}
	}
	if looks == 0 && strings.Contains(s.Path, "/.windsurf/transcripts/") {
		return core.PathFit
	}
	return core.NoFit
}

const tableCached = "cached"

// Layout finds the conversations that the editor keeps in its database, one for each
// workspace, and their sizes. What they hold is not looked at: no one documents it,
// and data of the person's account lies beside.
func (Adapter) Layout(file string, s core.Schema) (core.Layout, core.Fit) {
	if !s.Has("ItemTable", "key", "value") || !strings.Contains(file, "/Windsurf/") && !strings.Contains(file, "/Windsurf - Next/") {
		return core.Layout{}, core.NoFit
	}
	const cached = `SELECT substr(m.key, 39) AS key, octet_length(m.value) AS size FROM ItemTable i,
		json_each(CASE WHEN json_valid(CAST(i.value AS TEXT)) THEN CAST(i.value AS TEXT) END) m
		WHERE i.key = 'codeium.windsurf' AND m.key LIKE 'windsurf.state.cachedActiveTrajectory:%'`
	return core.Layout{
		Conversations: `SELECT key FROM (` + cached + `) ORDER BY key`,
		Stamp:         `SELECT '', size FROM (` + cached + `) WHERE key = ?1`,
		Rows:          []core.Rows{{Table: tableCached, Query: `SELECT key, size FROM (` + cached + `) WHERE key = ?1`}},
	}, core.NativeFit
}

func isStep(v jsondoc.Value) bool {
	kind := v.Get("type")
	return kind.Kind() == jsondoc.String && v.Get("status").Kind() == jsondoc.String && v.Get(kind.Str()).Kind() == jsondoc.Object
}
