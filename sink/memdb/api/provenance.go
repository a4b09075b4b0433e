package api

import "fmt"

// VerdictStatus says whether a memory is what was written.
type VerdictStatus string

// The verdicts.
const (
	Verified   VerdictStatus = "verified"
	Unverified VerdictStatus = "unverified" // nothing says so or otherwise; see Reason
	Tampered   VerdictStatus = "tampered"
)

// Verdict says whether a memory is what was written, according to the provenance chain:
//
//	{"status":"verified","entry_id":"01890000-0000-7000-8000-000000000001"}
type Verdict struct {
	Status  VerdictStatus `json:"status"`
	Reason  string        `json:"reason,omitempty"` // a word: no_entry, hash_mismatch, …
	Detail  string        `json:"detail,omitempty"`
	EntryID string        `json:"entry_id,omitempty"`
}

// check checks a verdict: a verified memory names its entry, any other one the reason.
func (v *Verdict) check(c *check) {
	switch v.Status {
	case Verified:
		c.text("/provenance/entry_id", v.EntryID, 1, maxID)
	case Unverified, Tampered:
		c.word("/provenance/reason", v.Reason)
	default:
		c.add("/provenance/status", "is unknown")
	}
}

// MemoryAnswer is a memory together with the verdict about it.
type MemoryAnswer struct {
	Memory     Memory  `json:"memory"`
	Provenance Verdict `json:"provenance"`
}

// Validate implements [Wire].
func (a *MemoryAnswer) Validate() error {
	var c check
	a.Provenance.check(&c)
	c.at = "/memory"
	if a.Provenance.Status != Tampered { // what was tampered with is shown as it is
		a.Memory.check(&c)
	}
	return c.err()
}

// Entry is one link of the provenance chain. Its hash is the SHA-256 of the RFC
// 8785 canonical JSON of the other members.
type Entry struct {
	Schema        string   `json:"schema"`
	Seq           int64    `json:"seq"` // from 1, without gaps
	EntryID       string   `json:"entry_id"`
	Namespace     string   `json:"namespace"`
	MemoryID      string   `json:"memory_id"` // empty where the entry concerns the namespace
	Action        string   `json:"action"`
	ContentSHA256 string   `json:"content_sha256"`
	RecordSHA256  string   `json:"record_sha256"` // of everything that is kept of the memory
	Source        string   `json:"source"`
	SessionID     string   `json:"session_id"`
	EventIDs      []string `json:"event_ids"`
	TransactionAt string   `json:"transaction_at"`
	PrevHash      string   `json:"prev_hash"`
	Hash          string   `json:"hash"`
}

// check checks an entry of the chain.
func (e *Entry) check(c *check) {
	if e.Seq < 1 {
		c.add("/seq", "is less than 1")
	}
	c.text("/schema", e.Schema, 1, maxName)
	c.text("/entry_id", e.EntryID, 1, maxName)
	c.text("/memory_id", e.MemoryID, 0, maxID)
	c.word("/action", e.Action)
	c.sum("/content_sha256", e.ContentSHA256)
	c.sum("/record_sha256", e.RecordSHA256)
	c.sum("/prev_hash", e.PrevHash)
	c.sum("/hash", e.Hash)
}

// ProvenanceAnswer has the entries of a memory, the oldest first.
type ProvenanceAnswer struct {
	MemoryID string  `json:"memory_id"`
	Entries  []Entry `json:"entries"`
}

// Validate implements [Wire].
func (a *ProvenanceAnswer) Validate() error {
	var c check
	c.text("/memory_id", a.MemoryID, 1, maxID)
	for i := range a.Entries {
		c.at = fmt.Sprintf("/entries/%d", i)
		a.Entries[i].check(&c)
	}
	return c.err()
}

// Fault is the first bad entry that a verification has found, and why it is bad; the reasons
// are those of packages chain and record.
type Fault struct {
	Seq      int64  `json:"seq"`
	EntryID  string `json:"entry_id,omitempty"`
	MemoryID string `json:"memory_id,omitempty"`
	Reason   string `json:"reason"`
	Detail   string `json:"detail"`
}

// VerifyReport is the result of verifying a whole chain.
type VerifyReport struct {
	OK       bool   `json:"ok"`
	Length   int64  `json:"length"` // entries that were walked
	Head     string `json:"head"`   // hash of the last of them
	Memories int64  `json:"memories"`
	// length that the last checkpoint vouches for; 0: there is none
	Checkpoint int64 `json:"checkpoint"`
	// the last entry by which another key took over; 0: there is none
	Rekeyed int64  `json:"rekeyed,omitzero"`
	Fault   *Fault `json:"fault,omitempty"`
}

// Validate implements [Wire].
func (r *VerifyReport) Validate() error {
	var c check
	if r.OK != (r.Fault == nil) {
		c.add("/ok", "does not go with the fault")
	}
	if r.Fault != nil {
		c.word("/fault/reason", r.Fault.Reason)
	}
	c.sum("/head", r.Head)
	return c.err()
}

// Health is the answer to a monitor: that the server works, and where its chain ends.
//
//	{"status":"ok","version":"v1.2.3","store":"sqlite","chain_length":4,"chain_head":"0a0a…"}
type Health struct {
	Status  string `json:"status"` // "ok"
	Version string `json:"version"`
	Store   string `json:"store"` // its kind
	Length  int64  `json:"chain_length"`
	Head    string `json:"chain_head"`
	// At is the hash of the entry that was asked for; "" if it was not, or if there is
	// none of that number.
	At string `json:"hash_at,omitempty"`
}

// Validate implements [Wire].
func (h *Health) Validate() error {
	var c check
	if h.Status != "ok" {
		c.add("/status", "is not ok")
	}
	c.text("/version", h.Version, 1, maxText)
	c.word("/store", h.Store)
	c.sum("/chain_head", h.Head)
	if h.At != "" {
		c.sum("/hash_at", h.At)
	}
	return c.err()
}
