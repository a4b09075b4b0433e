package trial

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Event is an event as it is written, and read back. Its members have the names and the meaning
// of the schema of events; here they are plain strings and numbers, so that a check cannot lean
// on the types under test.
type Event struct {
	JSON []byte `json:"-"`

	Schema            string
	Event             string
	ID                string
	Source            string
	SessionID         string `json:"session_id"`
	ThreadID          string `json:"thread_id"`
	Seq               uint64
	ParentID          string `json:"parent_id"`
	CopyOf            string `json:"copy_of"`
	Strand            int
	Voids             string
	Timestamp         string
	TimestampInferred bool `json:"timestamp_inferred"`
	Injected          bool
	Echo              bool
	Project           Project
	Body              Body
	Provenance        Location
}

// Identity returns what the event's nodes are named after.
func (e *Event) Identity() string {
	if e.CopyOf != "" {
		return e.CopyOf
	}
	return e.ID
}

// Body has the members of the bodies of all kinds of event.
type Body struct {
	Text        string
	Thinking    string
	Model       string
	Cwd         string
	ToolVersion string `json:"tool_version"`
	CallID      string `json:"call_id"`
	Name        string
	Args        jsontext.Value
	OK          bool
	Output      jsontext.Value
	Diff        *Diff
	Replaced    *Range
	Summary     string
	ToEvent     string `json:"to_event"`
	Reason      string
	RawType     string `json:"raw_type"`
	Bookkeeping bool
	Raw         jsontext.Value
	RawBase64   string `json:"raw_base64"`
	Verdict     string
	Injected    bool
	Choices     []jsontext.Value
	Parts       []Part
	Usage       *Usage
}

// Part is a part of a turn.
type Part struct{ Type, Text, Name, MediaType string }

// Usage counts tokens.
type Usage struct {
	Input         int64 `json:"input_tokens"`
	Output        int64 `json:"output_tokens"`
	CacheRead     int64 `json:"cache_read_tokens"`
	CacheCreation int64 `json:"cache_creation_tokens"`

	CacheCreation1h int64 `json:"cache_creation_1h_tokens"`
	Reasoning       int64 `json:"reasoning_tokens"`
	Fast            bool
}

// Project is where the work happens.
type Project struct {
	Cwd      string
	RepoRoot string `json:"repo_root"`
	Git      Git
}

// Git is the state of a repository.
type Git struct{ SHA, Branch string }

// Location is a place in a transcript.
type Location struct {
	File   string
	Offset int64 `json:"byte_offset"`
	Line   int64 `json:"line_no"`
	Row    string
}

// Diff is the change of a file.
type Diff struct {
	Path     string
	OldPath  string `json:"old_path"`
	Old, New *string
	Unified  string
	Added    int `json:"added_lines"`
	Removed  int `json:"removed_lines"`
	Change   string
	// Certainty is "" for a diff whose lines and numbers are what the file held.
	Certainty string
}

// Range is a range of seq.
type Range struct{ Start, End uint64 }

// Marker says why a turn was kept.
type Marker struct {
	Rule     string `json:"rule_id"`
	Category string
	Text     string `json:"matched_text"`
	Offset   int
}

// Option is an alternative that was considered.
type Option struct {
	Text   string
	Chosen bool
}

// Node is a node as it is written, and read back.
type Node struct {
	JSON []byte `json:"-"`

	Schema     string
	Node       string
	ID         string
	Source     string
	SessionID  string `json:"session_id"`
	ThreadID   string `json:"thread_id"`
	Seq        uint64
	Timestamp  string
	Project    Project
	FactStatus string `json:"fact_status"`
	Provenance []Location

	Text         string
	Speaker      string
	TurnRange    *Range `json:"turn_range"`
	Markers      []Marker
	Epitome      string
	Options      []Option `json:"considered_options"`
	IsBan        bool     `json:"is_ban"`
	DecidedBy    string   `json:"decided_by"`
	Confirmation string
	SupersededBy string `json:"superseded_by"`
	Path         string
	Diff         *Diff
	Git          Git
	EpisodeID    string `json:"episode_id"`
	CallID       string `json:"call_id"`
	Tool         string
	From, To     string
	Relation     string
	Evidence     string
	Prov         *Prov
}

// Prov is the provenance of a binding.
type Prov struct {
	UsedSession  string `json:"used_session"`
	UsedDecision string `json:"used_decision"`
	GeneratedBy  string `json:"was_generated_by_session"`
	Use          string `json:"t_use"`
	Gen          string `json:"t_gen"`
}

// readEvent and readNode read a line as the canonical JSON has it, and keep its bytes.
func readEvent(b []byte) (*Event, error) {
	e := &Event{}
	err := json.Unmarshal(b, e, json.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true))
	e.JSON = b
	return e, err
}

func readNode(b []byte) (*Node, error) {
	n := &Node{}
	err := json.Unmarshal(b, n, json.MatchCaseInsensitiveNames(true))
	n.JSON = b
	return n, err
}
