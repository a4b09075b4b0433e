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
