// Package described parses the transcripts of tools without an adapter: JSON logs
// and SQLite databases that the user's settings describe.
//
// A description says at which places of a record (JSON pointers, RFC 6901) stand
// who spoke, what was said, and which file a call edited how. That is enough for
// turns, calls and edits; what a description leaves out is not known, and a record
// in which nothing of it is found is one that is not understood. There is no table of
// kinds: which kinds a tool's records have, and which of them are ignored, the user says.
package described

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Description is how a tool writes. All but Name, Paths, Role and Text may be left
// out; those that are not lists of words are JSON pointers.
type Description struct {
	Name      string   // of the tool, as it is in events and nodes
	Paths     []string // patterns of its transcripts, absolute
	Table     string   // of a database of SQLite whose rows are the records; "": the transcripts are logs
	Order     string   // the column that rows are sorted by; "": as they were written
	Kind      string   // what names the kind of a record
	Ignore    []string // kinds that tell nothing of the conversation
	ID        string   // of the record
	Session   string   // without one: the file's name
	Time      string   // a text, or seconds or milliseconds since 1970
	Cwd       string   // the folder of work
	Model     string
	Role      string
	User      []string // roles of a person
	Assistant []string // roles of the model
	Text      string
	Call      string // id of a call, in the record that makes it
	Tool      string // its name
	Args      string // its arguments
	Path      string // the file that it edits
	Old, New  string // what is replaced, and by what
	Content   string // or all that the file holds then
	Command   string // or the command that it runs
	Result    string // id of a call, in the record that answers it; "": records of calls say what was done
	Error     string // is there, and neither null, false, 0 nor empty, where a call failed
}

// pointers are those of the description by the names of their settings.
func (d *Description) pointers() map[string]string {
	return map[string]string{
		"kind": d.Kind, "id": d.ID, "session": d.Session, "time": d.Time, "cwd": d.Cwd, "model": d.Model, "role": d.Role, "text": d.Text, "call": d.Call,
		"tool": d.Tool, "args": d.Args, "path": d.Path, "old": d.Old, "new": d.New, "content": d.Content, "command": d.Command, "result": d.Result, "error": d.Error,
	}
}

// FieldError is what is wrong with a description, and where.
type FieldError struct {
	Field string
	Err   error
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *FieldError) Unwrap() error { return e.Err }

var (
	errNeeded  = errors.New("is needed")
	errName    = errors.New("is made of small letters, digits and _")
	errPointer = errors.New(`is no JSON pointer: those begin with "/"`)
	errPartner = errors.New("old and new go together, and need path")
	errColumn  = errors.New("of a database it is a column, such as /session_id")
	errTable   = errors.New("is for databases, and needs table")
)

// check returns what is wrong with a description.
func (d *Description) check() error {
	if d.Name == "" || strings.Trim(d.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return &FieldError{"name", errName}
	}
	if len(d.Paths) == 0 {
		return &FieldError{"paths", errNeeded}
	}
	pointers := d.pointers()
	for _, field := range slices.Sorted(maps.Keys(pointers)) {
		switch p := pointers[field]; {
		case p == "" && (field == "role" || field == "text"):
			return &FieldError{field, errNeeded}
		case p != "" && !strings.HasPrefix(p, "/"):
			return &FieldError{field, fmt.Errorf("%q %w", p, errPointer)}
		}
	}
	if (d.Old == "") != (d.New == "") || (d.Old != "" || d.Content != "") && d.Path == "" {
		return &FieldError{"path", errPartner}
	}
	if d.Table != "" && (len(d.Session) < 2 || strings.Contains(d.Session[1:], "/")) {
		return &FieldError{"session", errColumn}
	}
	if d.Order != "" && d.Table == "" {
		return &FieldError{"order", errTable}
	}
	return nil
}

// Adapter reads the transcripts of one described tool.
type Adapter struct{ d Description }

// New returns the adapter of a description. The error is a [FieldError].
func New(d Description) (Adapter, error) {
	if err := d.check(); err != nil {
		return Adapter{}, err
	}
	if len(d.User) == 0 {
		d.User = []string{"user", "human"}
	}
	if len(d.Assistant) == 0 {
		d.Assistant = []string{"assistant", "model", "agent"}
	}
	return Adapter{d}, nil
}

// Tool names the tool.
func (a Adapter) Tool() core.Tool { return core.Tool(a.d.Name) }

// Places are none: where the transcripts are, Paths says, which a home folder does not move.
func (a Adapter) Places() []core.Place { return nil }

// Paths are the patterns of the transcripts.
func (a Adapter) Paths() []string { return a.d.Paths }

// NewParser returns a parser for one transcript.
func (a Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{d: &a.d}
	p.Session, _, _ = strings.Cut(path.Base(info.Path), ".")
	return mcpedits.Edits(p, &p.files)
}

// Detect judges by the path, which the description names, and else by what stands
// at its places in the first record.
func (a Adapter) Detect(s core.Sample) core.Fit {
	if a.d.Table != "" {
		return core.NoFit // what it is made of, Layout judges
	}
	if slices.ContainsFunc(a.d.Paths, func(pattern string) bool { return matches(pattern, s.Path) }) {
		return core.NativeFit
	}
	var doc jsondoc.Doc
	if n, err := doc.Parse(s.Head); err != nil || n == 0 {
		return core.NoFit
	}
	v, d := doc.Root(), &a.d
	role := at(v, d.Role).Str()
	if at(v, d.Text).Kind() == jsondoc.String && (slices.Contains(d.User, role) || slices.Contains(d.Assistant, role)) {
		return core.ShapeFit
	}
	return core.NoFit
}

// matches reports whether a path is one that a pattern means; "**" stands for any
// number of folders.
func matches(pattern, name string) bool { return segments(split(pattern), split(name)) }

func split(name string) []string { return strings.Split(strings.ReplaceAll(name, `\`, "/"), "/") }

func segments(patterns, names []string) bool {
	if len(patterns) == 0 {
		return len(names) == 0
	}
	if patterns[0] == "**" {
		for i := range len(names) + 1 {
			if segments(patterns[1:], names[i:]) {
				return true
			}
		}
		return false
	}
	if len(names) == 0 {
		return false
	}
	ok, err := path.Match(patterns[0], names[0])
	return ok && err == nil && segments(patterns[1:], names[1:])
}

// at is the value at a pointer; absent for "".
func at(v jsondoc.Value, pointer string) jsondoc.Value {
	if pointer == "" {
		return jsondoc.Value{}
	}
	for name := range strings.SplitSeq(pointer[1:], "/") {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		if v.Kind() == jsondoc.Array {
			v = element(v, name)
			continue
		}
		v = v.Get(name)
	}
	return v
}

// element is the member of a list whose number, from 0, a name is.
func element(v jsondoc.Value, name string) jsondoc.Value {
	i := 0
	for e := range v.Elems() {
		if fmt.Sprint(i) == name {
			return e
		}
		i++
	}
	return jsondoc.Value{}
}

// Layout implements [core.DatabaseAdapter]: of a tool that keeps its records in a database, a
// record is a row of the table that the description names. Pointers begin with a column. Only the
// columns that they name are read, and one whose pointer leads on ("/data/role") holds JSON.
func (a Adapter) Layout(path string, s core.Schema) (core.Layout, core.Fit) {
	d := &a.d
	columns, names := d.columns(s[d.Table])
	if d.Table == "" || !s.Has(d.Table, names...) {
		return core.Layout{}, core.NoFit
	}
	table, session := quoted(d.Table), quoted(d.Session[1:])
	order, key := "rowid", "rowid"
	if d.Order != "" {
		order = quoted(d.Order)
		key = order
	}
	fit := core.ShapeFit
	if slices.ContainsFunc(d.Paths, func(pattern string) bool { return matches(pattern, path) }) {
		fit = core.NativeFit
	}
	return core.Layout{
		Conversations: "SELECT DISTINCT " + session + " FROM " + table + " WHERE " + session + " IS NOT NULL ORDER BY 1",
		Rows: []core.Rows{{
			Table: d.Table,
			Query: "SELECT " + key + ", " + strings.Join(columns, ", ") + " FROM " + table + " WHERE " + session + " = ?1 ORDER BY " + order,
		}},
	}, fit
}

// columns are those that the pointers name, as a query asks for them, and the names of
// those without which there is no conversation. What else is not in the table is left
// out: tools add columns.
func (d *Description) columns(have []string) (asked, needed []string) {
	isJSON, pointers := map[string]bool{}, d.pointers()
	for _, pointer := range pointers { // order does not matter: they are sorted below
		if column, _, deeper := strings.Cut(strings.TrimPrefix(pointer, "/"), "/"); column != "" {
			isJSON[column] = isJSON[column] || deeper
		}
	}
	for column, embedded := range isJSON { // sorted below
		switch {
		case !slices.Contains(have, column):
		case embedded:
			asked = append(asked, quoted(column)+" AS "+quoted(column+":json"))
		default:
			asked = append(asked, quoted(column))
		}
	}
	slices.Sort(asked)
	for _, name := range []string{"role", "text", "session"} {
		column, _, _ := strings.Cut(strings.TrimPrefix(pointers[name], "/"), "/")
		needed = append(needed, column)
	}
	if d.Order != "" {
		needed = append(needed, d.Order)
	}
	return asked, needed
}

// quoted is the name of a table or a column as a query has it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
