// Package hermes reads the sessions of Hermes Agent.
//
// They lie in one database for each profile: a row for a session, a row for a
// message. A compaction marks the messages that it replaces and puts copies of
// the latest ones behind its summary; undoing marks what it takes back. Older
// versions wrote files too, which are read when they are named.
//
// What the versions write, and on what evidence that is known, stands in
// docs/adapters/hermes.md.
//
// What the rows of a session become, with a compaction in it:
//
//	session  id, cwd, parent_session_id                        session_start
//	m1 user       "Use UTC."                      compacted=1  user_turn
//	m2 assistant  "Done."                         compacted=1  assistant_turn
//	m3 user       the summary                                  compaction of m1 to m2
//	m4 assistant  "Done."  at the moment of m3                 bookkeeping: a copy of m2
//	m5 user       "And the tests?"                             user_turn
//	end      ended_at                                          session_end
//
// A copy has a number of its own and often another time. It is known by what it says
// and by where it stands: a compaction writes its messages within microseconds.
package hermes

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Hermes Agent.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Hermes }

// Places are the databases of the profiles. The files of older versions say the
// same and give no ids, so that they are read only if they are named.
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots: []core.Root{
			{Env: "HERMES_HOME"}, {OS: "windows", Env: "LOCALAPPDATA", Path: "hermes"}, {OS: "windows", Path: "AppData/Local/hermes"}, {Path: ".hermes"},
		},
		Patterns: []string{"state.db", "profiles/*/state.db"},
	}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	stem, _, _ := strings.Cut(path.Base(info.Path), ".")
	p := &parser{}
	p.Session = strings.TrimPrefix(stem, "session_")
	return mcpedits.Edits(p, &p.files)
}

// Framing tells the files that are rewritten whole from the logs.
func (Adapter) Framing(s core.Sample) core.Framing {
	if strings.HasSuffix(s.Path, ".json") {
		return core.Document
	}
	return core.Lines
}

// Detect knows the files of older versions by their heads.
func (Adapter) Detect(s core.Sample) core.Fit {
	var doc jsondoc.Doc
	head := bytes.TrimLeft(s.Head, " \t\r\n\x00\ufeff")
	if n, err := doc.Parse(head); err == nil && n > 0 {
		v := doc.Root()
		isLog := v.Get("role").Is("session_meta") && v.Get("platform").Exists()
		isDocument := v.Get("session_start").Exists() && v.Get("platform").Exists() && v.Get("messages").Kind() == jsondoc.Array
		if isLog || isDocument {
			return core.NativeFit
		}
		return core.NoFit
	}
	begin := head[:min(len(head), 4<<10)]
	if bytes.Contains(begin, []byte(`"session_start"`)) && bytes.Contains(begin, []byte(`"platform"`)) {
		return core.ShapeFit
	}
	return core.NoFit
}

// columns lists those of the columns that there are, each after a comma. Versions
// differ in them; what is missing is left out of the query.
func columns(s core.Schema, table string, names ...string) string {
	var list strings.Builder
	for _, n := range names {
		if s.Has(table, n) {
			list.WriteString(", m." + n)
		}
	}
	return list.String()
}

// sum is the sum of a column, 0 where a version has none.
func sum(s core.Schema, column string) string {
	if s.Has("messages", column) {
		return "sum(" + column + ")"
	}
	return "0"
}
