package api

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/core"
)

// Origin says where a content comes from.
type Origin string

// The origins. What does not say where it comes from is external.
const (
	Internal Origin = "internal" // a person or the agent itself wrote it
	External Origin = "external" // a web page, the output of a tool, a file that was read
)

// Trust says how much an agent may rely on a memory. The server decides it; a client only gives
// the [Origin].
type Trust string

// The levels of trust.
const (
	Trusted   Trust = "trusted"   // internal
	Untrusted Trust = "untrusted" // external, and nothing was found to take out
	Sanitized Trust = "sanitized" // external, and instructions to an agent were taken out
)

// ActionKind says what an agent did to a memory of its own.
type ActionKind string

// The kinds of actions.
const (
	MemoryWritten ActionKind = "memory_write"
	MemoryRead    ActionKind = "memory_read"
)

// Action is set for what an agent wrote to a memory of its own, or read from one. A read and a
// write with the same store and key belong together: they show which write planted what was
// read.
//
//	{"kind":"memory_write","store":"file","key":"/repo/CLAUDE.md"}
type Action struct {
	Kind  ActionKind `json:"kind"`
	Store string     `json:"store"`
	Key   string     `json:"key"` // empty: the whole store
}

// Body is the part of a memory that a client provides.
//
//	kind, content, tags           what it says
//	origin                        internal or external; the server derives the trust from it
//	source, session_id, …         where it was captured
//	valid_at, invalid_at          when it holds, in RFC 3339
//	superseded_by, parent_ids     other memories
//	node                          the captured node, byte for byte
type Body struct {
	Kind      string   `json:"kind"`
	Content   string   `json:"content"`
	Tags      []string `json:"tags,omitempty"`
	Origin    Origin   `json:"origin,omitempty"`
	Source    string   `json:"source,omitempty"`
	SessionID string   `json:"session_id,omitempty"`
	ThreadID  string   `json:"thread_id,omitempty"`
	// UserID, AgentIDs and CreationTool say who had it written, by whom (the agent
	// that began first, the one that wrote last) and by which tool.
	UserID       string   `json:"user_id,omitempty"`
	AgentIDs     []string `json:"agent_ids,omitempty"`
	CreationTool string   `json:"creation_tool,omitempty"`

	Project   string   `json:"project,omitempty"`
	Paths     []string `json:"paths,omitempty"`
	ValidAt   string   `json:"valid_at,omitempty"`
	InvalidAt string   `json:"invalid_at,omitempty"`
	// SupersededBy is the memory that replaces this one. As soon as both are known, this one is
	// invalid from the time on at which the other is valid. It excludes InvalidAt.
	SupersededBy string         `json:"superseded_by,omitempty"`
	ParentIDs    []string       `json:"parent_ids,omitempty"`
	EventIDs     []string       `json:"event_ids,omitempty"`
	Action       *Action        `json:"action,omitempty"`
	Node         jsontext.Value `json:"node,omitempty"` // the captured node, verbatim
}

// MemoryWrite is a memory that is to be written.
//
//	{"id":"decision:1","kind":"decision","content":"Use Postgres","origin":"internal","source":"codex"}
//
// Writing the same id again replaces the memory; without an id the server assigns a UUIDv7.
type MemoryWrite struct {
	ID   string `json:"id,omitempty"`
	Body `json:",inline"`
}

// Validate implements [Wire].
func (m *MemoryWrite) Validate() error {
	var c check
	m.check(&c)
	return c.err()
}

// check implements the checks of Validate.
func (m *MemoryWrite) check(c *check) {
	c.text("/id", m.ID, 0, maxID)
	m.Body.check(c)
	if m.SupersededBy != "" && m.InvalidAt != "" {
		c.add("/invalid_at", "follows from superseded_by")
	}
	if m.SupersededBy != "" && m.SupersededBy == m.ID {
		c.add("/superseded_by", "is the memory itself")
	}
}

// check checks what a write and a stored memory share.
func (b *Body) check(c *check) {
	c.word("/kind", b.Kind)
	c.text("/content", b.Content, 0, MaxContent)
	if strings.TrimSpace(b.Content) == "" {
		c.add("/content", "is empty")
	}
	c.texts("/tags", b.Tags, maxName)
	if b.Origin != "" && b.Origin != Internal && b.Origin != External {
		c.add("/origin", "is neither internal nor external")
	}
	c.text("/source", b.Source, 0, maxName)
	c.text("/session_id", b.SessionID, 0, maxID)
	c.text("/thread_id", b.ThreadID, 0, maxID)
	c.text("/user_id", b.UserID, 0, maxID)
	c.texts("/agent_ids", b.AgentIDs, maxID)
	c.text("/creation_tool", b.CreationTool, 0, maxName)
	c.text("/project", b.Project, 0, maxText)
	c.texts("/paths", b.Paths, maxText)
	c.time("/valid_at", b.ValidAt)
	c.time("/invalid_at", b.InvalidAt)
	if b.ValidAt != "" && b.InvalidAt != "" && core.ParseTime(b.InvalidAt).Compare(core.ParseTime(b.ValidAt)) < 0 {
		c.add("/invalid_at", "is before valid_at")
	}
	c.text("/superseded_by", b.SupersededBy, 0, maxID)
	c.texts("/parent_ids", b.ParentIDs, maxID)
	c.texts("/event_ids", b.EventIDs, maxID)
	if b.Action != nil {
		b.Action.check(c)
	}
	if len(b.Node) > MaxNode {
		c.add("/node", "is longer than %d bytes", MaxNode)
	} else if len(b.Node) > 0 && b.Node.Kind() != '{' {
		c.add("/node", "is not an object")
	}
	if len(b.Node) > 0 && b.Origin != Internal {
		c.add("/node", "is only for what is internal")
	}
}

// check checks what an agent did to a memory of its own.
func (a *Action) check(c *check) {
	if a.Kind != MemoryWritten && a.Kind != MemoryRead {
		c.add("/action/kind", "is neither memory_write nor memory_read")
	}
	c.text("/action/store", a.Store, 1, maxID)
	c.text("/action/key", a.Key, 0, maxText)
}

// Batch is a list of memories that are written all or none:
//
//	{"memories":[{"id":"1","kind":"note","content":"x"}]}
type Batch struct {
	Memories []MemoryWrite `json:"memories"`
}

// Validate implements [Wire].
func (b *Batch) Validate() error {
	var c check
	if len(b.Memories) == 0 {
		c.add("/memories", "is empty")
	}
	if len(b.Memories) > MaxBatch {
		c.add("/memories", "has more than %d elements", MaxBatch)
		return c.err()
	}
	for i := range b.Memories {
		c.at = fmt.Sprintf("/memories/%d", i)
		b.Memories[i].check(&c)
	}
	return c.err()
}

// Outcome says what a write did.
type Outcome string

// The outcomes.
const (
	Created   Outcome = "created"
	Updated   Outcome = "updated"
	Unchanged Outcome = "unchanged" // the memory was there in just these words
	Forgotten Outcome = "forgotten" // somebody had it forgotten: it stays so
)

// WriteResult says what happened to one memory of a write.
type WriteResult struct {
	ID      string  `json:"id"`
	Outcome Outcome `json:"outcome"`
	Trust   Trust   `json:"trust,omitempty"`
	// of the provenance chain; none if nothing was written
	EntryID string `json:"entry_id,omitempty"`
}

// Validate implements [Wire].
func (r *WriteResult) Validate() error {
	var c check
	r.check(&c)
	return c.err()
}

// check checks one result: an outcome that wrote something must name its entry.
func (r *WriteResult) check(c *check) {
	c.text("/id", r.ID, 1, maxID)
	c.text("/entry_id", r.EntryID, 0, maxID)
	switch r.Outcome {
	case Created, Updated:
		if r.EntryID == "" {
			c.add("/entry_id", "is missing")
		}
		checkTrust(c, "/trust", r.Trust)
	case Unchanged, Forgotten:
	default:
		c.add("/outcome", "is unknown")
	}
}

// BatchResult has the results for a batch, in its order:
//
//	{"results":[{"id":"1","outcome":"forgotten"}]}
type BatchResult struct {
	Results []WriteResult `json:"results"`
}

// Validate implements [Wire].
func (r *BatchResult) Validate() error {
	var c check
	for i := range r.Results {
		c.at = fmt.Sprintf("/results/%d", i)
		r.Results[i].check(&c)
	}
	return c.err()
}

// checkTrust checks a trust level.
func checkTrust(c *check, pointer string, t Trust) {
	if t != Trusted && t != Untrusted && t != Sanitized {
		c.add(pointer, "is unknown")
	}
}

// Removal is a passage that the sanitizer removed from a memory. The removed text is in base64,
// so that an agent that reads the answer does not read the instruction:
//
//	{"field":"/content","rule":"override_instructions","offset":17,"removed":"aWdub3Jl…"}
type Removal struct {
	Field   string `json:"field"` // a JSON pointer: /content, /tags/0
	Rule    string `json:"rule"`
	Offset  int    `json:"offset"`  // in the field as it was sent, in bytes
	Removed []byte `json:"removed"` // in base64, so that reading it does not mean following it
}

// Memory is a memory as MemDB returns it: the body, what the server decided about it, and when
// it learnt it.
type Memory struct {
	ID            string `json:"id"`
	Namespace     string `json:"namespace"`
	Body          `json:",inline"`
	Trust         Trust     `json:"trust"`
	Removals      []Removal `json:"removals,omitempty"`
	TransactionAt string    `json:"transaction_at"`
}

// Validate implements [Wire].
func (m *Memory) Validate() error {
	var c check
	m.check(&c)
	return c.err()
}

// check checks a stored memory.
func (m *Memory) check(c *check) {
	c.text("/id", m.ID, 1, maxID)
	c.namespace("/namespace", m.Namespace)
	m.Body.check(c)
	checkTrust(c, "/trust", m.Trust)
	if m.Origin == "" {
		c.add("/origin", "is missing")
	}
	if (m.Origin == Internal) != (m.Trust == Trusted) {
		c.add("/trust", "does not go with the origin")
	}
	if (len(m.Removals) > 0) != (m.Trust == Sanitized) {
		c.add("/removals", "do not go with the trust")
	}
	for i, r := range m.Removals {
		c.word(fmt.Sprintf("/removals/%d/rule", i), r.Rule)
		if r.Offset < 0 {
			c.add(fmt.Sprintf("/removals/%d/offset", i), "is negative")
		}
	}
	if m.ValidAt == "" {
		c.add("/valid_at", "is missing")
	}
	if core.ParseTime(m.TransactionAt).IsZero() {
		c.add("/transaction_at", "is not a date and time of RFC 3339")
	}
}
