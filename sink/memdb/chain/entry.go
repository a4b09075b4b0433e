package chain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// Schema is the version in every entry. It is a part of what is hashed.
const Schema = "memscribe.memdb.entry/v1"

// Genesis returns the prev_hash of the first entry.
func Genesis() string { return strings.Repeat("0", 64) }

// The actions of entries.
const (
	Write  = "write"  // a new memory
	Upsert = "upsert" // another version of a memory
	// a memory is invalid from a time on, because another one supersedes it
	Invalidate = "invalidate"
	Forget     = "forget" // the content of a memory was deleted for good
	// a memory was deleted with its namespace; it may be written again
	Purge           = "purge"
	PutNamespace    = "namespace_put"
	DeleteNamespace = "namespace_delete"
	// from here on another key signs; content_sha256 is of the new verifier key, record_sha256 of
	// the last checkpoint before
	Rekey = "rekey"
)

// Entry is one link of the chain.
type Entry = api.Entry

// Sum returns the SHA-256 of bytes in hexadecimal digits.
func Sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Seal links an entry to prev, the head of the chain, and hashes it. The head of an empty chain is
// the zero Head.
func Seal(e *Entry, prev Head) (Stored, error) {
	e.Schema, e.Seq, e.PrevHash = Schema, prev.Length+1, prev.hash()
	if e.EventIDs == nil {
		e.EventIDs = []string{}
	}
	body, err := Body(e)
	if err != nil {
		return Stored{}, err
	}
	e.Hash = Sum(body)
	return Stored{e.Seq, body, e.Hash}, nil
}

// Body returns the bytes that an entry's hash is of: the canonical JSON (RFC 8785) of its members
// without the hash.
func Body(e *Entry) ([]byte, error) {
	out, err := json.Marshal(&canonical{
		Action: e.Action, ContentSHA256: e.ContentSHA256, EntryID: e.EntryID, EventIDs: e.EventIDs, MemoryID: e.MemoryID,
		Namespace: e.Namespace, PrevHash: e.PrevHash, RecordSHA256: e.RecordSHA256, Schema: e.Schema, Seq: e.Seq,
		SessionID: e.SessionID, Source: e.Source, TransactionAt: e.TransactionAt,
	})
	if err != nil {
		return nil, fmt.Errorf("encode entry %d: %w", e.Seq, err)
	}
	return out, nil
}

// canonical is an entry without its hash, with its members in the order of RFC 8785. Its usual
// encoding is canonical: strings are encoded as the RFC says, and all numbers are small integers.
type canonical struct {
	Action        string   `json:"action"`
	ContentSHA256 string   `json:"content_sha256"`
	EntryID       string   `json:"entry_id"`
	EventIDs      []string `json:"event_ids"`
	MemoryID      string   `json:"memory_id"`
	Namespace     string   `json:"namespace"`
	PrevHash      string   `json:"prev_hash"`
	RecordSHA256  string   `json:"record_sha256"`
	Schema        string   `json:"schema"`
	Seq           int64    `json:"seq"`
	SessionID     string   `json:"session_id"`
	Source        string   `json:"source"`
	TransactionAt string   `json:"transaction_at"`
}

// ParseBody parses the result of Body. Other bytes, even of the same JSON value, are an error.
func ParseBody(body []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(body, &e, json.RejectUnknownMembers(true)); err != nil {
		return Entry{}, fmt.Errorf("read entry: %w", err)
	}
	again, err := Body(&e)
	if err != nil {
		return Entry{}, err
	}
	if !slices.Equal(again, body) {
		return Entry{}, fmt.Errorf("read entry %d: it is not in canonical form", e.Seq)
	}
	return e, nil
}

// Head is the length of a chain and the hash of its last entry.
type Head struct {
	Length int64
	Hash   string // "" before the first entry
}

// hash returns the prev_hash of the next entry.
func (h Head) hash() string {
	if h.Length == 0 {
		return Genesis()
	}
	return h.Hash
}

// String returns the hash; for an empty chain, the prev_hash of its first entry.
func (h Head) String() string { return h.hash() }
