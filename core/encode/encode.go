// Package encode writes events, nodes and messages as JSON, each in its one canonical form.
// Secrets are taken out on the way: no string of the source gets out but through an [Encoder].
//
// A node with a secret in it, on its way:
//
//	text      "Use key AKIA… for the bucket"        the whole turn, scrubbed once
//	epitome   "Use key AKIA…", offset 0             judged in the whole, cut where that was
//	provenance, paths, ids                          each scrubbed by itself
//	─────────────────────────────────────────────────────────────
//	a secret was found: what was cut is learnt, and the node is encoded once more, with
//	every string searched for it; only then do the bytes leave
//
// An error of the Scrubber, or a fragment that does not stand where it says, fails the
// whole node: fail closed. With NoContent texts are "", paths their hashes, and raw
// values null.
//
// The order of the members is part of the format, because sinks compare bytes to see what they
// have. Package core shows the JSON of each kind.
//
// Three kinds of strings, and how each is judged:
//
//	value      ids, names, paths     by themselves; clean ones are remembered
//	text       words of the source   as a whole
//	fragment   a part of a text      in its whole, and cut where the whole was cut
//
// Where to find what:
//
//	encode.go              Encoder, and the members of nodes
//	event.go, message.go   the members of events and messages
//	fragment.go            texts that several strings are parts of
//	title.go, side.go      titles, and the two sides of a diff
//	echo.go, beside.go     secrets that only another string, or the JSON as a whole, gives away
//	clean.go               short strings that are known to be clean
package encode

import (
	"encoding/hex"
	"strconv"

	"lukechampine.com/blake3"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/cut"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Encoder writes events and nodes in their one canonical JSON form: UTF-8, keys in the
// contract's order, no insignificant space. Every string of the source goes through it,
// and so through the Scrubber, before it leaves.
//
// The zero Encoder writes everything verbatim. An Encoder keeps scratch memory and
// serves one goroutine. What it keeps does not grow with the number of nodes: the
// wholes of two nodes, and perClean short strings.
type Encoder struct {
	Scrubber core.Scrubber // nil: nothing is stripped; the same from the first node on
	// NoContent leaves structure only: texts are empty, paths are hashed, raw
	// values are null.
	NoContent bool

	scratch []byte
	clean   []cleanString // made when it is first needed
	side    cut.Side      // of a diff, as is seams
	seams   cut.Side
	line    []byte               // a title on its way
	wholes  [maxWholes]scrubbed  // of the node at hand, those that were scrubbed
	held    int                  // how many of them
	judged  [maxWholes]judgement // of the nodes before, too
	echoes  cut.Echoes           // secrets of the node or event at hand
	again   bool                 // it is encoded once more, without what is known
	own     bool                 // its wholes are parts of no other: it is an edit
	err     error
}

// Node appends the node's JSON to dst, without a line end. After an error
// nothing of the node may be written anywhere.
// The same node gives the same bytes on every machine. The result shares no memory with
// the node.
func (e *Encoder) Node(dst []byte, n *core.Node) ([]byte, error) {
	e.begin()
	start := len(dst)
	dst = e.node(dst, n)
	if e.repeat() {
		dst = e.node(dst[:start], n)
	}
	e.end()
	return dst, e.err
}

// node appends a node as one JSON object. The order of the members is part of the format:
// the same node gives the same bytes, by which sinks tell what they have already.
func (e *Encoder) node(dst []byte, n *core.Node) []byte {
	dst = append(dst, `{"schema":"`+core.NodeSchema+`","node":"`...)
	dst = append(dst, n.Name()...)
	dst = append(dst, '"')
	dst = e.str(dst, "id", core.IDField, n.ID)
	dst = e.str(dst, "source", core.NameField, string(n.Source))
	dst = e.str(dst, "session_id", core.IDField, n.Session)
	dst = e.optional(dst, "thread_id", core.IDField, n.Thread)
	dst = appendUint(dst, "seq", n.Seq)
	dst = appendTime(dst, "timestamp", n.Time)
	dst = e.project(dst, n.Project)
	dst = e.str(dst, "fact_status", core.NameField, string(n.Fact))
	dst = append(dst, `,"provenance":[`...)
	for _, at := range n.Provenance {
		dst = comma(dst)
		dst = e.location(dst, at)
	}
	dst = append(dst, ']')
	return append(e.nodeBody(dst, n.Body), '}')
}

// nodeBody appends the members that only nodes of its kind have.
func (e *Encoder) nodeBody(dst []byte, body core.NodeBody) []byte {
	switch b := body.(type) {
	case *core.Conversation:
		dst = e.fragment(appendKey(dst, "text"), "text", core.Whole(b.Text))
		dst = e.str(dst, "speaker", core.NameField, string(b.Speaker))
		dst = appendRange(dst, b.Turns)
		return e.memory(e.markers(dst, b.Markers, core.Whole(b.Text)), b.Memory)
	case *core.Decision:
		return e.decision(dst, b)
	case *core.Episode:
		dst = e.str(dst, "path", core.PathField, b.Diff.Path)
		dst = e.diff(dst, &b.Diff)
		dst = append(dst, `,"git":`...)
		dst = e.git(dst, b.Git)
		dst = e.str(dst, "episode_id", core.IDField, b.EpisodeID)
		dst = e.str(dst, "call_id", core.IDField, b.CallID)
		return e.memory(e.str(dst, "tool", core.NameField, b.Tool), b.Memory)
	case *core.Binding:
		return e.binding(dst, b)
	}
	return dst
}

// decision appends the members of a decision. Its words are fragments: each is scrubbed
// with the whole text that it was cut out of, for a secret may begin before the cut.
func (e *Encoder) decision(dst []byte, d *core.Decision) []byte {
	dst = e.fragment(appendKey(dst, "epitome"), "epitome", d.Epitome)
	dst = e.title(appendKey(dst, "title"), d.Title)
	dst = append(dst, `,"considered_options":[`...)
	for _, o := range d.Options {
		dst = append(comma(dst), `{"text":`...)
		dst = e.fragment(dst, "considered option", o.Fragment)
		dst = append(appendBool(dst, "chosen", o.Chosen), '}')
	}
	dst = append(dst, ']')
	dst = appendUint(dst, "score", uint64(d.Score))
	dst = appendBool(dst, "is_ban", d.IsBan)
	dst = e.str(dst, "decided_by", core.NameField, d.DecidedBy)
	if d.Confirmation != "" {
		dst = e.fragment(appendKey(dst, "confirmation"), "confirmation", core.Whole(d.Confirmation))
	}
	dst = e.optional(dst, "superseded_by", core.IDField, d.SupersededBy)
	dst = appendRange(dst, d.Turns)
	return e.markers(dst, d.Markers, d.Turn)
}

// binding appends the members of a binding: who carries out what, how that is known, and
// the entities of PROV that say the same.
func (e *Encoder) binding(dst []byte, b *core.Binding) []byte {
	dst = e.str(dst, "from", core.IDField, b.From)
	dst = e.str(dst, "to", core.IDField, b.To)
	dst = e.str(dst, "relation", core.NameField, string(b.Relation))
	dst = e.str(dst, "evidence", core.NameField, string(b.Evidence))
	dst = append(dst, `,"prov":{"used_session":`...)
	dst = e.value(dst, core.IDField, b.Prov.UsedSession)
	dst = e.optional(dst, "used_decision", core.IDField, b.Prov.UsedDecision)
	dst = e.str(dst, "was_generated_by_session", core.IDField, b.Prov.GeneratedBy)
	dst = appendTime(dst, "t_use", b.Prov.Use)
	dst = appendTime(dst, "t_gen", b.Prov.Gen)
	return append(dst, '}')
}

// options appends a list of options: [{"text":"Postgres","chosen":true}].
func (e *Encoder) options(dst []byte, options []core.Option) []byte {
	dst = append(dst, '[')
	for _, o := range options {
		dst = comma(dst)
		dst = append(dst, `{"text":`...)
		dst = e.value(dst, core.TextField, o.Text)
		dst = appendBool(dst, "chosen", o.Chosen)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// markers appends the markers of a turn. Each is a part of the turn, and so of the
// whole in which the turn stands.
func (e *Encoder) markers(dst []byte, markers []core.Marker, turn core.Fragment) []byte {
	dst = append(dst, `,"markers":[`...)
	for _, m := range markers {
		f := core.Fragment{Text: m.Text, Whole: turn.Whole, Offset: turn.Offset + m.Offset}
		dst = append(comma(dst), `{"rule_id":`...)
		dst = e.value(dst, core.NameField, m.Rule)
		dst = e.str(dst, "category", core.NameField, string(m.Category))
		dst = e.fragment(appendKey(dst, "matched_text"), "marker", f)
		dst = append(appendUint(dst, "offset", uint64(e.offset(turn, m.Offset))), '}')
	}
	return append(dst, ']')
}

// offset maps an offset of a turn to what is left of the turn.
func (e *Encoder) offset(turn core.Fragment, at int) int {
	if e.Scrubber == nil || e.NoContent || e.err != nil {
		return max(at, 0)
	}
	cuts := e.whole(turn.Whole).cuts
	return max(cut.Moved(cuts, turn.Offset+at)-cut.Moved(cuts, turn.Offset), 0)
}

// reserve grows dst for the texts of a large diff at once: a node that grows with each of them
// would take the memory of several.
func reserve(dst []byte, d *core.Diff) []byte {
	n := 0
	for _, text := range [...]*string{d.Old, d.New, &d.Unified} {
		if text != nil {
			n += jsondoc.QuotedLen([]byte(*text)) + cutRoom
		}
	}
	if n < maxScratch || n <= cap(dst)-len(dst) {
		return dst
	}
	return append(make([]byte, 0, len(dst)+n), dst...)
}

// cutRoom is what the placeholders in a text may be longer than what they stand for, and the
// other members of a diff, before memory is needed again.
const cutRoom = 4 << 10

// diff appends "diff": the path, the lines before and after, and the unified form. Counts
// of lines are never below zero, whatever a tool reports.
func (e *Encoder) diff(dst []byte, d *core.Diff) []byte {
	dst = append(dst, `,"diff":{"path":`...)
	dst = e.value(dst, core.PathField, d.Path)
	dst = e.optional(dst, "old_path", core.PathField, d.OldPath)
	e.bothSides(d.Unified)
	dst = e.edited(reserve(dst, d), "old", d, '-')
	dst = e.edited(dst, "new", d, '+')
	dst = e.fragment(appendKey(dst, "unified"), "diff", core.Whole(d.Unified))
	dst = appendUint(dst, "added_lines", uint64(max(d.Added, 0)))
	dst = appendUint(dst, "removed_lines", uint64(max(d.Removed, 0)))
	dst = e.str(dst, "change", core.NameField, string(d.Change))
	dst = e.optional(dst, "certainty", core.NameField, string(d.Certainty))
	return append(dst, '}')
}

// project appends "project", which is {} where it is not known.
func (e *Encoder) project(dst []byte, p *core.Project) []byte {
	dst = append(dst, `,"project":{`...)
	if p == nil {
		return append(dst, '}')
	}
	dst = e.optional(dst, "cwd", core.PathField, p.Cwd)
	dst = e.optional(dst, "repo_root", core.PathField, p.RepoRoot)
	if p.Git != (core.Git{}) {
		dst = e.git(appendKey(dst, "git"), p.Git)
	}
	return append(dst, '}')
}

// git appends the state of a repository; {} where nothing was recorded.
func (e *Encoder) git(dst []byte, g core.Git) []byte {
	dst = append(dst, '{')
	dst = e.optional(dst, "sha", core.IDField, g.SHA)
	dst = e.optional(dst, "branch", core.PathField, g.Branch)
	return append(dst, '}')
}

// location appends where a record stands: a row of a database by its name, a line of a
// file by its first byte and its number, both counted as the file has them.
func (e *Encoder) location(dst []byte, at core.Location) []byte {
	dst = append(dst, `{"file":`...)
	dst = e.value(dst, core.PathField, at.File)
	if at.Row != "" {
		dst = e.str(dst, "row", core.IDField, at.Row)
		return append(dst, '}')
	}
	dst = appendUint(dst, "byte_offset", uint64(max(at.Offset, 0)))
	if at.Line > 0 {
		dst = appendUint(dst, "line_no", uint64(at.Line))
	}
	return append(dst, '}')
}

// str appends a member with a string value; optional does so unless it is
// empty.
func (e *Encoder) str(dst []byte, key string, f core.Field, s string) []byte {
	return e.value(appendKey(dst, key), f, s)
}

// optional appends a member as str does, unless its value is empty.
func (e *Encoder) optional(dst []byte, key string, f core.Field, s string) []byte {
	if s == "" {
		return dst
	}
	return e.str(dst, key, f, s)
}

// text appends a member with a text of the source.
func (e *Encoder) text(dst []byte, key string, t core.Text) []byte {
	dst = appendKey(dst, key)
	if e.NoContent {
		return append(dst, `""`...)
	}
	e.scratch = t.Append(e.scratch[:0])
	if e.Scrubber == nil {
		return jsondoc.AppendQuote(dst, e.scratch)
	}
	clean, _ := e.scrub(core.TextField, e.scratch)
	return jsondoc.AppendQuote(dst, clean)
}

// value appends one string as JSON: the only way for a string to get out.
// Ids and names that were found clean are not judged again.
func (e *Encoder) value(dst []byte, f core.Field, s string) []byte {
	if e.NoContent {
		if s = withheld(f, s); f == core.TextField || f == core.PathField {
			return jsondoc.AppendQuoteString(dst, s)
		}
	}
	if e.Scrubber == nil || s == "" {
		return jsondoc.AppendQuoteString(dst, s)
	}
	kept := e.placeOf(f, s)
	if kept != nil && !e.again && e.err == nil && kept.is(f, s) {
		return jsondoc.AppendQuoteString(dst, s)
	}
	e.scratch = append(e.scratch[:0], s...)
	clean, cuts := e.scrub(f, e.scratch)
	if kept != nil && !e.again && e.err == nil && len(cuts) == 0 && string(clean) == s {
		kept.set(f, s)
	}
	return jsondoc.AppendQuote(dst, clean)
}

// scrub takes secrets out of a value. After the first error it returns nothing: what could
// not be scrubbed is not written, and the whole document is refused.
func (e *Encoder) scrub(f core.Field, s []byte) ([]byte, []core.Cut) {
	if e.err != nil {
		return nil, nil
	}
	clean, cuts, err := e.Scrubber.Scrub(f, s)
	if err != nil {
		e.fail(err)
		return nil, nil
	}
	if f != core.TextField && f != core.PathField { // ids and names must stay the same everywhere
		return clean, cuts
	}
	return e.echoed(s, clean, cuts)
}

// echoed learns what was cut from a string, or cuts what was cut from others.
func (e *Encoder) echoed(s, clean []byte, cuts []core.Cut) ([]byte, []core.Cut) {
	switch {
	case e.again:
		return e.echoes.Cut(s, clean, cuts)
	case len(cuts) > 0:
		e.echoes.Learn(s, clean, cuts)
	}
	return clean, cuts
}

// withheld returns what a string may still say without content: ids and names stay,
// as far as they look like some, a path becomes its hash, a text becomes empty.
func withheld(f core.Field, s string) string {
	switch {
	case f == core.TextField || s == "":
		return ""
	case f == core.PathField:
		return core.HashPath(s)
	case looksLikeName(s):
		return s
	default:
		sum := blake3.Sum256([]byte(s))
		return "hash:" + hex.EncodeToString(sum[:8])
	}
}

// looksLikeName reports whether s can be an id or a name: neither of them has
// blanks, nor is any of them long.
func looksLikeName(s string) bool {
	const longest = 256
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return len(s) <= longest
}

// appendKey appends a member's name, after a comma unless it is the object's
// first.
func appendKey(dst []byte, key string) []byte {
	dst = append(comma(dst), '"')
	dst = append(dst, key...)
	return append(dst, '"', ':')
}

// comma separates what comes from what stands before it in the same object or
// array.
func comma(dst []byte) []byte {
	if last := dst[len(dst)-1]; last == '{' || last == '[' {
		return dst
	}
	return append(dst, ',')
}

// appendUint appends a member with a number.
func appendUint(dst []byte, key string, n uint64) []byte {
	return strconv.AppendUint(appendKey(dst, key), n, 10)
}

// appendBool appends a member with a truth value.
func appendBool(dst []byte, key string, b bool) []byte {
	return strconv.AppendBool(appendKey(dst, key), b)
}

// appendTime appends a member with a moment, unless that is not known.
func appendTime(dst []byte, key string, t core.Time) []byte {
	if t.IsZero() {
		return dst
	}
	return append(t.Append(append(appendKey(dst, key), '"')), '"')
}

// appendRange appends "turn_range", from the first event to the last, both in.
func appendRange(dst []byte, r core.TurnRange) []byte {
	dst = append(dst, `,"turn_range":{"start":`...)
	dst = strconv.AppendUint(dst, r.Start, 10)
	dst = append(dst, `,"end":`...)
	dst = strconv.AppendUint(dst, r.End, 10)
	return append(dst, '}')
}
