// Package geminilog reads conversations in the form in which Gemini CLI records
// them. The first versions of its fork Qwen Code have the same form.
//
// Until 0.38 a session is one JSON document that is rewritten at every
// change; from 0.39 on it is a log of lines:
//
//	header    {"sessionId","projectHash","startTime",…}; again at each resume
//	message   {"id","timestamp","type","content",…}; the same id again replaces it
//	$set      changes members of the header; "messages" replaces them all
//	$rewindTo takes back a message and all that follow it
//
// A message grows: the model's words come first, its calls with their results in a later line (or a
// later document) of the same id. A parser can only add, so it keeps of every id what it has passed
// on already and passes on the rest. A list that replaces all messages is read in the same way;
// what is in it under new ids is mostly a copy of what was there, which the texts tell.
//
// Checkpoints, which hold a bare list of contents, are read too.
//
// A message as it grows, line by line, and what each line adds:
//
//	{"id":"m1","type":"user","content":"Use UTC."}                      user_turn
//	{"id":"m2","type":"gemini","content":"","thoughts":[…]}             assistant_turn (thoughts)
//	{"id":"m2","type":"gemini","content":"I'll set it.","tokens":{…}}   assistant_turn (words, tokens)
//	{"id":"m2",…,"toolCalls":[{"id":"c1","status":"success",…}]}        tool_call, tool_result, file_edit
//	{"$rewindTo":"m2"}                                                  rewind to behind m1
//
// A list that replaces all messages ("$set") is compared with what was passed on: by
// id, and for messages under new ids by the digest of the text, which counts how often
// a text was said, so that a person may say "continue" twice.
//
// What is kept grows with the number of messages (some tens of bytes each) and not with
// their size; of files, as much as package edit keeps.
package geminilog

import (
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Parser reads the records of one conversation. What it keeps is a few bytes for each message and
// each call, and of the files what edits may need. It serves one goroutine.
type Parser struct {
	stream.Base
	stream.Bodies

	records  entry   // of lines and documents
	messages entry   // of the messages in them
	found    message // what is kept of the one that is read

	// For the whole file: whose conversation it is.
	started bool
	place   place
	shared  bool   // by subagents that began in one minute
	helper  string // line of a subagent whose words stand among the session's
	origin  string // id of the first event
	folder  folder

	// For the whole file: what was passed on, for the tool writes lists of all messages
	// again and again. It grows with the number of messages, not with their size.
	seen      map[uint64]message // by the digest of the id
	ids       []string           // of the messages, in the order in which they came
	calls     map[uint64]told
	turns     map[uint64]typed              // what a person said, by the digest of the text
	said      map[uint64]struct{}           // what the model said, likewise
	copies    map[uint64]uint32             // how often a text is in the list that is being read
	list      []jsondoc.Value               // that list
	reach     uint64                        // seq up to which a summary reaches; 0 is all
	open      pending.Calls[string, parted] // calls among the parts of messages, see parted
	args      jsondoc.Doc                   // of one of them
	files     google.Files
	named     string           // id of the latest message
	asks      string           // the call with which the latest list ends, if it ends with one
	edits     map[uint64]asked // the latest calls that change files, by the digest of what they ask for
	restoring bool             // a person had something put back; the next call says what
	listing   bool             // a list that replaces all messages is being read
	copying   bool             // messages are being written again under new ids, line by line
	whose     author
	briefed   bool // the context of the session was told
	compacted bool // nothing was said since the last compaction
	first     uint64
	window    uint64 // seq of the first event that the model still sees

	turn turn
	tool call
}

// message is what is kept of a message.
type message struct {
	before   uint64 // seq of the event before its first one
	index    uint32 // in ids
	thoughts uint16 // that were passed on
	said     bool   // its text was passed on
	counted  bool   // its tokens were passed on
}

// told is what is kept of a call.
type told struct {
	progress

	seq uint64 // of the event that tells of it
}

// asked is a call that the client may have kept a checkpoint of.
type asked struct {
	id  string
	seq uint64
}

// progress says how much of a call was passed on.
type progress uint8

const (
	called progress = 1 << iota
	resulted
	done // its effects on files, too
)

// typed is a text that a person said.
type typed struct {
	times uint32 // how often
	place message
}

// New returns a parser for one conversation.
func New(info core.StreamInfo) *Parser {
	p := &Parser{
		Base: stream.Base{Kinds: stream.NewTable(Kinds())}, place: placeOf(info.Path), seen: map[uint64]message{}, calls: map[uint64]told{},
		turns: map[uint64]typed{}, said: map[uint64]struct{}{}, copies: map[uint64]uint32{},
		edits: map[uint64]asked{},
	}
	p.beside(info)
	return p
}

// Files is what the parser knows of the texts of files.
func (p *Parser) Files() *google.Files { return &p.files }

// Parse implements [core.Parser].
func (p *Parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.Parent = ""
	if _, ok := p.Begin(rec, emit); !ok {
		return
	}
	e := p.records.read(rec.Doc.Root())
	p.dispatch(e)
	if !p.Emitted {
		p.keep(p.rawType(e), e.root, true)
	}
}

// dispatch reads a record by what it has, in the order in which the client's own
// reader looks (source).
func (p *Parser) dispatch(e *entry) {
	switch {
	case e.root.Kind() == jsondoc.Array && isContent(e.root):
		p.contents(e, e.root)
	case e.root.Kind() != jsondoc.Object:
		p.keep(e.root.Kind().String(), e.root, false)
	case e.rewind.Kind() == jsondoc.String:
		p.start(e)
		p.rewound(e)
	case e.id.Kind() == jsondoc.String && e.kind.Exists():
		p.start(e)
		p.one(e, false)
	case e.set.Kind() == jsondoc.Object:
		p.start(e)
		p.changed(e)
	case e.session.Kind() == jsondoc.String && (e.hash.Exists() || e.messages.Exists() || e.start.Exists()):
		p.header(e)
	case isContent(e.contents):
		p.contents(e, e.contents)
	case isContent(e.history):
		p.contents(e, e.history)
	default:
		p.keep(p.rawType(e), e.root, false)
	}
}

// rawType names a record that has no name of its own.
func (p *Parser) rawType(e *entry) string {
	switch {
	case e.kind.Is("user") && p.turn.Responses > 0:
		return "user/functionResponse" // of calls whose results are known
	case e.kind.Kind() == jsondoc.String:
		return p.Names.Of(e.kind)
	case e.set.Exists():
		return "$set"
	case e.rewind.Exists():
		return "$rewindTo"
	case e.session.Exists():
		return "header"
	case e.role.Kind() == jsondoc.String:
		return p.Names.Joined("role/", p.Names.Of(e.role))
	}
	return e.root.Kind().String()
}

// header reads the header of a log, or a document.
// A header that comes again, at a resume, starts no second session.
func (p *Parser) header(e *entry) {
	p.Time = e.at()
	p.hashed(e.hash.Str())
	p.works(firstDir(e.dirs))
	p.locateAll(e.messages)
	p.start(e)
	p.works(firstDir(e.dirs))
	for name, v := range e.root.Fields() {
		switch string(name.Body()) {
		case "sessionId", "projectHash", "startTime", "lastUpdated", "kind", "messages":
		case "summary", "directories", "memoryScratchpad", // source
			"source": // wild: put in by a person's own script
			p.member("header/", name, v, true)
		default:
			p.member("header/", name, v, false)
		}
	}
	for m := range e.messages.Elems() {
		p.one(p.messages.read(m), false)
	}
	p.ID, p.Parent, p.Time = "", "", core.Time{}
}

// member passes on a member of a header that means nothing here.
func (p *Parser) member(of string, name, v jsondoc.Value, bookkeeping bool) {
	p.ID = p.origin + "/" + p.Names.Of(name)
	p.keep(p.Names.Joined(of, p.Names.Of(name)), v, bookkeeping)
	p.ID = ""
}

// changed reads a line that changes members of the header, or all messages.
func (p *Parser) changed(e *entry) {
	for name, v := range e.set.Fields() {
		switch string(name.Body()) {
		case "messages":
			p.snapshot(v)
		case "directories":
			p.works(firstDir(v))
		case "sessionId", "projectHash", "startTime", "lastUpdated", "kind", "summary", "memoryScratchpad":
		default:
			p.member("$set/", name, v, false)
		}
	}
}

// rewound reads that a message and all after it were taken back. The client's
// own reader takes everything back if it does not know the message (source).
// A message that is taken back keeps its place in ids: it may be named again.
func (p *Parser) rewound(e *entry) {
	body := core.Rewind{ToEvent: p.origin, ToSeq: p.first}
	if m, ok := p.seen[stream.Hash(e.rewind.Body())]; ok {
		body.ToSeq = m.before
		if m.index > 0 {
			body.ToEvent = p.ids[m.index-1]
		}
	}
	p.ID = "rewind:" + e.rewind.Str()
	p.send(&body, false)
	p.compacted = false
}

// send emits an event of the current record.
func (p *Parser) send(body core.Body, injected bool) {
	if p.Head.Thread = ""; p.Thread == "" {
		p.Head.Thread = p.helper
	}
	p.Put(body, injected)
}

// keep passes on what means nothing to the event model.
func (p *Parser) keep(rawType string, v jsondoc.Value, bookkeeping bool) {
	p.Note = core.Unknown{RawType: rawType, Raw: core.RawValue(v), Bookkeeping: bookkeeping}
	p.send(&p.Note, false)
}
