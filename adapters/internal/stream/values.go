package stream

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Hash is the 64-bit FNV-1a hash of b: ids and texts that only need to be told apart are kept as
// this. Whoever can make two texts with one hash gains nothing: the transcript is theirs.
func Hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// IsUUID reports whether a text has the form of a UUID.
func IsUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && strings.Trim(s, "0123456789abcdefABCDEF-") == ""
}

// Stem is the name of a file up to its first dot, which names many sessions.
func Stem(file string) string {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	return stem
}

// Time reads an RFC 3339 date and time; of a value that is no string nothing is known.
func Time(v jsondoc.Value) core.Time {
	if v.Kind() != jsondoc.String {
		return core.Time{}
	}
	return core.ParseTimeBytes(v.Body())
}

// Millis reads a count of milliseconds since 1970.
func Millis(v jsondoc.Value) core.Time {
	if n, ok := v.Int(); ok {
		return core.UnixMilli(n)
	}
	return core.Time{}
}

// Seconds reads a count of seconds since 1970, which may have a fraction. Some versions of
// some tools write milliseconds into the same member.
func Seconds(v jsondoc.Value) core.Time {
	n, ok := v.Float()
	if !ok || n <= 0 || n > 253402300799000 { // the end of the year 9999, in milliseconds
		return core.Time{}
	}
	if n < 1e11 { // as milliseconds it would be before 1973
		n *= 1000
	}
	return core.UnixMilli(int64(n + 0.5))
}

// Tokens reads what a response took: the counts of an object by their names, "" for
// those that a tool does not tell. A name with a dot leads into an object.
func Tokens(v jsondoc.Value, input, output, cacheRead, cacheCreation, reasoning string) core.Usage {
	return core.Usage{
		Input: count(v, input), Output: count(v, output), CacheRead: count(v, cacheRead),
		CacheCreation: count(v, cacheCreation), Reasoning: count(v, reasoning),
	}
}

// Costs is [Tokens] of an object; nil if v is none.
func Costs(v jsondoc.Value, input, output, cacheRead, cacheCreation, reasoning string) *core.Usage {
	if v.Kind() != jsondoc.Object {
		return nil
	}
	u := Tokens(v, input, output, cacheRead, cacheCreation, reasoning)
	return &u
}

// Nonzero is a cost; nil if it counts nothing, where a tool writes zeros for what it does not know.
func Nonzero(u core.Usage) *core.Usage {
	if u == (core.Usage{}) {
		return nil
	}
	return &u
}

// count is the number at a path of at most two names; 0 if there is none.
func count(v jsondoc.Value, name string) int64 {
	if name == "" {
		return 0
	}
	outer, inner, nested := strings.Cut(name, ".")
	if v = v.Get(outer); nested {
		v = v.Get(inner)
	}
	n, _ := v.Int()
	return n
}

// FirstLine is the record that the first line of a file holds, by which many tools
// are told; absent if it is no JSON.
func FirstLine(s core.Sample) jsondoc.Value {
	for _, v := range s.Records() {
		return v
	}
	return jsondoc.Value{}
}

// Fit is how well a file fits a tool: by what it holds, or else by where it lies.
func Fit(holds, lies bool) core.Fit {
	switch {
	case holds:
		return core.NativeFit
	case lies:
		return core.PathFit
	}
	return core.NoFit
}

// Documents is embedded by adapters whose transcripts are documents, rewritten whole.
type Documents struct{}

// Framing says that files are documents.
func (Documents) Framing(core.Sample) core.Framing { return core.Document }

// JSONDocuments is embedded by adapters whose files are documents if they are named *.json,
// and logs else.
type JSONDocuments struct{}

// Framing goes by the name of the file.
func (JSONDocuments) Framing(s core.Sample) core.Framing {
	if strings.HasSuffix(s.Path, ".json") {
		return core.Document
	}
	return core.Lines
}

// Opening is the beginning of a document, without blanks and marks before it.
type Opening []byte

// OpeningOf is the beginning of the document in a sample.
func OpeningOf(s core.Sample) Opening { return bytes.TrimLeft(s.Head, " \t\r\n\x00\ufeff") }

// Is reports whether the document begins with a bracket, and names all of some members.
func (o Opening) Is(bracket string, names ...string) bool {
	return bytes.HasPrefix(o, []byte(bracket)) && o.Has(names...)
}

// Has reports whether the beginning names all of some members.
func (o Opening) Has(names ...string) bool {
	for _, name := range names {
		if !bytes.Contains(o, []byte(`"`+name+`"`)) {
			return false
		}
	}
	return true
}

// Says reports whether a member in the beginning is a string that begins so.
func (o Opening) Says(name, text string) bool {
	return bytes.Contains(o, []byte(`"`+name+`":"`+text)) || bytes.Contains(o, []byte(`"`+name+`": "`+text))
}

// Columns lists those of some columns that a table has, each behind a comma and a prefix.
// Versions of a tool differ in them.
func Columns(s core.Schema, table, prefix string, names ...string) string {
	var list strings.Builder
	for _, n := range names {
		if s.Has(table, n) {
			list.WriteString(", " + prefix + n)
		}
	}
	return list.String()
}

// NotJSON is a query for the keys of some rows of a table of keys and values: those whose
// value is not JSON.
func NotJSON(table, where string) string {
	return `SELECT key FROM ` + table + ` WHERE ` + where + ` AND length(value) > 0 AND NOT json_valid(CAST(value AS TEXT)) ORDER BY key`
}

// Beside is the document in a file beside a transcript, absent if there is none.
func Beside(info core.StreamInfo, name string) jsondoc.Value {
	return Parsed(new(jsondoc.Doc), info.Sidecars[name])
}

// Parsed is the value that bytes hold, absent if they are no JSON. It is good as long
// as the document holds it.
func Parsed(doc *jsondoc.Doc, b []byte) jsondoc.Value {
	if n, err := doc.Parse(b); err != nil || n == 0 {
		return jsondoc.Value{}
	}
	return doc.Root()
}

// Names keeps strings with few distinct values, so that each is made once: names of
// tools and models, kinds of records, threads. The zero Names is ready.
type Names struct{ known map[string]string }

// Beyond these, every use is a new string.
const (
	maxNames = 1024
	maxName  = 128
)

// Of is the text of v, "" if v is no string.
func (n *Names) Of(v jsondoc.Value) string {
	if v.Kind() != jsondoc.String || v.Escaped() {
		return v.Str()
	}
	return n.intern(v.Body())
}

// Joined is family+name.
func (n *Names) Joined(family, name string) string {
	var key [2 * maxName]byte
	return n.intern(append(append(key[:0], family...), name...))
}

// intern gives equal names one string. It keeps at most maxNames, so that hostile names cost nothing.
func (n *Names) intern(b []byte) string {
	if s, ok := n.known[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(n.known) < maxNames && len(s) <= maxName {
		if n.known == nil {
			n.known = map[string]string{}
		}
		n.known[s] = s
	}
	return s
}

// Joined makes one text of several, with an empty line between them.
func Joined(texts []core.Text) core.Text {
	switch len(texts) {
	case 0:
		return core.Text{}
	case 1:
		return texts[0]
	}
	var all []byte
	for i, t := range texts {
		if i > 0 {
			all = append(all, "\n\n"...)
		}
		all = t.Append(all)
	}
	return core.Plain(string(all))
}

// First is the first of several members that is a string.
func First(v jsondoc.Value, names ...string) (string, bool) {
	for _, name := range names {
		if m := v.Get(name); m.Kind() == jsondoc.String {
			return m.Str(), true
		}
	}
	return "", false
}

// Str is the first of several members that is a string; "" if none is.
func Str(v jsondoc.Value, names ...string) string {
	s, _ := First(v, names...)
	return s
}

// Member is the first of several members that is there.
func Member(v jsondoc.Value, names ...string) (m jsondoc.Value) {
	for _, name := range names {
		if m = v.Get(name); m.Exists() {
			break
		}
	}
	return m
}

// Some is the first of several members that is a string with something in it.
func Some(v jsondoc.Value, names ...string) string {
	for _, name := range names {
		if s := v.Get(name).Str(); s != "" {
			return s
		}
	}
	return ""
}

// maxOptions bounds the options of a question.
const maxOptions = 64

// Options reads what was offered in a question, each a text or an object with a label,
// and which of it was chosen by an answer: several labels are one string then, with
// commas between them. The rest of the answer is a person's own words.
func Options(offered jsondoc.Value, answer string) (list []core.Option, rest string) {
	rest = answer
	for o := range offered.Elems() {
		if len(list) == maxOptions {
			break
		}
		label := cmp.Or(o.Get("label").Str(), o.Str())
		left, chosen := without(rest, label)
		if chosen {
			rest = left
		}
		list = append(list, core.Option{Text: label, Chosen: chosen})
	}
	return list, strings.Trim(rest, ", ")
}

// Chosen reads a question with the answers to it: labels of its options, or a person's own
// words, which are joined by sep.
func Chosen(question jsondoc.Value, answers []string, sep string) core.Choice {
	c := core.Choice{Question: question.Get("question").Str()}
	for o := range question.Get("options").Elems() {
		if len(c.Options) == maxOptions {
			break
		}
		label := o.Get("label").Str()
		at := slices.Index(answers, label)
		c.Options = append(c.Options, core.Option{Text: label, Chosen: at >= 0})
		if at >= 0 {
			answers = slices.Delete(answers, at, at+1)
		}
	}
	c.Answer = strings.Join(answers, sep)
	return c
}

// without takes a label out of an answer.
func without(answer, label string) (rest string, found bool) {
	switch {
	case label == "":
		return answer, false
	case answer == label:
		return "", true
	}
	if after, ok := strings.CutPrefix(answer, label+", "); ok {
		return after, true
	}
	if before, ok := strings.CutSuffix(answer, ", "+label); ok {
		return before, true
	}
	if before, after, ok := strings.Cut(answer, ", "+label+", "); ok {
		return before + ", " + after, true
	}
	return answer, false
}

// DataType is the media type of a data URL; "" of another URL.
func DataType(url string) string {
	data, isData := strings.CutPrefix(url, "data:")
	if kind, _, ok := strings.Cut(data, ";"); isData && ok {
		return kind
	}
	return ""
}

// Text is a part that is a text.
func Text(text core.Text) core.Part { return core.Part{Kind: core.TextPart, Text: text} }

// Other is a part that is kept as it is.
func Other(v jsondoc.Value) core.Part { return core.Part{Kind: core.OtherPart, Raw: core.RawValue(v)} }

// Nested is the value in a string that holds JSON, or the value itself if it is
// no string. The document must live as long as the value.
func Nested(doc *jsondoc.Doc, v jsondoc.Value) jsondoc.Value {
	if v.Kind() != jsondoc.String {
		return v
	}
	s := []byte(v.Str())
	n, err := doc.Parse(s)
	if err != nil || strings.TrimSpace(string(s[n:])) != "" {
		return jsondoc.Value{}
	}
	return doc.Root()
}

// Unmarked is a text without the marks that a client puts around what comes from
// outside: those of Gemini CLI, and of Hermes Agent, with its words to the model.
// Kimi Code puts what a server answered besides behind its text.
func Unmarked(text string) string {
	if strings.HasSuffix(text, "\n</mcp-result-extras>") {
		if inner, _, ok := strings.Cut(text, "\n<mcp-result-extras>\n"); ok {
			return inner
		}
	}
	if inner, ok := strings.CutPrefix(text, "<untrusted_context>\n"); ok {
		return strings.TrimSuffix(inner, "\n</untrusted_context>")
	}
	if strings.HasPrefix(text, "<untrusted_tool_result source=") {
		_, inner, _ := strings.Cut(text, "\n\n")
		if end := strings.LastIndex(inner, "\n</untrusted_tool_result>"); end >= 0 {
			return inner[:end]
		}
	}
	return text
}

// AreObjects reports whether a value is a list of objects. Another list is kept whole: what is
// in it may be a secret that only its neighbour gives away.
func AreObjects(v jsondoc.Value) bool {
	for e := range v.Elems() {
		if e.Kind() != jsondoc.Object {
			return false
		}
	}
	return v.Kind() == jsondoc.Array
}

// IsAbs reports whether a path is absolute, on Windows or elsewhere.
func IsAbs(name string) bool {
	return path.IsAbs(name) || strings.HasPrefix(name, `\\`) || len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/')
}

// Resolve makes a path absolute, below a folder.
func Resolve(dir, name string) string {
	if name == "" || dir == "" || IsAbs(name) {
		return name
	}
	if strings.Contains(dir, `\`) && len(dir) <= core.MaxContext {
		return strings.TrimRight(dir, `\`) + `\` + strings.ReplaceAll(name, "/", `\`)
	}
	return Join(dir, name)
}

// Join is a path in a folder. A folder whose path is longer than any system has is not
// taken for one: every path in the transcript would repeat it.
func Join(dir, name string) string {
	if len(dir) > core.MaxContext {
		return name
	}
	return path.Join(dir, name)
}

// Members reads records of one form: it says by name where the value of a member goes. A record has up to fifty
// members; to look up each that means something would go through all of them as often.
//
// Few names have the same length, so that they are found by that: it takes half the time of a look into a map.
type Members [][]Field

// Field is a name with the place of its value.
type Field struct {
	name string
	to   *jsondoc.Value
}

// At has the value of a member stored at a place.
func At(name string, to *jsondoc.Value) Field { return Field{name, to} }

// NewMembers returns a reader of records with these members. Each has a name of its own.
//
// Every session has a reader, so it is made in two pieces of memory.
func NewMembers(members ...Field) Members {
	longest := 0
	for _, m := range members {
		longest = max(longest, len(m.name))
	}
	all, byLength := make([]Field, 0, len(members)), make(Members, longest+1)
	for length := range byLength {
		from := len(all)
		for _, m := range members {
			if len(m.name) == length {
				all = append(all, m)
			}
		}
		byLength[length] = all[from:len(all):len(all)]
	}
	return byLength
}

// Read takes in the members of an object. Whoever calls it has emptied the values.
func (m Members) Read(object jsondoc.Value) {
	for name, v := range object.Fields() {
		body := name.Body()
		if len(body) >= len(m) {
			continue
		}
		for i := range m[len(body)] {
			if of := &m[len(body)][i]; of.name == string(body) {
				*of.to = v
				break
			}
		}
	}
}
