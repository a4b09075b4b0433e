package invariant

import (
	"bytes"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/patch"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// piece is a run of bytes that must give an event: a JSON value, or what is left
// of a line that holds something else.
type piece struct {
	at, end int64
	line    int64
	value   jsontext.Value // nil: not JSON
}

// pieces cuts a transcript by itself: lines, NUL bytes, the values of a line. A
// document is one line.
//
// It is a second implementation of framing, on purpose.
func pieces(in trial.Input) []piece {
	data := in.Data
	if in.Framing() == core.Document {
		return values(data, 0, 1)
	}
	var all []piece
	at, line := int64(0), int64(1)
	for l := range bytes.Lines(data) {
		start := at
		for part := range bytes.SplitSeq(bytes.TrimSuffix(l, []byte("\n")), []byte{0}) {
			all = append(all, values(part, start, line)...)
			start += int64(len(part)) + 1
		}
		at += int64(len(l))
		line++
	}
	return all
}

// values lists the JSON values of a run of bytes, and its rest if that is none.
func values(b []byte, at, line int64) []piece {
	const blank = " \t\r\n\x00" // zeros are what a crash left
	if mark := []byte("\ufeff"); at == 0 && bytes.HasPrefix(b, mark) {
		b, at = b[len(mark):], int64(len(mark))
	}
	var all []piece
	for len(bytes.Trim(b, blank)) > 0 {
		skipped := len(b) - len(bytes.TrimLeft(b, blank))
		b, at = b[skipped:], at+int64(skipped)
		dec := jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		v, err := dec.ReadValue()
		if err != nil {
			return append(all, piece{at: at, end: at + int64(len(b)), line: line})
		}
		n := dec.InputOffset()
		all = append(all, piece{at: at, end: at + n, line: line, value: v.Clone()})
		b, at = b[n:], at+n
	}
	return all
}

// lossless: every piece of a transcript gives an event that points into it, every event points
// into a piece and names its line, and a record that is not understood is kept as it was.
//
// Both lists are in the order of the file, so that one pass over each is enough.
func lossless(p *problems, s *trial.Stream) {
	all := pieces(s.Input)
	from := 0
	for _, e := range s.Events {
		for from < len(all) && all[from].end <= e.Provenance.Offset {
			from++
		}
		if from == len(all) || e.Provenance.Offset < all[from].at {
			p.add("place", "%s: event %s points to nothing", where(e.Provenance), e.ID)
			continue
		}
		if e.Provenance.Line != all[from].line {
			p.add("line", "%s: event %s is of line %d", where(e.Provenance), e.ID, all[from].line)
		}
	}
	i := 0
	for _, piece := range all {
		for i < len(s.Events) && s.Events[i].Provenance.Offset < piece.at {
			i++
		}
		if i == len(s.Events) || s.Events[i].Provenance.Offset >= piece.end {
			p.add("lossless", "%s:%d: no event for the %d bytes at %d", s.Input.Name, piece.line, piece.end-piece.at, piece.at)
			continue
		}
		for ; i < len(s.Events) && s.Events[i].Provenance.Offset < piece.end; i++ {
			verbatim(p, s.Events[i], piece)
		}
	}
}

// verbatim: an unknown record is in its event in full. If the record was part of a larger
// value, as one message of an answer, it must be found in that value.
func verbatim(p *problems, e *trial.Event, of piece) {
	if e.Event != "unknown" || of.value == nil || len(e.Body.Raw) == 0 {
		if e.Event == "unknown" && len(e.Body.Raw) == 0 && e.Body.RawBase64 == "" {
			p.add("verbatim", "%s: unknown %q without its record", where(e.Provenance), e.Body.RawType)
		}
		return
	}
	if e.Body.Raw.Kind() != of.value.Kind() {
		return // part of the record
	}
	have, want := canonical(e.Body.Raw), canonical(of.value)
	if have != want && !strings.Contains(want, have) {
		w, h := part([]byte(want), []byte(have))
		p.add("verbatim", "%s: unknown %q is not its record:\n  %s\n  %s", where(e.Provenance), e.Body.RawType, w, h)
	}
}

// canonical returns a value without space, with strings written in one way. Numbers stay as
// they were written: 1.0 is not 1. A value that cannot be read is returned as it is.
func canonical(v jsontext.Value) string {
	v = v.Clone()
	opts := []jsontext.Options{
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(false),
		jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false),
	}
	if err := v.Compact(opts...); err != nil {
		return string(v)
	}
	var out bytes.Buffer
	enc := jsontext.NewEncoder(&out, opts...)
	if err := enc.WriteValue(v); err != nil {
		return string(v)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// sequence: events are numbered from 0 without a gap in the order of their records, name their
// own file, and are as many as were counted. No two share an id, with one exception.
//
// A tool that writes a record twice gives two events of one id. That is allowed if the id is in
// both lines, so that it is the tool's own, or if both are equal but for their places.
func sequence(p *problems, s *trial.Stream) {
	seen := map[string]*trial.Event{}
	var last int64
	for i, e := range s.Events {
		if e.Seq != uint64(i) {
			p.add("seq", "%s: event %d has seq %d", where(e.Provenance), i, e.Seq)
		}
		if e.Provenance.Offset < last {
			p.add("offset", "%s: event %d goes back from byte %d to %d", where(e.Provenance), i, last, e.Provenance.Offset)
		}
		last = e.Provenance.Offset
		before, again := seen[e.ID]
		switch {
		case e.ID == "":
			p.add("id", "%s: event %d has no id", where(e.Provenance), i)
		case again && !sameAgain(before, e) && (!writes(s, before.Provenance.Offset, e.ID) || !writes(s, e.Provenance.Offset, e.ID)):
			p.add("id", "%s: event id %s is that of another", where(e.Provenance), e.ID)
		}
		seen[e.ID] = e
		if e.Provenance.File != s.Input.Name {
			p.add("file", "%s: event %d of %s is of file %s", where(e.Provenance), i, s.Input.Name, e.Provenance.File)
		}
	}
	if int64(len(s.Events)) != s.Stats.Events {
		p.add("stats", "%s: %d events, counted %d", s.Input.Name, len(s.Events), s.Stats.Events)
	}
}

// sameAgain reports whether two events with a time of their own differ in nothing
// but their places.
func sameAgain(before, e *trial.Event) bool {
	if e.Timestamp == "" || e.TimestampInferred {
		return false
	}
	a, b := *before, *e
	for _, ev := range []*trial.Event{&a, &b} {
		ev.JSON, ev.Seq, ev.Provenance = nil, 0, trial.Location{}
	}
	return reflect.DeepEqual(a, b)
}

// writes reports whether the tool itself wrote an id into the line at an offset: a record that
// it wrote twice is the same event twice. What an adapter adds to the tool's id says what the
// event is of, and is taken off first:
//
//	"call:toolu_01"   the call toolu_01
//	"msg_7/2"         the third part of the message msg_7
//	"u-19#1"          the second event of the record u-19
func writes(s *trial.Stream, offset int64, id string) bool {
	line, _, _ := bytes.Cut(s.Input.Data[offset:], []byte("\n"))
	id, _, _ = strings.Cut(id, "#")
	if bytes.Contains(line, []byte(id)) {
		return true
	}
	for _, of := range []string{"call:", "result:", "edit:"} {
		id = strings.TrimPrefix(id, of)
	}
	id, _, _ = strings.Cut(id, "/")
	return id != "" && bytes.Contains(line, []byte(id))
}

// times: every time is RFC 3339, an inferred time is that of the event before, and once an
// event had a time all later ones have one.
func times(p *problems, s *trial.Stream) {
	last := ""
	for _, e := range s.Events {
		if e.TimestampInferred && e.Timestamp != last {
			p.add("time", "%s: inferred %q after %q", where(e.Provenance), e.Timestamp, last)
		}
		if e.Timestamp == "" && last != "" {
			p.add("time", "%s: no time after %q", where(e.Provenance), last)
		}
		if e.Timestamp != "" {
			if _, err := time.Parse(time.RFC3339Nano, e.Timestamp); err != nil {
				p.add("time", "%s: %v", where(e.Provenance), err)
			}
			last = e.Timestamp
		}
	}
}

// compactions: what was replaced came before.
func compactions(p *problems, s *trial.Stream) {
	for _, e := range s.Events {
		if r := e.Body.Replaced; e.Event == "compaction" && r != nil && (r.Start > r.End || r.End >= e.Seq) {
			p.add("compaction", "%s: replaces %d to %d", where(e.Provenance), r.Start, r.End)
		}
	}
}

// edits: a diff is of one file, in unified format, with the counts that it says.
func edits(p *problems, s *trial.Stream) {
	for _, e := range s.Events {
		if e.Event == "file_edit" {
			checkDiff(p, where(e.Provenance), e.Body.Diff)
		}
	}
}

// checkDiff checks the diff of an edit by itself: it is of one file, its counts are those of
// its hunks, and "/dev/null" stands in a header just if the file is created or deleted. An edit
// without a diff must not claim to have changed anything.
func checkDiff(p *problems, at string, d *trial.Diff) {
	if d == nil || d.Path == "" {
		p.add("diff", "%s: edit of no file", at)
		return
	}
	if d.Unified == "" {
		if d.Added+d.Removed > 0 || d.Old != nil && d.New != nil && *d.Old != *d.New {
			p.add("diff", "%s: no diff of %s", at, d.Path)
		}
		return
	}
	files, err := patch.Parse(d.Unified)
	if err != nil || len(files) != 1 {
		p.add("diff", "%s: %d files in the diff of %s, %v:\n%.400s", at, len(files), d.Path, err, d.Unified)
		return
	}
	if a, r := files[0].Counts(); a != d.Added || r != d.Removed {
		p.add("diff", "%s: diff of %s has +%d -%d, says +%d -%d", at, d.Path, a, r, d.Added, d.Removed)
	}
	if none := files[0].Old == "/dev/null"; none != (d.Change == "create") {
		p.add("diff", "%s: %s of %s with the header --- %s", at, d.Change, d.Path, files[0].Old)
	}
	if none := files[0].New == "/dev/null"; none != (d.Change == "delete") {
		p.add("diff", "%s: %s of %s with the header +++ %s", at, d.Change, d.Path, files[0].New)
	}
}
