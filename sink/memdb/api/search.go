package api

import (
	"fmt"
	"strings"
)

// Mode is the way in which a search finds memories.
type Mode string

// The modes. The last two need a server with embeddings, a query, and have one page.
const (
	// what has all words of the query, the latest first; as without a mode
	ByWords  Mode = "words"
	BySense  Mode = "vectors" // what is nearest to the query by its vector, the nearest first
	ByHybrid Mode = "hybrid"  // both, in one order by reciprocal ranks
)

// ByVectors reports whether a search looks at vectors.
func (m Mode) ByVectors() bool { return m == BySense || m == ByHybrid }

// SearchRequest asks for memories. All conditions must be met; for lists of kinds and trusts
// any of the values, for tags all of them.
//
//	{"namespaces":["team"],"query":"cursor -offset","kinds":["decision"],"trust":["trusted"]}
//
// Two times can be given, and they differ. AsOf is about what MemDB knew: a memory that was
// written later is not found. InForceAt is about what held: a decision that was superseded
// before is not found, even if MemDB learnt it late.
type SearchRequest struct {
	// never empty, so that no request reaches all by mistake
	Namespaces []string `json:"namespaces"`
	Query      string   `json:"query,omitempty"`
	Mode       Mode     `json:"mode,omitempty"` // "" is words
	Kinds      []string `json:"kinds,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Trust      []Trust  `json:"trust,omitempty"`
	SessionID  string   `json:"session_id,omitempty"`
	Source     string   `json:"source,omitempty"`
	Path       string   `json:"path,omitempty"`      // one of the memory's paths
	ParentID   string   `json:"parent_id,omitempty"` // derived from this one
	Action     *Action  `json:"action,omitempty"`
	From       string   `json:"from,omitempty"` // valid_at not before
	To         string   `json:"to,omitempty"`   // valid_at before

	// AsOf asks what MemDB would have answered at that moment: what it had
	// learnt by then, of what was in force then.
	AsOf string `json:"as_of,omitempty"`
	// InForceAt asks for what was in force at that moment, whenever MemDB learnt
	// it. With AsOf: as it was known then.
	InForceAt string `json:"in_force_at,omitempty"`
	// IncludeInvalid also finds memories that no longer hold.
	IncludeInvalid bool `json:"include_invalid,omitzero"`

	IncludeNode bool   `json:"include_node,omitzero"`
	Limit       int    `json:"limit,omitzero"` // 0 is 20
	Cursor      string `json:"cursor,omitempty"`
}

// Validate implements [Wire].
func (r *SearchRequest) Validate() error {
	var c check
	if len(r.Namespaces) == 0 {
		c.add("/namespaces", "is empty; name the namespaces that are meant")
	}
	c.texts("/namespaces", r.Namespaces, maxName)
	for i, n := range r.Namespaces {
		c.namespace(fmt.Sprintf("/namespaces/%d", i), n)
	}
	c.text("/query", r.Query, 0, maxText)
	r.checkMode(&c)
	c.texts("/kinds", r.Kinds, maxName)
	c.texts("/tags", r.Tags, maxName)
	for i, t := range r.Trust {
		checkTrust(&c, fmt.Sprintf("/trust/%d", i), t)
	}
	c.text("/session_id", r.SessionID, 0, maxID)
	c.text("/source", r.Source, 0, maxName)
	c.text("/path", r.Path, 0, maxText)
	c.text("/parent_id", r.ParentID, 0, maxID)
	if r.Action != nil {
		r.Action.check(&c)
	}
	c.time("/from", r.From)
	c.time("/to", r.To)
	c.time("/as_of", r.AsOf)
	c.time("/in_force_at", r.InForceAt)
	if r.IncludeInvalid && r.InForceAt != "" {
		c.add("/include_invalid", "contradicts in_force_at")
	}
	if r.Limit < 0 || r.Limit > MaxPage {
		c.add("/limit", "is not between 1 and %d", MaxPage)
	}
	c.text("/cursor", r.Cursor, 0, maxName)
	return c.err()
}

// checkMode checks the mode with the fields that only some modes allow.
func (r *SearchRequest) checkMode(c *check) {
	switch {
	case r.Mode == "" || r.Mode == ByWords:
	case !r.Mode.ByVectors():
		c.add("/mode", "is not words, vectors or hybrid")
	case strings.TrimSpace(r.Query) == "":
		c.add("/query", "is empty; a search by vectors needs one")
	case r.Cursor != "":
		c.add("/cursor", "is none of a search by vectors, which has one page")
	}
}

// SearchResponse is a page of memories. A search by words returns the latest valid_at first;
// one by vectors the nearest first, in one page.
type SearchResponse struct {
	Memories   []Memory `json:"memories"`
	NextCursor string   `json:"next_cursor,omitempty"` // asks for what follows; none: nothing does
}

// Validate implements [Wire].
func (r *SearchResponse) Validate() error {
	var c check
	if len(r.Memories) > MaxPage {
		c.add("/memories", "has more than %d elements", MaxPage)
		return c.err()
	}
	for i := range r.Memories {
		c.at = fmt.Sprintf("/memories/%d", i)
		r.Memories[i].check(&c)
	}
	c.at = ""
	c.text("/next_cursor", r.NextCursor, 0, maxName)
	return c.err()
}
