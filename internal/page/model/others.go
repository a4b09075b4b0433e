package model

import (
	"fmt"
	"strconv"
	"strings"
)

// At writes a place of a session as an address has it.
func At(thread string, seq int64) string { return strconv.FormatInt(seq, 10) + "." + thread }

// ParseAt reads what [At] wrote.
func ParseAt(at string) (thread string, seq int64, err error) {
	number, thread, _ := strings.Cut(at, ".")
	if seq, err = strconv.ParseInt(number, 10, 64); err != nil || seq < 0 {
		return "", 0, fmt.Errorf("%w: place %q", ErrAsked, at)
	}
	return thread, seq, nil
}

// Talks is a page of sessions.
type Talks struct {
	Sessions []Talk `json:"sessions"`
	Next     string `json:"next,omitempty"`
}

// Rules are the decisions that are in force in a project.
type Rules struct {
	Rules []Decision `json:"rules"`
}

// Problem is what an error says to who asks.
type Problem struct {
	Error Said `json:"error"`
}

// Found is the answer to a search.
type Found struct {
	Hits    []Hit  `json:"hits"`
	Remarks []Said `json:"remarks,omitempty"` // what a reader should know of the answer
}

// Hit is something that a search found.
//
//	{"tool":"pi",…,"kind":"decision","id":"decision:bd75…","by":"person",
//	 "excerpt":[{"text":"Alternative take: keep /"},{"text":"healthz","hit":true},{"text":" but return …"}]}
type Hit struct {
	Where

	Kind  Said   `json:"kind"`
	ID    Said   `json:"id,omitempty"`
	By    Said   `json:"by"`
	Path  Said   `json:"path,omitempty"`
	IsBan bool   `json:"is_ban,omitempty"`
	Parts []Part `json:"excerpt"`
}

// Open returns the address of what was found.
func (h Hit) Open() string {
	if h.Kind == "decision" {
		return DecisionLink(string(h.ID))
	}
	return h.Link()
}

// Part is a piece of an excerpt.
type Part struct {
	Text Said `json:"text"`
	Hit  bool `json:"hit,omitempty"`
}

// File is a file with the reasons of its lines.
type File struct {
	Path    Said   `json:"path"`
	Project Said   `json:"project,omitempty"`
	Lines   []Line `json:"lines"`
	Edits   []Edit `json:"edits"` // the newest first
	Total   int    `json:"total_lines"`
	Next    int    `json:"next,omitempty"` // the line with which the next part begins
	Remark  Said   `json:"remark,omitempty"`
}

// Line is a line of a file, and what is known of it.
type Line struct {
	Number   int  `json:"line"`
	Text     Said `json:"text"`
	Status   Said `json:"status"` // decision, edit, hand, none, ambiguous
	Decision *Ref `json:"decision,omitempty"`
	Time     Said `json:"timestamp,omitempty"`
	Session  Said `json:"session_id,omitempty"`
	Same     bool `json:"-"` // as the line before
}

// Day returns the day of the edit.
func (l Line) Day() string { return upTo(string(l.Time), "2006-01-02") }

// SessionLink returns the address of the session of the edit.
func (l Line) SessionLink() string { return Talk{Where: Where{Session: l.Session}}.Page() }

// Usage is what responses took.
//
//	{"days":[{"of":"2026-11-22","input":7486,"output":400,"cache_read":7481,"cache_creation":0}],
//	 "models":[{"of":"…","input":7486,…}]}
type Usage struct {
	// Counted is when it was counted, if more was written since; "" if it is as of now.
	Counted string   `json:"counted,omitempty"`
	Days    []Tokens `json:"days"`
	Models  []Tokens `json:"models"`
}

// Tokens are those of a day or of a model.
type Tokens struct {
	Of      Said  `json:"of"`
	Input   int64 `json:"input"`
	Output  int64 `json:"output"`
	Cached  int64 `json:"cache_read"`
	Written int64 `json:"cache_creation"`
}

// Sum returns all of them.
func (t Tokens) Sum() int64 { return t.Input + t.Output + t.Cached + t.Written }

// Health says how the capture stands.
//
//	{"database":"n.db","tools":[{"tool":"pi","sessions":2,"decisions":3,"edits":2,"last":"…"}],
//	 "redactions":[],"redactions_of":0,"watch":{"unknown":"no status_addr is set …","sources":[]}}
type Health struct {
	Database Said       `json:"database"`
	Tools    []Tool     `json:"tools"`
	Redacted []Redacted `json:"redactions"`
	Looked   int        `json:"redactions_of"` // of so many of the newest nodes
	Watch    *Watch     `json:"watch,omitempty"`
}

// Watch is how the capture that runs stands, or why that is not known.
//
// A watch is asked at the address that the settings name (status_addr). Without one, Unknown
// says so.
type Watch struct {
	Unknown Said     `json:"unknown,omitempty"` // why
	State   Said     `json:"state,omitempty"`   // following, catching up, waiting
	Sources []Follow `json:"sources"`
}

// Follow is how the transcripts of a tool are taken in, since the capture was started.
type Follow struct {
	Tool    Said  `json:"tool"`
	Records int64 `json:"records"`
	// records that no one has described: the tool's form has drifted
	Unknown   int64 `json:"unknown"`
	Malformed int64 `json:"malformed"` // records that are no JSON
	LagMS     int64 `json:"lag_ms"`    // from a write until it was durable, at most
}

// Tool is a tool that has nodes or messages.
type Tool struct {
	Name      Said  `json:"tool"`
	Sessions  int64 `json:"sessions"`
	Decisions int64 `json:"decisions"`
	Edits     int64 `json:"edits"`
	Last      Said  `json:"last"`
}

// Redacted is how often a kind of secret was taken out.
type Redacted struct {
	Rule  Said `json:"rule"`
	Count int  `json:"count"`
}
