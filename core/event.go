package core

import "github.com/memscribe/memscribe/core/jsondoc"

// EventSchema is the version that every event carries.
const EventSchema = "memscribe.event/v1"

// Event is the normalised, tool-independent record of something that was said or done.
//
// A parser fills in what the tool wrote. The stream adds Seq and At and, where the parser
// has set none, Source, ID and Time. An Event and everything in it is valid only during
// the call that passes it.
//
// Four fields and methods identify an event, each for another purpose. Take a session s1
// with a turn u1 and a call call_1, and a fork s2 that begins with a copy of both:
//
//	session  kind  ID  CopyOf  CallScope  Seq
//	s1       turn  u1                     1
//	s1       call  u2                     2    its result names call_1
//	s2       turn  v1  u1                 1    the fork's copy of u1
//	s2       call  v2  u2      s1         2    the fork's copy of u2
//	s2       turn  v3                     3    what the fork adds
//
// ID identifies the record within its file; ParentID is the ID of another record there.
//
// Identity returns CopyOf if it is set, else ID. Node ids are made from it, so that u1 and
// v1 become one node, whichever file is read first.
//
// CallIdentity combines CallScope if it is set, else Session, with the id of a call: call_1
// of s1 and its copy in s2 are one call, call_1 of an unrelated session is another.
//
// Seq is the position in the stream. It orders the events of one file; the seqs of two
// files cannot be compared.
//
// The JSON of an event has the common members first and its own in "body":
//
//	{"schema":"memscribe.event/v1","event":"user_turn","id":"f4cf6788@…","source":"pi",
//	 "session_id":"01a202a3-…","seq":4,"parent_id":"bb257102@…",
//	 "timestamp":"2026-11-22T09:43:44.975Z","project":{"cwd":"/home/dev/app"},
//	 "body":{"text":"Add a route.","parts":[…]},"provenance":{"file":"…","byte_offset":2552,"line_no":5}}
type Event struct {
	Source  Tool
	Session string // the tool's id of the conversation
	Thread  string // the subagent; "" is the main thread
	// Strand separates what several processes do in one thread at the same time; nil
	// is the first strand. It is shared and never modified.
	Strand *Strand
	Seq    uint64 // number of the event in the stream

	// ID is the tool's id of the record. The stream makes it unique if a record
	// becomes several events, and derives it from the content if the tool has none.
	ID       string
	ParentID string
	// CopyOf is the id of the original if the tool says that a fork or branch copied
	// this record.
	CopyOf string

	// CallScope is the scope in which the record's call ids are unique, if that is not
	// the session. A copy of a call has the scope of the original.
	CallScope string

	Time         Time
	TimeInferred bool // Time is that of an earlier record of the stream
	Anchor       bool // a Rewind in another stream may name this event
	Injected     bool // put into the conversation by the tool, not typed or said
	// Echo says that the session's own transcript has the same event, with the ids
	// that nodes are made from. This one produces no nodes.
	Echo bool

	Project *Project // shared and never modified; nil is unknown
	Body    Body
	At      Location
}

// Identity returns the id that the event's node ids are made from.
func (e *Event) Identity() string {
	if e.CopyOf != "" {
		return e.CopyOf
	}
	return e.ID
}

// CallIdentity returns what the node ids of one of the event's calls are made from. The
// call's id alone is not unique: some backends count ("call_1"). Where no call is known, the
// event itself stands for it.
func (e *Event) CallIdentity(callID string) string {
	scope := e.CallScope
	if scope == "" {
		scope = e.Session
	}
	if callID == "" {
		callID = "\x00" + e.Identity()
	}
	return scope + "\x00" + callID
}

// Project is where the work happens. It is immutable; parsers make a new one when
// something changes.
//
//	"project":{"cwd":"/home/dev/app","repo_root":"…","git":{…}}
//
// Members that are not known are left out.
type Project struct {
	Cwd      string
	RepoRoot string
	Git      Git
}

// MaxContext limits the bytes of values that many events repeat: a folder, a branch, an id,
// the name of a model. No system has longer paths. Without the limit, a branch name of a
// megabyte and a million records after it would become a terabyte.
const MaxContext = 4 << 10

// Bounded returns the project without values longer than [MaxContext]: p itself if there
// are none.
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

// BoundedID returns an id, or its hash if it is longer than [MaxContext].
func BoundedID(id string) string {
	if len(id) <= MaxContext {
		return id
	}
	return ContentID([]byte(id))
}

// Git is the state of the repository, as far as the tool recorded it.
type Git struct {
	SHA    string
	Branch string
}

// Body is the payload of an event: one of SessionStart, UserTurn,
// AssistantTurn, ToolCall, ToolResult, FileEdit, Compaction, Rewind,
// SessionEnd, Unknown.
type Body interface{ eventName() string }

// SessionStart opens a session or a thread.
//
//	"body":{"cwd":"/home/dev/work/orders-service","git":{}}
type SessionStart struct {
	Cwd         string
	Git         Git
	Model       string
	ToolVersion string
	// Base is the event of another session, an Anchor there, that the session continues
	// from: a fork that refers to its parent's records instead of copying them. Not
	// part of the JSON.
	Base Base
}

// Base is an event of a session. The zero value means none.
type Base struct{ Session, Event string }

// UserTurn is what a person typed or, with Event.Injected, what the tool sent in the
// person's name.
type UserTurn struct {
	Text  Text
	Parts []Part
}

// AssistantTurn is what the model said. If a tool stores a response as several records,
// there are several turns with the same MessageID.
//
//	"body":{"text":"","model":"…","usage":{"input_tokens":716,"output_tokens":50,…},
//	        "parts":[{"type":"tool_use","call_id":"call_jFvt…","name":"read"}]}
type AssistantTurn struct {
	Text      Text
	Thinking  Text
	Model     string
	MessageID string // the provider's id of the response; not part of the JSON
	// Unfinished says that the text is not whole: it is being written still, or was when the
	// tool ended. Nothing is concluded from it. Not part of the JSON.
	Unfinished bool
	Usage      *Usage
	Parts      []Part
}

// Usage counts the tokens of one response, as the tool recorded them. Whether Input
// includes cached tokens, and Output those of reasoning, depends on the tool.
//
// Two examples of the difference. Codex counts cached tokens as part of Input, and Claude Code
// does not; who computes a cost must know the tool.
type Usage struct {
	Input, Output, CacheRead, CacheCreation int64

	CacheCreation1h int64 // part of CacheCreation that is cached for an hour, not five minutes
	Reasoning       int64 // tokens of reasoning
	Fast            bool  // the provider's faster, more expensive mode
}

// ToolCall is an invocation of a tool by the model.
//
//	"body":{"call_id":"call_jFvt…","name":"read","args":{"path":"/home/dev/app/src/index.js"}}
type ToolCall struct {
	CallID string
	Name   string
	Args   Raw
	// Memory lists the agent's memories that the call writes or reads. All have the
	// same store and action.
	Memory []MemoryAccess
}

// MemoryAction is what an agent does with one of its memories.
type MemoryAction string

// The actions.
const (
	MemoryWrite MemoryAction = "memory_write"
	MemoryRead  MemoryAction = "memory_read"
)

// MemoryAccess is an access to a memory of the agent. The write with the same store and
// key as a read is where the memory came from.
//
// An example: the agent of one session writes CLAUDE.md, that of another reads it. Both
// accesses have the store "file" and the absolute path as their key, and so belong together.
type MemoryAccess struct {
	Action MemoryAction
	Store  string // the agent's name for it: a server, or "file"
	Key    string // in the store; "" is the whole store
	// Text is the content of the memory in the call, verbatim. It is empty for an edit
	// of a file, which has the content itself. Not part of the JSON.
	Text string
}

// ToolResult answers a ToolCall.
//
//	"body":{"call_id":"call_jFvt…","ok":true,"output":[{"type":"text","text":"const express = …"}]}
type ToolResult struct {
	CallID string
	OK     bool
	Output Raw
	// Spawned is the thread that the call started, if the result names it. Not part of
	// the JSON.
	Spawned string
	// AlsoSpawned lists further threads that the call started. Not part of the JSON.
	AlsoSpawned []string
	// Choices are the answers, if the call asked the person questions.
	Choices []Choice
	// Verdict is the person's decision, if the call asked for approval.
	Verdict Verdict
	// Reason is the person's reason, verbatim.
	Reason Text
}

// Verdict is a person's answer to a request for approval.
type Verdict uint8

// The verdicts. NoVerdict is for calls that did not ask for approval.
const (
	NoVerdict Verdict = iota
	Approved
	Rejected
)

// Choice is a question of the model and the option that a person chose.
//
//	"choices":[{"question":"Which store?","options":[{"text":"Postgres","chosen":true},
//	                                                 {"text":"MySQL","chosen":false}]}]
type Choice struct {
	Question string
	Options  []Option
	Answer   string // free text, if no option was chosen
}

// FileEdit is an edit that was applied: its call succeeded.
//
// An adapter emits it only when the result of the call says that the file was changed. A call
// that failed or was refused is a tool_call and a tool_result only.
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
	// Write writes the whole content of a file, and the transcript does not say whether
	// the file existed or what it contained. Unified has added lines only.
	Write Change = "write"
)

// Certainty says how well the lines of a diff and their numbers are known.
type Certainty string

// The certainties.
const (
	// Exact: all lines and numbers are those of the file.
	Exact Certainty = ""
	// Unplaced: the lines are those of the file; the numbers are not known, and hunks
	// are numbered from 1.
	Unplaced Certainty = "unplaced"
	// Told: lines and numbers are what the model asked for or the tool reported; those
	// of the file may differ.
	Told Certainty = "told"
)

// Diff is the change of one file.
//
// The JSON of a small edit, whose hunk is placed and complete:
//
//	"diff":{"path":"/w/src/index.js","old":"app.listen(port);\n","new":"app.get(…);\n\napp.listen(port);\n",
//	        "unified":"--- a/w/src/index.js\n+++ b/w/src/index.js\n@@ -14,4 +14,6 @@\n …",
//	        "added_lines":2,"removed_lines":0,"change":"modify"}
type Diff struct {
	Path    string
	OldPath string // of a rename
	// Old and New are the old and the new text in the call: the strings of a
	// replacement, or the whole content of a file that was written, created or deleted.
	// Nil if not known, or if there are several pieces.
	Old, New *string
	// Unified is the change in unified format with file headers. If it is exact it
	// applies to the old content; a Write applies to an empty file. It is empty only if
	// the change is not one of text.
	Unified        string
	Added, Removed int // number of + and - lines in Unified
	Change         Change
	Certainty      Certainty
}

// Compaction says that a summary replaced earlier turns in the model's context. The turns
// themselves remain valid.
//
// It matters to an agent that reads the session, not to what was decided: decisions of replaced
// turns stay in force.
type Compaction struct {
	Start, End uint64 // range of replaced seqs; both 0 if not known
	Summary    Text
}

// Strand is one of several lines on which a thread continues at the same time, each written
// by a process of its own, which does not know the others.
//
//	seq   1    2    3    4    5    6
//	      u1 ─ a1 ─ u2 ─ a2 ──────  a4      the first strand: Event.Strand is nil
//	            └───────────── u3 ──        No 1, Of 0, At 2: split off after a1
//
// A new strand can show that an earlier Rewind was none: two processes wrote, and neither
// went back. The first event of the strand names that Rewind in Voids.
type Strand struct {
	No uint32 // counted from 1
	// Of is the number of the strand that this one split off from, At the seq of the
	// last common event. Not part of the JSON.
	Of uint32
	At uint64
	// Voids is the id of the Rewind that this strand makes void. Only the first event
	// of a strand has it.
	Voids string
}

// Rewind takes the conversation back to an earlier event. Everything after that event is
// superseded.
//
// An example: a person edits an earlier prompt, and the session continues from there.
//
//	seq   1 u1    2 a1    3 u2    4 a2    5 Rewind to u1    6 u2'
//	                      ╰── superseded ──╯
type Rewind struct {
	ToEvent string
	ToSeq   uint64 // seq of ToEvent; not part of the JSON
	// CrossStream says that ToEvent is in another stream of the session, where it is an
	// Anchor. ToSeq is then not set. Not part of the JSON.
	CrossStream bool
}

// SessionEnd closes a session.
type SessionEnd struct{ Reason string }

// Unknown is a record that has no meaning in the event model, verbatim.
//
//	"body":{"raw_type":"model_change","bookkeeping":true,"raw":{"type":"model_change","provider":"…",…}}
//
// So nothing of a transcript is lost, and a new kind of record is visible in the statistics
// before an adapter knows it.
type Unknown struct {
	RawType string // the record's type, if it has one
	Raw     Raw
	// Bookkeeping says that the type is known, and that its records have nothing that
	// was said or done. Otherwise the type is not known.
	Bookkeeping bool
	Reason      string // why the record could not be read, if so
}

// The names of events in the canonical JSON ("kind"), one for each body. They are part of
// the format: docs/schema/event.v1.json lists them.
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

// Name returns the event's kind as in the JSON.
func (e *Event) Name() string {
	if e.Body == nil {
		return (*Unknown)(nil).eventName()
	}
	return e.Body.eventName()
}

// PartKind is the kind of a Part.
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

// Part is a piece of a turn.
type Part struct {
	Kind      PartKind
	Text      Text   // of text and thinking
	CallID    string // of tool_use and tool_result
	Name      string // of tool_use
	MediaType string // of image, whose bytes are not kept
	Raw       Raw    // of other
}

// Raw is a value of the source that is passed on unchanged: a JSON value, a string, or
// bytes that are not JSON. The zero Raw is absent.
type Raw struct {
	value jsondoc.Value
	bytes []byte
	text  string
	kind  rawKind
}

// rawKind says how the bytes of a Raw are to be read.
type rawKind uint8

const (
	rawAbsent rawKind = iota
	rawValue
	rawBytes
	rawText
)

// RawValue returns the Raw of a JSON value; it is absent if v is.
func RawValue(v jsondoc.Value) Raw {
	if !v.Exists() {
		return Raw{}
	}
	return Raw{value: v, kind: rawValue}
}

// RawBytes returns the Raw of bytes that are not JSON.
func RawBytes(b []byte) Raw { return Raw{bytes: b, kind: rawBytes} }

// RawString returns the Raw of a string.
func RawString(s string) Raw { return Raw{text: s, kind: rawText} }

// IsAbsent reports whether r is absent.
func (r Raw) IsAbsent() bool { return r.kind == rawAbsent }

// Value returns the JSON value; it is absent if r has none.
func (r Raw) Value() jsondoc.Value { return r.value }

// Bytes returns the bytes that are not JSON, or nil.
func (r Raw) Bytes() []byte { return r.bytes }

// Text returns the string, or the bytes that are not JSON. ok is false if r is a JSON value
// or absent.
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
