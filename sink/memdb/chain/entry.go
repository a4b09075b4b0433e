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

// Schema is the version that every entry carries. Another one would be another
// hash.
const Schema = "memscribe.memdb.entry/v1"

// Genesis returns the prev_hash of the first entry.
func Genesis() string { return strings.Repeat("0", 64) }

// The actions that are entered.
const (
	Write           = "write"      // a memory that was not there
	Upsert          = "upsert"     // a memory that was there in other words
	Invalidate      = "invalidate" // what supersedes it came, or says another time: it is invalid since then
	Forget          = "forget"     // its content is gone, and stays so
	Purge           = "purge"      // it is gone with its namespace, and may come again
	PutNamespace    = "namespace_put"
	DeleteNamespace = "namespace_delete"
	Rekey           = "rekey" // from here on another key signs; content_sha256 is of the new verifier key, record_sha256 of the last checkpoint before
)

// Entry is one link of the chain.
type Entry = api.Entry

// Sum returns the SHA-256 of bytes in hexadecimal digits.
func Sum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Seal makes an entry the one that follows prev, which is the zero Head before
// the first, and hashes it.
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

// Body returns what an entry's hash is over: the RFC 8785 canonical JSON of its
// members but for the hash.
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

// canonical is an entry without its hash, with the members in the order of RFC
// 8785: encoded, it is canonical, for strings are written so as it is, and there
// are no numbers but small whole ones.
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

// ParseBody reads what Body wrote. It must be just these bytes.
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

// Head is how long a chain is and the hash of its last entry.
type Head struct {
	Length int64
	Hash   string // "" before the first entry
}

// hash returns the hash that the next entry refers to.
func (h Head) hash() string {
	if h.Length == 0 {
		return Genesis()
	}
	return h.Hash
}

// String returns the head as it is shown: of an empty chain, the hash that its first
// entry will hold.
func (h Head) String() string { return h.hash() }
