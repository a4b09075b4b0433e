package core

// MessageSchema is the version that every message carries.
const MessageSchema = "memscribe.message/v1"

// Message is a complete message of a session: what a person or an agent said, or a shell
// command. Nodes are the part of a conversation that is worth keeping; messages are the
// conversation itself, for sinks that store it.
//
// The same message may be in several transcripts, since a fork repeats earlier ones. All
// have the same ID. The best one is stored: an original before a copy, then by session,
// then by file.
//
//	{"schema":"memscribe.message/v1","kind":"user","id":"…","source":"pi","session_id":"01a202a3-…","seq":4,
//	 "timestamp":"2026-11-22T09:43:44.975Z","project":{"cwd":"/home/dev/app"},"file":"…",
//	 "text":"Add a route."}
type Message struct {
	ID      string // a function of the tool's native ids; see [NodeID]
	Source  Tool
	Session string
	Thread  string
	Seq     uint64
	Time    Time
	Project *Project
	Copied  bool     // the tool marks it as a copy
	File    string   // path of the transcript
	At      Location // place in File; not part of the JSON

	Kind  MessageKind
	Text  string
	Model string // of an agent's words, if known

	Usage    *Usage // of the response, or of this part of it
	Response string // the provider's id of the response, if known
}

// MessageKind is the kind of a message.
type MessageKind string

// The kinds of message.
const (
	Asked   MessageKind = "user"      // a person's words
	Said    MessageKind = "assistant" // an agent's words; empty if it only used tools
	Command MessageKind = "command"   // a shell command of an agent
)
