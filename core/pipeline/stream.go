package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/memory"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/shape"
)

// Stream reads one transcript, from lines to facts. Its state is a function of the lines
// so far.
type Stream struct {
	*openState // nil once the stream is closed

	set       *Set
	group     *Group
	number    uint32 // of the stream in its set
	file      string // named in provenance, unless a record is a file itself
	rows      bool   // its records are rows
	tool      core.Tool
	facts     *segment.Facts
	index     map[*segment.Thread]*bind.Index
	observe   func(*core.Event)
	whole     bool // a record is a whole session, or a row
	stats     Stats
	exclusion exclusion
	base      core.Base // the session that it continues, if any
	sessions  sessionIDs
	census    *shape.Census // nil unless shapes are compared

	seq          uint64
	hasFacts     bool // nodes or bindings may come from its events
	isReferenced bool // other streams may use its facts after it is closed
	unsettled    bool // it is in Set.unsettled
}

// openState is the part of a stream that is needed until it is closed.
type openState struct {
	parser           core.Parser
	emit             func(*core.Event)
	at               core.Location // of the current record
	raw              []byte        // its bytes
	rawID            string        // their content id, once it is needed
	messagesOfRecord int           // messages that take their id from the current record
	time             core.Time     // the last one seen
	ids              recordIDs
	last             place
	bounds           bounds
	isAdding         bool // an event is being added to the facts
}

// place is the session, thread and project of an event.
type place struct {
	session, thread string
	project         *core.Project
}

// Stats counts what was read from a stream.
type Stats struct {
	Lines, Records, Events int64
	Unknown                map[string]int64 // records of unknown kinds, by raw type
	// Unseen has the shapes of records that the tool is not known to write: kinds and
	// members of objects, versions of the tool. It is nil unless Options.Shapes is
	// set, and valid until the stream reads on.
	Unseen         map[shape.Unseen]int64
	Dropped        Dropped
	Malformed      int64 // records that are not JSON, or made the parser panic
	FirstMalformed Malformed
}

// Dropped counts the facts of a stream that were dropped because they took more than the
// limit. Their nodes stay.
type Dropped struct {
	Decisions int64
	Limit     int   // in bytes; 0 if nothing was dropped
	Line      int64 // at which facts were first dropped; 0 if records are not lines
}

// Dropped returns what was dropped so far.
func (s *Stream) Dropped() Dropped { return s.stats.Dropped }

// Malformed is the place of a record that could not be read.
type Malformed struct {
	Line   int64
	Reason string
}

// OnEvent sets a function that is called with each event. It must not keep the event.
func (s *Stream) OnEvent(f func(*core.Event)) { s.observe = f }

// Stats returns the counts so far.
func (s *Stream) Stats() Stats {
	stats := s.stats
	if s.census != nil {
		stats.Unseen = s.census.Unseen()
	}
	return stats
}

// Shape returns the variant of the tool's format, if it is known, and the fingerprint of
// all shapes in the stream. Both are "" unless shapes are compared.
func (s *Stream) Shape() (variant, fingerprint string) {
	if s.census == nil {
		return "", ""
	}
	return s.census.Variant(), s.census.Fingerprint()
}

// At returns the current record and the seq of the next event.
func (s *Stream) At() (record core.Location, seq uint64) {
	if s.openState == nil {
		return core.Location{File: s.file}, s.seq
	}
	return s.at, s.seq
}

// SetWhole declares that the stream is one record with a whole session.
func (s *Stream) SetWhole() { s.whole = true }

// Line reads the next line, which has no line end. It may hold several JSON values: a
// tool that appends to a file without a final line end joins two records. Line does not
// keep the bytes.
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

// document returns the document that records are parsed into, one at a time. The streams
// of a set share it.
func (s *Stream) document() *jsondoc.Doc {
	s.set.doc.Whole = s.whole
	return &s.set.doc
}

// Row reads the next record of a stream whose records are not lines: a row of a database
// as a JSON object. Row does not keep the bytes.
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

// Broken adds an event that says why a part of a row is not what it should be, with the
// row as it is: the parser has read only the rest of it.
func (s *Stream) Broken(row []byte, at core.Location, err error) {
	s.at, s.rows = at, true
	s.malformed(row, err)
}

// OverLimit reads the beginning of a record that is too large, and adds an event that says
// so. It does not keep the bytes.
func (s *Stream) OverLimit(beginning []byte, at core.Location, over *core.OverLimit) {
	s.stats.Lines++
	s.at, s.rows = at, s.rows || at.Row != ""
	if at.File == "" {
		s.at.File = s.file
	}
	s.record(core.Record{Bytes: beginning, Err: over, At: s.at})
}

// errGlued is the error of a row with more than a JSON value.
var errGlued = errors.New("more than one JSON value")

// malformed reads a line that is not JSON. It counts the line, unless the parser reads
// plain text, and passes it on as a record, so that its place is known.
func (s *Stream) malformed(rest []byte, err error) {
	if p, ok := s.parser.(core.TextParser); !ok || !p.ReadsText(rest) {
		s.countMalformed(err.Error())
	}
	s.record(core.Record{Bytes: rest, Err: err, At: s.at})
}

// countMalformed counts a line that cannot be read, and keeps the reason for the first.
func (s *Stream) countMalformed(reason string) {
	s.stats.Malformed++
	if s.stats.FirstMalformed.Line == 0 {
		s.stats.FirstMalformed = Malformed{s.at.Line, reason}
	}
}

// record resets the state of the record before, and reads one.
func (s *Stream) record(rec core.Record) {
	s.stats.Records++
	s.raw, s.rawID, s.messagesOfRecord = rec.Bytes, "", 0
	s.ids.next()
	s.parse(rec)
}

// parse parses a record. If the parser panics, the record becomes an unknown event at the
// place of the last event, and reading continues: a fault in an adapter loses nothing. A
// panic in the stages after the parser is not caught.
func (s *Stream) parse(rec core.Record) {
	defer func() {
		if s.isAdding {
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
	s.isAdding = true
	s.add(ev)
	s.isAdding = false
}

// add fills in the fields of an event that the stream knows, and passes it through the
// stages in order. The parser may reuse the event when add returns.
func (s *Stream) add(ev *core.Event) {
	if complaint := s.bounds.bound(ev); complaint != "" {
		s.countMalformed(complaint)
		s.add(&core.Event{
			Session: ev.Session, Thread: ev.Thread, Project: ev.Project,
			Body: &core.Unknown{Raw: core.RawBytes(head(s.raw)), Reason: complaint},
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
	if s.exclusion.excludes(ev) {
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
		s.hasFacts = true
	}
	if s.set.collectsMessages {
		s.collectMessage(ev)
	}
	s.facts.Add(ev)
	s.set.derive(s, ev)
	if !s.facts.IsSettled() && !s.unsettled {
		s.unsettled = true
		s.set.unsettled = append(s.set.unsettled, s)
	}
}

// head returns as much of a record as is kept of one that is over a limit.
func head(raw []byte) []byte {
	const most = 64 << 10
	if len(raw) <= most {
		return raw
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(raw[n]) {
		n--
	}
	return raw[:n]
}

// settle gives the decisions of the stream their scores; see [segment.Facts.Settle].
func (s *Stream) settle() {
	if s.facts == nil {
		return
	}
	for _, d := range s.facts.Settle() {
		s.set.resend(s, d)
	}
}

// needsID reports whether an id is made from the event's id. Hashing every record without
// an id would cost more than reading it.
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
// the adapter skips on purpose, does not count.
func (s *Stream) countUnknown(ev *core.Event) {
	u, ok := ev.Body.(*core.Unknown)
	if !ok || u.Bookkeeping {
		return
	}
	if u.Reason != "" {
		// The adapter may know the reason better than the JSON parser.
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

// shrink drops the oldest facts of the stream, from its indexes too.
func (s *Stream) shrink() {
	s.settle()
	s.facts.DropOldest()
	for t, x := range s.index { // in any order
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

// Renew passes changed companion files of the transcript to the parser, and reports
// whether the stream can continue; see [core.Refresher].
func (s *Stream) Renew(changed map[string][]byte, gone []string) bool {
	if s.openState == nil {
		return false
	}
	r, ok := s.parser.(core.Refresher)
	return ok && r.Renew(changed, gone)
}

// Restart resets the stream, to be read from its first line again, if no nodes came from
// it so far, so that no other stream is affected. It reports whether it did.
func (s *Stream) Restart(a core.Adapter, info core.StreamInfo) bool {
	if s.hasFacts {
		return false
	}
	fresh := s.set.Open(a, info, s.file)
	s.set.claims.removeStream(fresh.number) // neither claims a node
	fresh.group, fresh.observe, fresh.number = s.group, s.observe, s.number
	*s = *fresh
	s.emit = s.event
	return true
}

// Close ends the stream. It keeps what ranks its nodes among those of other streams, and
// the facts that other streams may use.
func (s *Stream) Close() {
	if s.facts != nil {
		s.settle()
		s.facts.Finish()
	}
	if !s.isReferenced {
		s.facts, s.index = nil, nil
	}
	if s.whole {
		s.set.doc = jsondoc.Doc{} // it may be large
	}
	s.openState = nil
}

// recordIDs makes the ids of a stream's events unique: a record may become several
// events, and records without an id may be equal.
type recordIDs struct {
	used []idCount // in the current record
	// indexes in used, once it is long: a whole session may be one record
	at       map[string]int
	contents map[string]uint32 // uses of each content id
}

// idCount counts the uses of an id in one record: "m1", then "m1#1", "m1#2".
type idCount struct {
	id string
	n  int
}

// next begins another record: its ids are counted from the start again.
func (r *recordIDs) next() { r.used, r.at = r.used[:0], nil }

// few is how many ids are looked through one by one.
const maxLinear = 16

// unique returns id for the first event of the record with this id, and "id#n" for the
// n-th further one.
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

// find returns the index of an id in used, or -1.
func (r *recordIDs) find(id string) int {
	if len(r.used) <= maxLinear {
		return slices.IndexFunc(r.used, func(u idCount) bool { return u.id == id })
	}
	if r.at == nil {
		r.at = make(map[string]int, 4*maxLinear)
		for i, u := range r.used {
			r.at[u.id] = i
		}
	}
	if i, ok := r.at[id]; ok {
		return i
	}
	return -1
}

// ofContent returns the id of a record without one, from its content. Equal records get
// "id-2", "id-3".
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
