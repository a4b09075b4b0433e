package core

import "github.com/memscribe/memscribe/core/jsondoc"

// EventSchema is the version that every event carries.
const EventSchema = "memscribe.event/v1"

// Event is the normalised, tool-independent record of something that was said
// or done: the system of record.
//
// A parser fills in what the tool wrote; the stream adds Seq, At, the Source
// unless the parser knows better, the id of a record that has none, and the time
// of one that has none. An Event and everything in it is valid only during the call
// that hands it over.
//
// Four things name an event, each for a question of its own. A session s1 whose turn u1
// is followed by the call call_1, and a fork s2 that begins with a copy of both:
//
//	session  kind  ID  CopyOf  CallScope  Seq
//	s1       turn  u1                     1
//	s1       call  u2                     2    its result names call_1
//	s2       turn  v1  u1                 1    the fork's copy of u1
//	s2       call  v2  u2      s1         2    the fork's copy of u2
//	s2       turn  v3                     3    what the fork adds
//
// ID says which record of its file it is, and ParentID points at another one's.
//
// Identity is CopyOf, else ID. Nodes are named after it, so that u1 and v1 give one node,
// whichever of the files is read first.
//
// CallIdentity is CallScope, else Session, with the id of the call: call_1 of s1 and its
// copy in s2 are one call, and call_1 of an unrelated session is another.
//
// Seq is the place in its own stream. It orders the events of one file, and compares
// nothing between files.
type Event struct {
	Source  Tool
	Session string // the tool's own id of the conversation
	Thread  string // the subagent's line; "" is the main line
	// Strand tells apart what several processes do at once in one thread; nil is
	// that with which the thread began. It is shared and never changed.
	Strand *Strand
	Seq    uint64 // counts the events of the stream

	// ID is the tool's id of the record. The stream makes it unique when a
	// record gives several events, and derives one from the record's content
	// when the tool has none.
	ID       string
	ParentID string
	// CopyOf is the id of the record that a fork or branch copied to make this one,
	// where the tool says so. Nodes take their identity from the original.
	CopyOf string

	// CallScope is that within which the record's call ids are unique, where that
	// is not the session: nodes of a call are named after both. A copy of a call
	// has the scope of the original.
	CallScope string

	Time         Time
	TimeInferred bool // Time is that of an earlier record of the stream
	Anchor       bool // a Rewind in another stream may name this event
	Injected     bool // put into the conversation by the tool, not typed or said
	// Echo says that the session's own transcript records the same, and decides
	// how it is named: the event gives no nodes of its own.
	Echo bool

	Project *Project // shared and never changed once it is here; nil is unknown
	Body    Body
	At      Location
}

// Identity is what an event's nodes are named after.
func (e *Event) Identity() string {
	if e.CopyOf != "" {
		return e.CopyOf
	}
	return e.ID
}

// CallIdentity is what the nodes of one of the event's calls are named after.
// The id alone is not enough: some backends count ("call_1").
func (e *Event) CallIdentity(callID string) string {
	scope := e.CallScope
	if scope == "" {
		scope = e.Session
	}
	return scope + "\x00" + callID
}

// Project is where the work happens. It is immutable: parsers make a new one
// when something changes.
type Project struct {
	Cwd      string
	RepoRoot string
	Git      Git
}

// MaxContext is how many bytes a value may have that many events repeat: a folder, a
// branch, an id, the name of a model. No system has a longer path. One record with a
// branch of a megabyte, and a million behind it, would otherwise become a terabyte.
const MaxContext = 4 << 10

// Bounded returns the project without values longer than [MaxContext]: itself, if it has
// none.
func (p *Project) Bounded() *Project {
	if p == nil || max(len(p.Cwd), len(p.RepoRoot), len(p.Git.SHA), len(p.Git.Branch)) <= MaxContext {
		return p
	}
	bounded := *p
	for _, value := range [...]*string{&bounded.Cwd, &bounded.RepoRoot, &bounded.Git.SHA, &bounded.Git.Branch} {
		if len(*value) > MaxContext {
			*value = ""
		}
	}
	return &bounded
}

// BoundedID is an id as events have it: itself, or its hash if it is longer than [MaxContext].
func BoundedID(id string) string {
	if len(id) <= MaxContext {
		return id
	}
	return ContentID([]byte(id))
}

// Git is the state of the repository as far as the tool recorded it.
type Git struct {
	SHA    string
	Branch string
}

// Body is the payload of an event: one of SessionStart, UserTurn,
// AssistantTurn, ToolCall, ToolResult, FileEdit, Compaction, Rewind,
// SessionEnd, Unknown.
type Body interface{ eventName() string }

// SessionStart opens a session, or a thread of it.
type SessionStart struct {
	Cwd         string
	Git         Git
	Model       string
	ToolVersion string
	// Base is the event of another session, an Anchor there, behind which the
	// session continues: a fork that refers to what it has in common with the other
	// one. Not part of the JSON.
	Base Base
}

// Base is an event of a session. The zero Base is none.
type Base struct{ Session, Event string }

// UserTurn is what a person typed; with Event.Injected, what the tool put in a
// person's mouth.
type UserTurn struct {
	Text  Text
	Parts []Part
}

// AssistantTurn is what the model said. Tools that store one response as
// several records give several turns with the same MessageID.
type AssistantTurn struct {
	Text      Text
	Thinking  Text
	Model     string
	MessageID string // the provider's id of the response; not part of the JSON
	Usage     *Usage
	Parts     []Part
}

// Usage counts the tokens of one response, as the tool recorded them. Whether Input
// includes what the cache gave, and Output what the model thought, depends on the
// tool.
type Usage struct {
	Input, Output, CacheRead, CacheCreation int64

	CacheCreation1h int64 // of CacheCreation, what was put there for an hour and not for five minutes
	Reasoning       int64 // what the model thought
	Fast            bool  // the response came in the provider's faster and dearer mode
}

// ToolCall is an invocation of a tool by the model.
type ToolCall struct {
	CallID string
	Name   string
	Args   Raw
	// Memory is what the call writes to a memory of the agent's own or reads from
	// one: all of it in one store, and the same is done to all of it.
	Memory []MemoryAccess
}

// MemoryAction is what an agent does to a memory of its own.
type MemoryAction string

// The actions.
const (
	MemoryWrite MemoryAction = "memory_write"
	MemoryRead  MemoryAction = "memory_read"
)

// MemoryAccess says which memory is meant. The same store and key on a read and
// on a write say which write planted what is read.
type MemoryAccess struct {
	Action MemoryAction
	Store  string // as the agent calls it: a server, or "file"
	Key    string // in the store; "" is all of it
	// Text is what the call says of the memory, verbatim. It is empty where the
	// edit of a file says it; it is not part of the JSON.
	Text string
}

// ToolResult answers a ToolCall.
type ToolResult struct {
	CallID string
	OK     bool
	Output Raw
	// Spawned is the thread that the call started, where the result names it;
	// not part of the JSON.
	Spawned string
	// AlsoSpawned are further threads that the call started; not part of the JSON.
	AlsoSpawned []string
	// Choices are the answered questions, where the call was a question to the
	// person.
	Choices []Choice
	// Verdict says what the person decided, where the call asked for approval.
	Verdict Verdict
	// Reason is what the person gave as a reason, in their own words.
	Reason Text
}

// Verdict is a person's answer to a request for approval.
type Verdict uint8

// The verdicts. NoVerdict is for every call that no one was asked about.
const (
	NoVerdict Verdict = iota
	Approved
	Rejected
)

// Choice is a question of the model that a person answered by choosing.
type Choice struct {
	Question string
	Options  []Option
	Answer   string // free text, when it is none of the options
}

// FileEdit is an edit that was really applied: its call succeeded.
type FileEdit struct {
	CallID string
	Tool   string // the name of the tool call
	Diff   Diff
}

// Change says what an edit did to the file.
type Change string

// The changes.
const (
	Create Change = "create"
	Modify Change = "modify"
	Delete Change = "delete"
	Rename Change = "rename" // with or without a change of content
	// Write gives a file its whole content where the transcript does not say
	// whether the file was there before, or what it held. Unified has added lines
	// only.
	Write Change = "write"
)

// Certainty says how well the lines of a diff, and their numbers, are known.
type Certainty string

// The certainties.
const (
	// Exact: every line and every number is what the file held.
	Exact Certainty = ""
	// Unplaced: the lines are what the file held; their numbers are not known, and
	// hunks are numbered from 1.
	Unplaced Certainty = "unplaced"
	// Told: lines and numbers are what the model asked for or the tool answered; the
	// file may have held others.
	Told Certainty = "told"
)

// Diff is the change of one file.
type Diff struct {
	Path    string
	OldPath string // of a rename
	// Old and New are the replaced and the new text as the call named them: the
	// replaced strings of an edit, the whole content of a file that was written,
	// created or deleted. Nil where that is not known, or is several pieces.
	Old, New *string
	// Unified is the change in standard unified format with file headers. An exact
	// one applies to the prior content, a Write to an empty file. Empty only for a
	// change that is not of text.
	Unified        string
	Added, Removed int // lines; equal to the + and - lines of Unified
	Change         Change
	Certainty      Certainty
}

// Compaction says that the model's view of earlier turns was replaced by a
// summary. The turns themselves stand.
type Compaction struct {
	Start, End uint64 // seq range that was replaced; both 0 when not known
	Summary    Text
}

// Strand is one of the lines on which a thread continues at once, each of its own
// process. Of what the others say and decide since they parted it knows nothing.
//
//	seq   1    2    3    4    5    6
//	      u1 ─ a1 ─ u2 ─ a2 ──────  a4      no strand: with it the thread began
//	            └───────────── u3 ──        No 1, Of 0, At 2: parted behind a1
//
// A strand that turns up behind a Rewind shows that this was none: two processes wrote,
// and neither went back. Its first event names that Rewind in Voids.
type Strand struct {
	No uint32 // from 1 on
	// Where it comes from: another one (0 is the thread's first), and the seq of the
	// last event that they have in common. Not part of the JSON.
	Of uint32
	At uint64
	// Voids is the id of a Rewind that was none, for this continues from what it was
	// believed to have left. Only the first event of a strand has it.
	Voids string
}

// Rewind takes the conversation back to an earlier event: what came after it
// no longer counts.
type Rewind struct {
	ToEvent string
	ToSeq   uint64 // seq of ToEvent; not part of the JSON
	// CrossStream says that ToEvent stands in another stream of the session, where
	// it is an Anchor; ToSeq means nothing then. Not part of the JSON.
	CrossStream bool
}

// SessionEnd closes a session.
type SessionEnd struct{ Reason string }

// Unknown keeps a record that means nothing to the event model, verbatim.
type Unknown struct {
	RawType string // the record's own type, as far as it tells
	Raw     Raw
	// Bookkeeping says that the record's type is known and carries nothing that
	// was said or done; false is a record that no one has described yet.
	Bookkeeping bool
	Reason      string // why a record could not be read at all
}

func (*SessionStart) eventName() string  { return "session_start" }
func (*UserTurn) eventName() string      { return "user_turn" }
func (*AssistantTurn) eventName() string { return "assistant_turn" }
func (*ToolCall) eventName() string      { return "tool_call" }
func (*ToolResult) eventName() string    { return "tool_result" }
func (*FileEdit) eventName() string      { return "file_edit" }
func (*Compaction) eventName() string    { return "compaction" }
func (*Rewind) eventName() string        { return "rewind" }
func (*SessionEnd) eventName() string    { return "session_end" }
func (*Unknown) eventName() string       { return "unknown" }

// EventNames lists the kinds of event, in the order of the contract.
func EventNames() []string {
	all := []Body{
		(*SessionStart)(nil), (*UserTurn)(nil), (*AssistantTurn)(nil), (*ToolCall)(nil), (*ToolResult)(nil),
		(*FileEdit)(nil), (*Compaction)(nil), (*Rewind)(nil), (*SessionEnd)(nil), (*Unknown)(nil),
	}
	names := make([]string, len(all))
	for i, b := range all {
		names[i] = b.eventName()
	}
	return names
}

// Name returns the event's kind as it stands in the JSON.
func (e *Event) Name() string {
	if e.Body == nil {
		return (*Unknown)(nil).eventName()
	}
	return e.Body.eventName()
}

// PartKind says what a Part is.
type PartKind string

// The kinds of part.
const (
	TextPart       PartKind = "text"
	ThinkingPart   PartKind = "thinking"
	ToolUsePart    PartKind = "tool_use"
	ToolResultPart PartKind = "tool_result"
	ImagePart      PartKind = "image"
	OtherPart      PartKind = "other"
)

// Part is one piece of a turn, in the order in which they stand.
type Part struct {
	Kind      PartKind
	Text      Text   // of text and thinking
	CallID    string // of tool_use and tool_result
	Name      string // of tool_use
	MediaType string // of image; its bytes never leave
	Raw       Raw    // of other
}

// Raw is a value of the source that is passed on as it is: a JSON value, or
// bytes that are not JSON at all. The zero Raw is absent.
type Raw struct {
	value jsondoc.Value
	bytes []byte
	text  string
	kind  rawKind
}

type rawKind uint8

const (
	rawAbsent rawKind = iota
	rawValue
	rawBytes
	rawText
)

// RawValue is the Raw of a JSON value; absent if v is.
func RawValue(v jsondoc.Value) Raw {
	if !v.Exists() {
		return Raw{}
	}
	return Raw{value: v, kind: rawValue}
}

// RawBytes is the Raw of bytes that are not JSON.
func RawBytes(b []byte) Raw { return Raw{bytes: b, kind: rawBytes} }

// RawString is the Raw of a string.
func RawString(s string) Raw { return Raw{text: s, kind: rawText} }

// IsAbsent reports whether there is nothing.
func (r Raw) IsAbsent() bool { return r.kind == rawAbsent }

// Value is the JSON value, absent if r holds none.
func (r Raw) Value() jsondoc.Value { return r.value }

// Bytes are the bytes that are not JSON; nil if r holds something else.
func (r Raw) Bytes() []byte { return r.bytes }

// Text is the string, or the bytes that are not JSON; ok is false where r holds a
// JSON value, or nothing.
func (r Raw) Text() (text string, ok bool) {
	switch r.kind {
	case rawText:
		return r.text, true
	case rawBytes:
		return string(r.bytes), true
	default:
		return "", false
	}
}
