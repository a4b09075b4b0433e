package core

// NodeSchema is the version that every node carries.
const NodeSchema = "memscribe.node/v1"

// Node is a typed fact of a session, as sinks receive it.
//
// The JSON of a node has these members first, then those of its kind:
//
//	{"schema":"memscribe.node/v1","node":"decision","id":"decision:5a7da76c…","source":"pi",
//	 "session_id":"01a202a3-…","seq":4,"timestamp":"2026-11-22T09:43:44.975Z",
//	 "project":{"cwd":"/home/dev/app"},
//	 "fact_status":"observed","provenance":[{"file":"…","byte_offset":2552,"line_no":5}],…}
//
// A node is sent again when its content changes, under the same id; the last one counts.
type Node struct {
	ID         string // a function of the tool's native ids; see [NodeID]
	Source     Tool
	Session    string
	Thread     string
	Seq        uint64
	Time       Time
	Project    *Project
	Fact       FactStatus
	Provenance []Location
	Body       NodeBody
}

// FactStatus says how far a node can be trusted.
type FactStatus string

// The statuses. Memscribe emits the first two; the others are for layers above it.
const (
	Observed            FactStatus = "observed" // verbatim
	Derived             FactStatus = "deterministically_derived"
	StatisticallyRanked FactStatus = "statistically_ranked"
	ModelHypothesis     FactStatus = "llm_hypothesis"
)

// NodeBody is the payload of a node: one of Conversation, Decision, Episode,
// Binding.
type NodeBody interface{ nodeName() string }

// Speaker says whose words a conversation node has.
type Speaker string

// The speakers.
const (
	User      Speaker = "user"
	Assistant Speaker = "assistant"
)

// TurnRange is the range of seqs of a turn, inclusive.
type TurnRange struct{ Start, End uint64 }

// Conversation is a part of a dialogue that is worth keeping, verbatim.
//
//	"text":"Add a /healthz route that returns 200.","speaker":"user","turn_range":{"start":4,"end":4},
//	"markers":[{"rule_id":"en.build","category":"action_request","matched_text":"Add","offset":0}]
type Conversation struct {
	Text    string
	Speaker Speaker
	Turns   TurnRange
	Markers []Marker
	Memory  *MemoryAccess // if it is a call that writes or reads a memory of the agent
}

// Decision is something that was decided, in the deciding words.
//
//	"epitome":"Add a /healthz route that returns 200.","title":"Add a /healthz route that returns 200.",
//	"considered_options":[{"text":"/healthz route that returns 200","chosen":true}],"score":81,"is_ban":false,
//	"decided_by":"user","turn_range":{"start":4,"end":4},"markers":[…]
type Decision struct {
	Epitome      Fragment
	Title        Title // for a reader without the context
	Options      []Considered
	Score        int // 0 to 100: of 100 decisions with this score, so many are right
	IsBan        bool
	DecidedBy    string // "user", or the model's name
	Confirmation string // the turn that confirmed a proposal, verbatim
	SupersededBy string // id of the rewind event or of the decision that replaced it
	Turns        TurnRange
	Markers      []Marker

	// Turn is the text that Markers refer to. Not part of the JSON.
	Turn Fragment
}

// Option is an alternative that was considered.
type Option struct {
	Text   string
	Chosen bool

	// Where the text is that names the option. Not part of the JSON.
	InAssistant bool // in the assistant's words, not the person's
	Offset      int  // of Text, in bytes
}

// Episode is one applied edit of one file by one tool call.
//
//	"path":"/home/dev/app/src/index.js","diff":{…},"git":{},"episode_id":"f612ee09…",
//	"call_id":"call_V8XQ…","tool":"edit"
type Episode struct {
	EpisodeID string
	CallID    string
	Tool      string
	Diff      Diff
	Git       Git
	Memory    *MemoryAccess // if the file is a memory of the agent
}

// Relation says how an edit relates to a decision or a conversation.
type Relation string

// The relations.
const (
	Produced    Relation = "produced"     // the edit carries the decision out
	Governs     Relation = "governs"      // a standing rule or ban applies to the edit
	DerivedFrom Relation = "derived_from" // a conversation without a decision led to the edit
)

// Evidence says how a binding is known.
type Evidence string

// The kinds of evidence.
const (
	SameArc          Evidence = "same_arc"
	SharedPath       Evidence = "shared_path"
	SharedIdentifier Evidence = "shared_identifier"
	Structured       Evidence = "structured"
)

// Binding relates an edit to a decision or a conversation, in the terms of PROV.
//
//	"from":"decision:5a7da76c…","to":"episode:f612ee09…","relation":"produced","evidence":"same_arc",
//	"prov":{"used_session":"…","used_decision":"decision:5a7da76c…","was_generated_by_session":"…",
//	        "t_use":"2026-11-22T09:43:44.975Z","t_gen":"2026-11-22T09:43:46.253Z"}
type Binding struct {
	From, To string // node ids: a decision or conversation, and an episode
	Relation Relation
	Evidence Evidence
	Prov     Prov
}

// Prov is the provenance of a binding: used(session, decision) and
// wasGeneratedBy(edit, session), with Use not after Gen.
type Prov struct {
	UsedSession  string
	UsedDecision string
	GeneratedBy  string // session
	Use, Gen     Time
}

// Category groups the rules of the gate.
type Category string

// The categories.
const (
	DecisionVerb     Category = "decision_verb"
	Rejection        Category = "rejection"
	Ban              Category = "ban"
	Imperative       Category = "imperative"
	Memory           Category = "memory"
	Confirmation     Category = "confirmation"
	ActionRequest    Category = "action_request"
	StructuredChoice Category = "structured_choice"
)

// Marker says why a turn was kept: the rule that fired and where.
type Marker struct {
	Rule     string
	Category Category
	Text     string // verbatim
	Offset   int    // byte offset in the turn's text
}

// The names of nodes in the canonical JSON ("node"). They are part of the format.
func (*Conversation) nodeName() string { return "conversation" }
func (*Decision) nodeName() string     { return "decision" }
func (*Episode) nodeName() string      { return "episode" }
func (*Binding) nodeName() string      { return "binding" }

// Name returns the node's kind as in the JSON.
func (n *Node) Name() string { return n.Body.nodeName() }
