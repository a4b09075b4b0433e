package store

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

// record is a version of a memory as it is stored.
type record struct {
	memory  api.Memory
	json    []byte
	digest  []byte // of json, but for the time at which it was learnt
	learnt  int64
	valid   int64
	invalid int64 // 0: still in force

	contentSHA256, recordSHA256 string // when they have been worked out
}

// sum works out what an entry will say of the record.
func (r *record) sum() {
	if r.recordSHA256 == "" {
		r.contentSHA256, r.recordSHA256 = chain.Sum([]byte(r.memory.Content)), chain.Sum(r.json)
	}
}

// newRecord encodes a memory.
func newRecord(m *api.Memory) (*record, error) {
	r := &record{memory: *m, learnt: millis(m.TransactionAt), valid: millis(m.ValidAt)}
	if m.InvalidAt != "" {
		r.invalid = max(millis(m.InvalidAt), 1)
	}
	var err error
	if r.json, err = api.Append(nil, m); err != nil {
		return nil, err
	}
	r.digest, err = digestOf(r.json, m.TransactionAt)
	return r, err
}

// digestOf is a hash of a record without its last member, the transaction time.
func digestOf(json []byte, learnt string) ([]byte, error) {
	tail := `,"transaction_at":"` + learnt + `"}`
	if !bytes.HasSuffix(json, []byte(tail)) {
		return nil, fmt.Errorf("encode memory: it does not end with %s", tail)
	}
	sum := sha256.Sum256(json[:len(json)-len(tail)])
	return sum[:], nil
}

// readRecord reads what newRecord wrote.
func readRecord(json []byte) (*record, error) {
	var m api.Memory
	if err := api.Decode(json, &m); err != nil {
		return nil, err
	}
	r, err := newRecord(&m)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(r.json, json) {
		return nil, fmt.Errorf("memory %s is not in the form in which it is stored", m.ID)
	}
	return r, nil
}

// The fields that a search can be narrowed by, as letters before a hash.
const (
	namespaceField = 'n'
	kindField      = 'k'
	tagField       = 't'
	trustField     = 'r'
	sessionField   = 's'
	sourceField    = 'o'
	pathField      = 'p'
	parentField    = 'd'
	actionField    = 'a'
)

// scopeWord is a word that stands for a value of a field, and that no text has by
// chance.
func scopeWord(field rune, value string) string {
	sum := sha256.Sum256([]byte(value))
	return "q" + string(field) + hex.EncodeToString(sum[:6])
}

// scopes makes the words by which memories can be filtered, and remembers those
// of values that many share.
type scopes struct{ words map[field]string }

type field struct {
	of    rune
	value string
}

// manyScopes is how many words are remembered.
const manyScopes = 1024

func (s *scopes) word(of rune, value string) string {
	word, ok := s.words[field{of, value}]
	if ok {
		return word
	}
	if s.words == nil || len(s.words) >= manyScopes {
		s.words = map[field]string{}
	}
	word = scopeWord(of, value)
	s.words[field{of, value}] = word
	return word
}

// of are the words by which a memory can be filtered.
func (s *scopes) of(m *api.Memory) string {
	words := []string{
		s.word(namespaceField, m.Namespace), s.word(kindField, m.Kind), s.word(trustField, string(m.Trust)),
	}
	add := func(of rune, value string) {
		if value != "" {
			words = append(words, s.word(of, value))
		}
	}
	add(sessionField, m.SessionID)
	add(sourceField, m.Source)
	for _, t := range m.Tags {
		add(tagField, t)
	}
	for _, p := range m.Paths {
		add(pathField, p)
	}
	for _, p := range m.ParentIDs {
		add(parentField, p)
	}
	if a := m.Action; a != nil {
		add(actionField, actionWord(a))
		if a.Key != "" {
			add(actionField, actionWord(&api.Action{Kind: a.Kind, Store: a.Store})) // of the whole store
		}
	}
	return strings.Join(words, " ")
}

func actionWord(a *api.Action) string { return string(a.Kind) + "\x00" + a.Store + "\x00" + a.Key }

// searchable is what of a content can be searched for.
func searchable(content string, most int) string {
	if len(content) > most {
		content = content[:most]
		if at := strings.LastIndexAny(content, " \n\t"); at > most/2 {
			content = content[:at]
		}
		content = strings.ToValidUTF8(content, "")
	}
	return spaced(content)
}

// ideographic reports whether a character is written without spaces around the
// word that it belongs to.
func ideographic(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// spaced sets characters of scripts without spaces apart, so that each can be
// found.
func spaced(s string) string {
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
