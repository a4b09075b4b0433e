package core

// MessageSchema is the version that every message carries.
const MessageSchema = "memscribe.message/v1"

// Message is something that was said in a session, whole: by a person, by an agent,
// or to a shell. Nodes are what is worth keeping of a talk; messages are the talk
// itself, for sinks that keep it.
//
// The same message may stand in several transcripts: a fork repeats those before
// it. Then all of them have its ID, and the one with the least Claim stands: one
// that is no copy, then by session, then by file.
type Message struct {
	ID      string // a function of the tool's native ids; see [NodeID]
	Source  Tool
	Session string
	Thread  string
	Seq     uint64
	Time    Time
	Project *Project
	Copied  bool     // the tool says that it is a copy
	File    string   // the transcript
	At      Location // in it; not part of the JSON

	Kind  MessageKind
	Text  string
	Model string // of an agent's words, where it is known

	Usage    *Usage // what the response took, or this part of it
	Response string // the provider's id of the response; "" is not known
}

// MessageKind says what a message is.
type MessageKind string

// The kinds of message.
const (
	Asked   MessageKind = "user"      // a person's words
	Said    MessageKind = "assistant" // an agent's words; they are empty if it only used tools
	Command MessageKind = "command"   // what an agent had a shell do
)

// Message appends the message's JSON to dst, without a line end. After an error
// nothing of the message may be written anywhere.
func (e *Encoder) Message(dst []byte, m *Message) ([]byte, error) {
	e.begin()
	start := len(dst)
	dst = e.message(dst, m)
	if e.repeat() {
		dst = e.message(dst[:start], m)
	}
	return dst, e.err
}

// message appends a message as one JSON object.
func (e *Encoder) message(dst []byte, m *Message) []byte {
	dst = append(dst, `{"schema":"`+MessageSchema+`","kind":"`...)
	dst = append(append(dst, m.Kind...), '"')
	dst = e.str(dst, "id", IDField, m.ID)
	dst = e.str(dst, "source", NameField, string(m.Source))
	dst = e.str(dst, "session_id", IDField, m.Session)
	dst = e.optional(dst, "thread_id", IDField, m.Thread)
	dst = appendUint(dst, "seq", m.Seq)
	dst = appendTime(dst, "timestamp", m.Time)
	dst = e.project(dst, m.Project)
	if m.Copied {
		dst = appendBool(dst, "copied", true)
	}
	dst = e.str(dst, "file", PathField, m.File)
	dst = e.str(dst, "text", TextField, m.Text)
	dst = e.optional(dst, "model", NameField, m.Model)
	if m.Usage != nil {
		dst = e.optional(dst, "response_id", IDField, m.Response)
		dst = appendUsage(dst, m.Usage)
	}
	return append(dst, '}')
}
