package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/memory"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/shape"
)

// Stream is one transcript on its way from lines to facts: parser and fold. Its
// state is a function of the lines so far.
type Stream struct {
	*standing // nil once the stream is closed

	set      *Set
	group    *Group
	number   uint32 // among those of the set
	file     string // what provenance says, but for records that are files themselves
	rows     bool   // its records are rows
	tool     core.Tool
	facts    *segment.Facts
	index    map[*segment.Thread]*bind.Index
	observe  func(*core.Event)
	whole    bool // a record is a whole session, or a row
	stats    Stats
	leaving  leaving
	base     core.Base // what it continues, if that stands in another session
	sessions sessionIDs
	census   *shape.Census // nil where shapes are not compared

	seq   uint64
	spoke bool // something may follow from its events
	asked bool // others may ask for its facts when it is closed
}

// standing is where a stream stands: what is not asked for once it is closed.
type standing struct {
	parser core.Parser
	emit   func(*core.Event)
	at     core.Location // of the current record
	raw    []byte        // its bytes
	rawID  string        // their content id, once it was asked for
	heard  int           // messages of the current record that are named after it
	time   core.Time     // the last one seen
	ids    recordIDs
	last   place
	bounds bounds
	adding bool // an event is on its way from the parser to the facts
}

// place is where in a capture an event belongs.
type place struct {
	session, thread string
	project         *core.Project
}

// Stats counts what a stream has seen.
type Stats struct {
	Lines, Records, Events int64
	Unknown                map[string]int64 // records that no one has described, by their raw type
	// Unseen is what is not known of the records' shapes: kinds and members of
	// objects, versions of the tool. Only where the Set was asked for it, and the
	// stream's own: it may be read until more is taken in.
	Unseen         map[shape.Unseen]int64
	Dropped        Dropped
	Malformed      int64 // records that are not JSON, or that the parser broke on
	FirstMalformed Malformed
}

// Dropped is what of a stream has no say any more in what follows: its facts were more
// than the limit. Its nodes stand.
type Dropped struct {
	Decisions int64
	Limit     int   // in bytes; 0: nothing was dropped
	Line      int64 // at which something was dropped first; 0 where records are not lines
}

// Dropped says what of the stream has no say any more.
func (s *Stream) Dropped() Dropped { return s.stats.Dropped }

// Malformed is the place of a record that could not be read.
type Malformed struct {
	Line   int64
	Reason string
}

// OnEvent has each event of the stream shown to f, which may not keep it.
func (s *Stream) OnEvent(f func(*core.Event)) { s.observe = f }

// Stats says what the stream has seen so far.
func (s *Stream) Stats() Stats {
	stats := s.stats
	if s.census != nil {
		stats.Unseen = s.census.Unseen()
	}
	return stats
}

// Shape names the variant of its tool's format that the stream has, as far as that
// is known, and gives the fingerprint of all the shapes in it. Both are "" where
// shapes are not compared.
func (s *Stream) Shape() (variant, fingerprint string) {
	if s.census == nil {
		return "", ""
	}
	return s.census.Variant(), s.census.Fingerprint()
}

// At says where the stream stands: in which record, and which event comes next.
func (s *Stream) At() (record core.Location, seq uint64) {
	if s.standing == nil {
		return core.Location{File: s.file}, s.seq
	}
	return s.at, s.seq
}

// Whole says that the stream is one record, which is a whole session.
func (s *Stream) Whole() { s.whole = true }

// Line takes in the next line, without its end. A line may hold several JSON
// values: tools that append to a file whose last line end was lost glue two
// records together. The line is not kept.
func (s *Stream) Line(line []byte, offset, lineNo int64) {
	s.stats.Lines++
	for rest := line; ; {
		trimmed := bytes.TrimLeft(rest, " \t\r\n\x00")
		offset += int64(len(rest) - len(trimmed))
		rest = bytes.TrimRight(trimmed, " \t\r\n\x00")
		if len(rest) == 0 {
			return
		}
		s.at.Offset, s.at.Line = offset, lineNo
		doc := s.document()
		n, err := doc.Parse(rest)
		if err != nil {
			s.malformed(rest, err)
			return
		}
		s.record(core.Record{Bytes: rest[:n], Doc: doc, At: s.at})
		offset += int64(n)
		rest = rest[n:]
	}
}

// document is where the next record is indexed. Records are indexed one at a time,
// whosever they are.
func (s *Stream) document() *jsondoc.Doc {
	s.set.doc.Whole = s.whole
	return &s.set.doc
}

// Row takes in the next record of a stream whose records are not lines: a row
// of a database, made into a JSON object. It is not kept.
func (s *Stream) Row(row []byte, at core.Location) {
	s.stats.Lines++
	s.at, s.rows = at, true
	s.whole = true
	doc := s.document()
	n, err := doc.Parse(row)
	if err == nil && len(bytes.TrimSpace(row[n:])) > 0 {
		err = errGlued
	}
	if err != nil {
		s.malformed(row, err)
		return
	}
	s.record(core.Record{Bytes: row[:n], Doc: doc, At: at})
}

// Over takes in the beginning of a record that is too large to be kept whole, as an
// event that says so. It is not kept.
func (s *Stream) Over(beginning []byte, at core.Location, over *core.OverLimit) {
	s.stats.Lines++
	s.at, s.rows = at, s.rows || at.Row != ""
	if at.File == "" {
		s.at.File = s.file
	}
	s.record(core.Record{Bytes: beginning, Err: over, At: s.at})
}

// errGlued says that something follows a row's JSON value.
var errGlued = errors.New("more than one JSON value")

// malformed takes in a line that is no JSON. It is counted, unless the parser reads plain
// text, and becomes a record all the same: its place in the file is known.
func (s *Stream) malformed(rest []byte, err error) {
	if p, ok := s.parser.(core.TextParser); !ok || !p.ReadsText(rest) {
		s.countMalformed(err.Error())
	}
	s.record(core.Record{Bytes: rest, Err: err, At: s.at})
}

// countMalformed counts a line that cannot be read; of the first it keeps why.
func (s *Stream) countMalformed(reason string) {
	s.stats.Malformed++
	if s.stats.FirstMalformed.Line == 0 {
		s.stats.FirstMalformed = Malformed{s.at.Line, reason}
	}
}

// record reads one record: nothing of the record before is left.
func (s *Stream) record(rec core.Record) {
	s.stats.Records++
	s.raw, s.rawID, s.heard = rec.Bytes, "", 0
	s.ids.next()
	s.parse(rec)
}

// parse has the parser read a record. One that the parser breaks on becomes an
// unknown event, where the last event was: neither the record nor what comes
// after it is lost to a fault in an adapter. A fault in the stages is none of
// the record's, and continues.
func (s *Stream) parse(rec core.Record) {
	defer func() {
		if s.adding {
			return
		}
		if broken := recover(); broken != nil {
			reason := fmt.Sprint("the parser broke: ", broken)
			s.countMalformed(reason)
			s.event(&core.Event{
				Session: s.last.session, Thread: s.last.thread, Project: s.last.project,
				Body: &core.Unknown{Raw: core.RawBytes(rec.Bytes), Reason: reason},
			})
		}
	}()
	if s.census != nil && rec.Doc != nil {
		s.census.Record(rec.Doc.Root())
	}
	s.parser.Parse(rec, s.emit)
}

// event completes an event and adds it to the facts.
func (s *Stream) event(ev *core.Event) {
	s.adding = true
	s.add(ev)
	s.adding = false
}

// add takes in an event of the parser: it fills in what the stream knows, and hands it to
// each stage in their order. The event is the parser's again when add returns.
func (s *Stream) add(ev *core.Event) {
	if complaint := s.bounds.bound(ev); complaint != "" {
		s.countMalformed(complaint)
		s.add(&core.Event{
			Session: ev.Session, Thread: ev.Thread, Project: ev.Project,
			Body: &core.Unknown{Raw: core.RawBytes(s.raw), Reason: complaint},
		})
		if ev.Body == nil {
			return
		}
	}
	ev.Seq, ev.At = s.seq, s.at
	s.last = place{ev.Session, ev.Thread, ev.Project}
	if ev.Source == "" {
		ev.Source = s.tool
	}
	s.seq++
	s.stats.Events++
	if ev.Time.IsZero() {
		ev.Time, ev.TimeInferred = s.time, !s.time.IsZero()
	} else {
		s.time = ev.Time
	}
	if ev.ID == "" && s.needsID(ev) {
		ev.ID = s.ids.ofContent(s.raw)
	}
	ev.ID = s.ids.unique(ev.ID)
	s.countUnknown(ev)
	if s.leaving.out(ev) {
		return
	}
	if call, ok := ev.Body.(*core.ToolCall); ok {
		call.Memory = memory.OfCall(call, ev.Project)
	}
	if s.observe != nil {
		s.observe(ev)
	}
	if ev.Echo && !s.set.echoes {
		return
	}
	if _, unknown := ev.Body.(*core.Unknown); !unknown {
		s.spoke = true
	}
	if s.set.hears {
		s.hear(ev)
	}
	s.facts.Add(ev)
	s.set.take(s, ev)
}

// needsID says whether anything is named after the event: hashing every record
// that its tool gave no id would cost more than reading it.
func (s *Stream) needsID(ev *core.Event) bool {
	if s.observe != nil {
		return true
	}
	switch ev.Body.(type) {
	case *core.UserTurn, *core.Rewind:
		return true
	}
	return false
}

// countUnknown counts a record that the adapter does not understand. Bookkeeping, which
// the adapter knows and passes over, is none.
func (s *Stream) countUnknown(ev *core.Event) {
	u, ok := ev.Body.(*core.Unknown)
	if !ok || u.Bookkeeping {
		return
	}
	if u.Reason != "" {
		// The adapter may know better than the index why it cannot be read.
		if m := &s.stats.FirstMalformed; s.stats.Malformed == 1 && m.Line == s.at.Line {
			m.Reason = u.Reason
		}
		return
	}
	if s.stats.Unknown == nil {
		s.stats.Unknown = map[string]int64{}
	}
	s.stats.Unknown[u.RawType]++
}

// shrink drops the oldest facts of the stream, and no longer finds decisions by them.
func (s *Stream) shrink() {
	s.facts.DropOldest()
	for t, x := range s.index { // each for itself, in any order
		if !s.facts.HasThread(t) {
			delete(s.index, t)
			continue
		}
		*x = bind.Index{}
		for _, d := range t.Decisions {
			x.Add(d)
		}
	}
	now := s.facts.Dropped()
	if s.stats.Dropped.Limit == 0 {
		s.stats.Dropped.Line = s.at.Line
	}
	s.stats.Dropped.Decisions, s.stats.Dropped.Limit = now.Decisions, now.Limit
}

// Renew tells the parser how companions of the transcript have changed, and reports
// whether the stream can go on; see [core.Refresher].
func (s *Stream) Renew(changed map[string][]byte, gone []string) bool {
	if s.standing == nil {
		return false
	}
	r, ok := s.parser.(core.Refresher)
	return ok && r.Renew(changed, gone)
}

// Restart starts the stream over, to be read from its first line, if nothing follows
// from what it has said: no other stream needs to be read again for it. It reports
// whether that is so.
func (s *Stream) Restart(a core.Adapter, info core.StreamInfo) bool {
	if s.spoke {
		return false
	}
	fresh := s.set.Open(a, info, s.file)
	s.set.claims.drop(fresh.number) // nothing is claimed by either
	fresh.group, fresh.observe, fresh.number = s.group, s.observe, s.number
	*s = *fresh
	s.emit = s.event
	return true
}

// Close says that no more lines will come. What stays of the stream is what its nodes
// need to be told from those of others, and facts if others may ask for them.
func (s *Stream) Close() {
	if s.facts != nil {
		s.facts.Finish()
	}
	if !s.asked {
		s.facts, s.index = nil, nil
	}
	if s.whole {
		s.set.doc = jsondoc.Doc{} // it may be as large as a document
	}
	s.standing = nil
}

// recordIDs makes the ids of a stream's events unique: a record may give
// several events, and records without an id may be equal to the byte.
type recordIDs struct {
	used     []idCount         // in the current record
	at       map[string]int    // where each stands in used, once these are many: a document is one record
	contents map[string]uint32 // how often a content id was given
}

// idCount is how often one record has asked for an id: "m1", then "m1#1", "m1#2".
type idCount struct {
	id string
	n  int
}

func (r *recordIDs) next() { r.used, r.at = r.used[:0], nil }

// few is how many ids are looked through one by one.
const few = 16

// unique returns id for the first event of the record that asks for it, and
// "id#n" for the n-th further one.
func (r *recordIDs) unique(id string) string {
	if id == "" {
		return ""
	}
	if i := r.find(id); i >= 0 {
		r.used[i].n++
		return id + "#" + strconv.Itoa(r.used[i].n)
	}
	r.used = append(r.used, idCount{id: id})
	if r.at != nil {
		r.at[id] = len(r.used) - 1
	}
	return id
}

// find returns where an id stands in used, or -1.
func (r *recordIDs) find(id string) int {
	if len(r.used) <= few {
		return slices.IndexFunc(r.used, func(u idCount) bool { return u.id == id })
	}
	if r.at == nil {
		r.at = make(map[string]int, 4*few)
		for i, u := range r.used {
			r.at[u.id] = i
		}
	}
	if i, ok := r.at[id]; ok {
		return i
	}
	return -1
}

// ofContent returns the id of a record without one. Equal records get "id-2",
// "id-3", so that every event of a stream has its own.
func (r *recordIDs) ofContent(raw []byte) string {
	id := core.ContentID(raw)
	if len(r.used) > 0 {
		return r.used[0].id
	}
	if r.contents == nil {
		r.contents = map[string]uint32{}
	}
	r.contents[id]++
	if n := r.contents[id]; n > 1 {
		return id + "-" + strconv.Itoa(int(n))
	}
	return id
}
