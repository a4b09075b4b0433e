// Package record prepares a memory for storage, for every store: redacted and
// sanitized, canonical JSON with its digest, and the words to index.
//
//	MemoryWrite ── scrub ── check names ── classify trust ──▶ Memory ── canonical JSON, digest
//	                secrets    ids, keys      orders to agents             └─ words to index
//	                                          are removed
//
// Both stores, SQLite and PostgreSQL, call this package, so that a memory has the same bytes and
// the same hash in each. What cannot be scrubbed is refused as a whole: a batch is stored
// completely or not at all. The package has no database of its own.
//
// What a store calls, for a write and for a search:
//
//	Preparer.Prepare   memories as they will be stored, or the first that is refused
//	New                a Record: canonical JSON, digest, times in milliseconds
//	Scopes.Of          words for the fields by which a search can be narrowed
//	Record.Sum         the two hashes for the entry in the chain
//
//	Terms              the words of a query, some of them excluded
//	Page.Take          is it a result, and is there room on the page?
//	Verdict            is this memory what the chain says?
//
// A field is indexed as a word that no text contains, so that one index of words serves for
// both: "qn" and twelve hex digits stand for a namespace, "qk…" for a kind, and so on. Since
// two values could share such a word, every result is also compared with the request (Fits).
package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// Record is a version of a memory as it is stored. JSON is canonical, so the same memory has
// the same bytes and the same digest in every store. Times are in milliseconds since 1970.
type Record struct {
	Memory  api.Memory
	JSON    []byte
	Digest  []byte // of JSON, but for the time at which it was learnt
	Learnt  int64
	Valid   int64
	Invalid int64 // 0: still in force

	ContentSHA256, RecordSHA256 string // when they have been worked out
}

// Sum computes the two hashes that an entry of the chain has of the record.
func (r *Record) Sum() {
	if r.RecordSHA256 == "" {
		r.ContentSHA256, r.RecordSHA256 = chain.Sum([]byte(r.Memory.Content)), chain.Sum(r.JSON)
	}
}

// New encodes a memory.
func New(m *api.Memory) (*Record, error) {
	r := &Record{Memory: *m, Learnt: Millis(m.TransactionAt), Valid: Millis(m.ValidAt)}
	if m.InvalidAt != "" {
		r.Invalid = max(Millis(m.InvalidAt), 1)
	}
	var err error
	if r.JSON, err = api.Append(nil, m); err != nil {
		return nil, err
	}
	r.Digest, err = DigestOf(r.JSON, m.TransactionAt)
	return r, err
}

// DigestOf returns the hash of a record without its last member, the transaction time: two
// versions with the same digest say the same.
func DigestOf(json []byte, learnt string) ([]byte, error) {
	tail := `,"transaction_at":"` + learnt + `"}`
	if !bytes.HasSuffix(json, []byte(tail)) {
		return nil, fmt.Errorf("encode memory: it does not end with %s", tail)
	}
	sum := sha256.Sum256(json[:len(json)-len(tail)])
	return sum[:], nil
}

// Read reads what New wrote.
func Read(json []byte) (*Record, error) {
	var m api.Memory
	if err := api.Decode(json, &m); err != nil {
		return nil, err
	}
	r, err := New(&m)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(r.JSON, json) {
		return nil, fmt.Errorf("memory %s is not in the form in which it is stored", m.ID)
	}
	return r, nil
}

// The fields that a search can be narrowed by, as letters before a hash.
const (
	NamespaceField = 'n'
	KindField      = 'k'
	TagField       = 't'
	TrustField     = 'r'
	SessionField   = 's'
	SourceField    = 'o'
	PathField      = 'p'
	ParentField    = 'd'
	ActionField    = 'a'
)

// ScopeWord returns a word that stands for a value of a field in the index of words: "q", the
// letter of the field, and the first 6 bytes of the value's SHA-256 in hex. A text has such a
// word only by an unlikely chance.
func ScopeWord(field rune, value string) string {
	sum := sha256.Sum256([]byte(value))
	return "q" + string(field) + hex.EncodeToString(sum[:6])
}

// Scopes makes the words for the values of a memory by which a search can be narrowed. It
// remembers up to 1,024 of them, since many memories share values.
type Scopes struct{ words map[field]string }

// field is a member of a record: the letter that names it, and its value.
type field struct {
	of    rune
	value string
}

// manyScopes is how many words are remembered.
const manyScopes = 1024

// word returns the search word for a value of a field, from a bounded cache.
func (s *Scopes) word(of rune, value string) string {
	word, ok := s.words[field{of, value}]
	if ok {
		return word
	}
	if s.words == nil || len(s.words) >= manyScopes {
		s.words = map[field]string{}
	}
	word = ScopeWord(of, value)
	s.words[field{of, value}] = word
	return word
}

// Of returns the words of a memory, with spaces between them.
func (s *Scopes) Of(m *api.Memory) string {
	words := []string{
		s.word(NamespaceField, m.Namespace), s.word(KindField, m.Kind), s.word(TrustField, string(m.Trust)),
	}
	add := func(of rune, value string) {
		if value != "" {
			words = append(words, s.word(of, value))
		}
	}
	add(SessionField, m.SessionID)
	add(SourceField, m.Source)
	for _, t := range m.Tags {
		add(TagField, t)
	}
	for _, p := range m.Paths {
		add(PathField, p)
	}
	for _, p := range m.ParentIDs {
		add(ParentField, p)
	}
	if a := m.Action; a != nil {
		add(ActionField, ActionWord(a))
		if a.Key != "" {
			// of the whole store
			add(ActionField, ActionWord(&api.Action{Kind: a.Kind, Store: a.Store}))
		}
	}
	return strings.Join(words, " ")
}

// ActionWord returns the value of an action from which its word is made.
func ActionWord(a *api.Action) string { return string(a.Kind) + "\x00" + a.Store + "\x00" + a.Key }

// Searchable returns the part of a content that can be found by its words.
func Searchable(content string, most int) string {
	if len(content) > most {
		content = content[:most]
		if at := strings.LastIndexAny(content, " \n\t"); at > most/2 {
			content = content[:at]
		}
		content = strings.ToValidUTF8(content, "")
	}
	return Spaced(content)
}

// ideographic reports whether a character is written without spaces around the
// word that it belongs to.
func ideographic(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Spaced puts spaces around each character of a script that is written without spaces, so that
// each can be found by itself.
//
//	"数据 v2" → " 数  据  v2"
func Spaced(s string) string {
	if strings.IndexFunc(s, ideographic) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !ideographic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(" " + string(r) + " ")
	}
	return b.String()
}

// Shown returns the memory of a record, with or without its node; nil if the record cannot be
// read.
func Shown(json []byte, node bool) *api.Memory {
	if len(json) == 0 {
		return nil
	}
	r, err := Read(json)
	if err != nil {
		return nil
	}
	if !node {
		r.Memory.Node = nil
	}
	return &r.Memory
}
