package meta

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/memscribe/memscribe/internal/verify/trial"
)

// Case is what one recorded session left.
type Case struct {
	Files     []trial.Input // transcripts, which grow
	Databases []Database    // to which rows come
	Pushed    []Pushed      // what was passed to hooks, and telemetry
}

// Database is one that a tool wrote.
type Database struct {
	Name   string // of its file
	Script string // the statements that make it, a line each or several
}

// Pushed is lines of a journal.
type Pushed struct {
	Journal string // its folder, below that of all journals
	Lines   [][]byte
}

// size is about how much it takes to play a case.
func (c *Case) size() int {
	n := 0
	for _, in := range c.Files {
		n += len(in.Data)
	}
	for _, d := range c.Databases {
		n += len(d.Script)
	}
	return n
}

// IsShort reports whether a case can be played many times.
func (c *Case) IsShort() bool { return c.size() < 200<<10 }

// journal is one that is written to.
type journal struct {
	path  string
	lines [][]byte
}

// namedTranscript finds what a payload says of where its transcript lies.
var namedTranscript = regexp.MustCompile(`("(?:agent_)?transcript_?[pP]ath":)"([^"]*)"`)

// begin has the tools of a case begin to write. Where its hooks were recorded, its
// transcripts may lie where no one would look, if no hook named them.
func (w *world) begin(c *Case, rng *rand.Rand) {
	dir := w.dir
	if len(c.Pushed) > 0 && rng.IntN(2) == 0 {
		dir = filepath.Join(w.outside, "elsewhere")
	}
	paths := map[string]string{}
	for _, in := range c.Files {
		path := filepath.Join(dir, filepath.FromSlash(in.Name))
		paths[filepath.Base(path)] = path
		w.pending = append(w.pending, &writing{path: path, data: in.Data})
	}
	for _, d := range c.Databases {
		path := filepath.Join(w.dir, storesDir, strconv.Itoa(len(w.databases)), d.Name)
		w.databases = append(w.databases, newDatabase(path, d.Script))
	}
	for _, p := range c.Pushed {
		j := &journal{path: filepath.Join(w.dir, journalsDir, filepath.FromSlash(p.Journal), "000001.jsonl")}
		for _, line := range p.Lines {
			j.lines = append(j.lines, namedTranscript.ReplaceAllFunc(bytes.Clone(line), func(found []byte) []byte {
				part := namedTranscript.FindSubmatch(found)
				path, ok := paths[filepath.Base(string(part[2]))]
				if !ok {
					return found
				}
				return strconv.AppendQuote(part[1], filepath.ToSlash(path))
			}))
		}
		w.journals = append(w.journals, j)
	}
}

// The folders of what only its own program writes.
const (
	storesDir   = "stores"
	journalsDir = "journal"
)

// push adds lines to a journal, as a hook does, or the receiver of telemetry: whole
// ones.
func (w *world) push() error {
	j := w.journals[w.rng.IntN(len(w.journals))]
	n := min(len(j.lines), 1+w.rng.IntN(4))
	w.note("push %d lines to %s", n, w.rel(j.path))
	err := appendTo(j.path, bytes.Join(append(j.lines[:n:n], nil), []byte("\n")))
	j.lines = j.lines[n:]
	return err
}
