package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/recall"
	"github.com/memscribe/memscribe/sink/memdb/sanitize"
)

// told is what a session was given before, so that it is not repeated while the model still
// knows it. There is a file for each session, in the state folder, with a line for each item:
//
//	decision:468f6ea2 Forbidden
//	decision:77aa01bc Behind its edits
//	forgotten                            the conversation was summarized here
//
// Lines before the last "forgotten" no longer count. Losing a file costs a repetition only.
type told struct {
	file      string
	lines     map[string]bool
	forgotten bool
}

// The bounds of the folder. A session's file is read up to maxTold bytes. When the folder has
// manyTold files, those that are older than oldEnough are removed.
const (
	maxTold   = 64 << 10 // bytes of one session
	manyTold  = 256      // files, from which on old ones go
	oldEnough = 14 * 24 * time.Hour
	forgotten = "forgotten"
)

// openTold reads what the session of a call was told. A session that begins again was
// told nothing.
func openTold(dir string, c *call, now time.Time) *told {
	sum := sha256.Sum256([]byte(string(c.tool) + " " + c.session))
	t := &told{file: filepath.Join(dir, string(slug(c.tool))+"-"+hex.EncodeToString(sum[:8])), lines: map[string]bool{}}
	if c.moment == begins {
		tidy(dir, now)
		_ = os.Remove(t.file) // it may not be there
		return t
	}
	for line := range strings.Lines(readBounded(t.file)) {
		line = strings.TrimSuffix(line, "\n")
		if t.forgotten = line == forgotten; t.forgotten {
			t.lines = map[string]bool{}
		}
		t.lines[line] = true
	}
	return t
}

// readBounded returns a file's text up to maxTold bytes; "" if it cannot be read.
func readBounded(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	text, _ := io.ReadAll(io.LimitReader(f, maxTold)) // of half a file the half counts
	_ = f.Close()                                     // it was only read
	return string(text)
}

// tidy removes files of sessions that are long over, once there are many.
func tidy(dir string, now time.Time) {
	all, err := os.ReadDir(dir)
	if err != nil || len(all) < manyTold {
		return
	}
	for _, e := range all {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > oldEnough {
			_ = os.Remove(filepath.Join(dir, e.Name())) // another process may have done so
		}
	}
}

// has reports whether the session was told an item: under the same head, or at its
// beginning.
func (t *told) has(it recall.Item) bool {
	id := recall.ShortID(it.ID)
	if it.Head == forbiddenHere {
		return t.lines[id+" "+it.Head] // said again once, where it matters
	}
	for line := range t.lines {
		if strings.HasPrefix(line, id+" ") {
			return true
		}
	}
	return false
}

// add notes what was told.
func (t *told) add(items []recall.Item) error {
	var b strings.Builder
	for _, it := range items {
		b.WriteString(recall.ShortID(it.ID) + " " + it.Head + "\n")
	}
	return t.append(b.String())
}

// forget notes that the model forgets what it was told.
func (t *told) forget() error { return t.append(forgotten + "\n") }

// append adds to the record of what the session was given.
func (t *told) append(text string) error { return appendTo(t.file, text) }

// appendTo adds to a file for the user alone. It is a cache: a crash may lose it.
func appendTo(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// cleaner reports whether words of an agent give orders to agents. The verdicts are kept in a
// file, by a hash of the text, as compiling the rules takes longer than everything else that a
// hook does.
type cleaner struct {
	dir   string
	known map[string]bool
	rules *sanitize.Sanitizer
}

// cleanFile is where verdicts are kept; its number goes up when the rules change.
const cleanFile = "clean.1"

// is reports whether a text holds no orders. A text that cannot be judged is none.
func (c *cleaner) is(text string) bool {
	if c.known == nil {
		c.known = map[string]bool{}
		for line := range strings.Lines(readBounded(filepath.Join(c.dir, cleanFile))) {
			verdict, sum, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if ok {
				c.known[sum] = verdict == "clean"
			}
		}
	}
	digest := sha256.Sum256([]byte(text))
	sum := hex.EncodeToString(digest[:12])
	if clean, ok := c.known[sum]; ok {
		return clean
	}
	if c.rules == nil {
		var err error
		if c.rules, err = sanitize.New(); err != nil {
			return false
		}
	}
	_, removed := c.rules.Clean(text)
	verdict := "clean"
	if len(removed) > 0 {
		verdict = "orders"
	}
	c.known[sum] = len(removed) == 0
	_ = appendTo(filepath.Join(c.dir, cleanFile), verdict+" "+sum+"\n") // it is judged again
	return c.known[sum]
}
