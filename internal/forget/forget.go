// Package forget remembers what must not be captured again, as hashes, without storing its
// content.
//
// What is forgotten leaves every store. Its transcript is not ours and stays, so reading it
// again would bring it back. A tombstone keeps it out: it holds ids, which are hashes
// themselves, and salted hashes of folders and sessions; never a text or a name.
//
//	forget ──▶ delete from every store ──▶ tombstone ──▶ forgotten.ndjson
//	                                                         │
//	replay, watch, hook, receive ── Book.Line, Book.Project ─┘  left out
//
// A tombstone is a line of the file:
//
//	{"schema":"memscribe.forgotten/v1","id":"…","at":"2026-11-27T09:00:00Z","salt":"…",
//	 "projects":["9f86d081884c7d659a2feaa0c55ad015"]}
//
// It matches a node if everything that it names does: a project by the folders that it was
// known by, with all below them; a session by its id; nodes by their ids; a time by their
// timestamps. The salt is in the tombstone, so hashes cannot be looked up in a table, but
// whoever has the file can test a guess.
package forget

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/durable"
)

// FileName is the file of tombstones in the data folder.
const FileName = "forgotten.ndjson"

// Schema is the version that every tombstone carries.
const Schema = "memscribe.forgotten/v1"

// What selects what is forgotten: nodes and messages that satisfy everything given. The zero
// What selects nothing.
type What struct {
	Projects []string  // folders, each with all below it
	Session  string    // its id
	IDs      []string  // of nodes and messages
	Before   time.Time // what is older
}

// IsZero reports whether nothing is given.
func (w *What) IsZero() bool {
	return len(w.Projects) == 0 && w.Session == "" && len(w.IDs) == 0 && w.Before.IsZero()
}

// Tombstone stands for something that is forgotten. Its JSON is one line of the file. It holds
// no text and no name: folders and the session are salted hashes, ids are hashes themselves.
type Tombstone struct {
	Schema   string   `json:"schema"`
	ID       string   `json:"id"`
	At       string   `json:"at"`
	Salt     string   `json:"salt"`
	Projects []string `json:"projects,omitempty"` // hashes
	Session  string   `json:"session,omitempty"`  // a hash
	IDs      []string `json:"ids,omitempty"`
	Before   string   `json:"before,omitempty"`

	before time.Time
}

// New makes a tombstone with a fresh salt. It is an error to select nothing.
func New(w What, now time.Time) (Tombstone, error) {
	if w.IsZero() {
		return Tombstone{}, errors.New("forget: nothing is named")
	}
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return Tombstone{}, fmt.Errorf("forget: %w", err)
	}
	t := Tombstone{
		Schema: Schema, ID: "forgotten-" + hex.EncodeToString(salt[:4]), At: now.UTC().Format(time.RFC3339), Salt: hex.EncodeToString(salt),
		IDs: w.IDs, before: w.Before,
	}
	for _, p := range w.Projects {
		t.Projects = append(t.Projects, t.hash(folder(p)))
	}
	if w.Session != "" {
		t.Session = t.hash(w.Session)
	}
	if !w.Before.IsZero() {
		t.Before = w.Before.UTC().Format(time.RFC3339Nano)
	}
	return t, nil
}

// hash returns 32 hexadecimal digits of the salted SHA-256 of a name.
func (t *Tombstone) hash(name string) string {
	sum := sha256.Sum256([]byte(t.Salt + "\x00" + name))
	return hex.EncodeToString(sum[:16])
}

// folder returns a path with slashes and without one at its end, so that one folder has one
// hash on every system.
func folder(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" {
		return trimmed
	}
	return path
}

// Book is all tombstones, with the answers to names that were asked for lately. One goroutine
// at a time may use it.
type Book struct {
	stones []Tombstone
	known  map[string]bool // by tombstone and name: whether it is the one
	doc    jsondoc.Doc
}

// Of returns the book of some tombstones.
func Of(stones ...Tombstone) *Book { return &Book{stones: stones, known: map[string]bool{}} }

// Read reads a file of tombstones. A file that does not exist has none. A line that cannot be
// read is an error and not skipped: what it stands for must not come back.
func Read(name string) (*Book, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Of(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is forgotten: %w", err)
	}
	b, line := Of(), 0
	for text := range bytes.Lines(data) {
		if line++; len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		var t Tombstone
		if err = json.Unmarshal(text, &t); err == nil && t.Schema != Schema {
			err = fmt.Errorf("its schema is %q, known is %s", t.Schema, Schema)
		}
		if err == nil && t.Before != "" {
			t.before, err = time.Parse(time.RFC3339Nano, t.Before)
		}
		if err != nil {
			return nil, fmt.Errorf("read what is forgotten %s: line %d: %w", name, line, err)
		}
		b.stones = append(b.stones, t)
	}
	return b, nil
}

// Stones returns the tombstones, the oldest first.
func (b *Book) Stones() []Tombstone { return slices.Clone(b.stones) }

// Write replaces a file of tombstones, so that a loss of power leaves the old one or the
// new one.
func Write(name string, stones []Tombstone) error {
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	for i := range stones {
		if err := e.Encode(&stones[i]); err != nil {
			return fmt.Errorf("write what is forgotten: %w", err)
		}
	}
	dir := filepath.Dir(name)
	if err := durable.Create(dir); err != nil {
		return fmt.Errorf("write what is forgotten: %w", err)
	}
	if err := replace(name, func(f *os.File) error {
		_, err := f.Write(lines.Bytes())
		return err
	}); err != nil {
		return fmt.Errorf("write what is forgotten: %w", err)
	}
	return nil
}

// IsEmpty reports whether nothing is forgotten.
func (b *Book) IsEmpty() bool { return len(b.stones) == 0 }

// Project reports whether all of a project is forgotten, by the folders that it is known by. A
// tombstone that also names a session, ids or a time does not cover the whole project.
func (b *Book) Project(p *core.Project) bool {
	for i := range b.stones {
		t := &b.stones[i]
		if t.Session == "" && len(t.IDs) == 0 && t.Before == "" && b.in(t, p.RepoRoot, p.Cwd) {
			return true
		}
	}
	return false
}

// Line reports whether a node or a message, as JSON, is forgotten.
func (b *Book) Line(line []byte) (bool, error) {
	if len(b.stones) == 0 {
		return false, nil
	}
	if _, err := b.doc.Parse(line); err != nil {
		return false, fmt.Errorf("read what may be forgotten: %w", err)
	}
	return b.Has(b.doc.Root()), nil
}

// Has reports whether a node or a message is forgotten.
func (b *Book) Has(root jsondoc.Value) bool {
	return slices.ContainsFunc(b.stones, func(t Tombstone) bool { return b.covers(&t, root) })
}

// covers reports whether a tombstone is about a node: everything that it names must match. A
// binding matches by the id of either end.
func (b *Book) covers(t *Tombstone, root jsondoc.Value) bool {
	if len(t.IDs) > 0 && !slices.ContainsFunc([]string{"id", "from", "to"}, func(name string) bool {
		return slices.Contains(t.IDs, root.Get(name).Str())
	}) {
		return false
	}
	if t.Session != "" && !b.is(t, t.Session, root.Get("session_id").Str()) && !b.is(t, t.Session, root.Path("prov", "used_session").Str()) {
		return false
	}
	if !t.before.IsZero() {
		at, err := time.Parse(time.RFC3339Nano, root.Get("timestamp").Str())
		if err != nil || !at.Before(t.before) {
			return false
		}
	}
	return len(t.Projects) == 0 || b.in(t, root.Path("project", "repo_root").Str(), root.Path("project", "cwd").Str())
}

// is reports whether a hash of t is that of a name.
func (b *Book) is(t *Tombstone, hash, name string) bool {
	key := t.ID + "\x00s\x00" + name
	known, ok := b.known[key]
	if !ok {
		known = name != "" && t.hash(name) == hash
		b.remember(key, known)
	}
	return known
}

// in reports whether one of some folders is, or lies below, a folder that t names. It hashes
// the folder and each one above it.
func (b *Book) in(t *Tombstone, folders ...string) bool {
	for _, f := range folders {
		if f == "" || len(t.Projects) == 0 {
			continue
		}
		key := t.ID + "\x00p\x00" + f
		known, ok := b.known[key]
		if !ok {
			for at := folder(f); !known; {
				known = slices.Contains(t.Projects, t.hash(at))
				up := strings.LastIndexByte(at, '/')
				if up < 0 || at == "/" {
					break
				}
				if at = at[:up]; at == "" {
					at = "/"
				}
			}
			b.remember(key, known)
		}
		if known {
			return true
		}
	}
	return false
}

// manyKnown bounds what is remembered of names.
const manyKnown = 4096

// remember keeps an answer, of which many are the same; beyond manyKnown all are dropped.
func (b *Book) remember(key string, known bool) {
	if len(b.known) >= manyKnown {
		clear(b.known)
	}
	b.known[key] = known
}
