// Package input opens what a user names (a file, a folder, an archive, or nothing
// for all tools) as a sequence of transcripts.
//
// First it makes a [Plan], which knows what will be read and how many bytes that is. The Plan
// then opens one transcript after the other, in the order of their paths. The content of a file
// decides which tool it belongs to, and the path only if the content does not show it. In a
// folder or an archive, files that are no transcripts are skipped; a file that was named must be
// one.
//
//	paths, roots, stdin ── Plan ── archive.File ── judge ──▶ Transcript{Adapter, Body}
//	                                  │ a database
//	                                  └── store ──▶ Transcript{Adapter, Rows}, one for each
//	                                                conversation
//
// What each named thing gives:
//
//	a.jsonl           one transcript; an error if no tool fits
//	a folder          the transcripts in it, sorted by path; other files are skipped
//	backup.tar.gz     the transcripts in it, with "!/" in their names
//	state.vscdb       one transcript for each conversation of the database
//	- or a pipe       one transcript, read as it comes
//	nothing           what the tools on this machine have written
//
// Parts of a plan can be read by several goroutines. A part ends at the end of a folder where
// possible, so that sessions that continue each other are in one part. Only one part at a time
// reads a file of more than 8 MiB, a packed file, or a database, since each may need as much
// memory as the budget has for one.
//
// Where to find what:
//
//	input.go    Options, Transcript, Problem
//	plan.go     the list of sources, and opening one after the other
//	part.go     parts of a plan that are read at the same time
//	sample.go   which tool a file belongs to, and how it is framed
//	stores.go   databases, also packed ones
//	pipe.go     named pipes, which can be interrupted
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/store"
)

// Reasons why something that was named gives no transcript.
var (
	ErrEmpty   = errors.New("file is empty")
	ErrUnknown = errors.New("not a transcript of a known tool")
	ErrBinary  = fmt.Errorf("binary file: %w", ErrUnknown)
	ErrNone    = errors.New("no transcripts found")
	ErrArchive = errors.New("an archive")
	ErrZeros   = errors.New("nothing but zero bytes")
	// ErrLogAlone says that a database lacks the latest writes, because its log is packed
	// in another archive or file.
	ErrLogAlone = errors.New("the log of a database, packed apart from it: unpack both into one folder")
)

// Problem is an error that keeps a file from being read.
type Problem struct {
	File string
	Err  error
}

// Error returns the file and the error.
func (p *Problem) Error() string { return p.File + ": " + p.Err.Error() }

// Unwrap returns the error without the file.
func (p *Problem) Unwrap() error { return p.Err }

// NewProblem returns a Problem for a file. If err names the file itself, the name is left out.
func NewProblem(file string, err error) *Problem {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	return &Problem{file, err}
}

// Transcript is one transcript, ready to be read.
type Transcript struct {
	Source  int // number of the source in the plan; see [Plan.Part]
	Adapter core.Adapter
	Info    core.StreamInfo
	Framing core.Framing
	File    string // the file in provenance: the path, with "!/" in archives
	Archive bool   // it is in an archive
	Body    io.Reader
	// Rows are the records of a conversation in a store; then there is no Body. Key is the
	// key of the conversation in a database.
	Rows []store.Row
	Key  string
}

// Options are how files are detected and opened.
type Options struct {
	// Detect returns the adapter that fits a file best; with NoFit there is none.
	Detect func(core.Sample) (core.Adapter, core.Fit)
	// Layout returns the adapter whose tool made a database, or nil.
	Layout func(path string, s core.Schema) (core.Adapter, core.Layout)
	// IsStore, if not nil, reports whether a path is that of a tool's database. Then a file
	// that cannot be read as one is a problem, in a folder, too.
	IsStore func(path string) bool
	// MaxConversation is how many bytes of a conversation in a store are kept; 0 is the
	// default of package store.
	MaxConversation int
	// As, if not nil, is the adapter for every file.
	As core.Adapter
	// Want, if not nil, reports whether a tool's transcripts are wanted; others are
	// skipped.
	Want func(core.Tool) bool
	// FollowLinks says to follow symbolic links out of the folders that were named.
	FollowLinks bool
	// Single says to refuse archives.
	Single bool
	// Limits bound archives.
	Limits archive.Limits
	// Wrap, if not nil, wraps the reader of anything but a regular file, since reading a
	// pipe may wait forever.
	Wrap func(io.Reader) io.Reader
	// Progress, if not nil, is called with the number of bytes of Plan.Size that were read.
	Progress func(done int64)
}

// source is a file, a stream or an archive that will be opened.
type source struct {
	path   string
	named  string // the file or folder that the user named
	stream io.Reader
	size   int64        // in bytes; -1 if it is no regular file
	number int          // its number in the plan
	place  core.Adapter // of the tool in whose folder it was found; may be nil
}

// Paths returns a plan of files, and of the files in folders.
func (o Options) Paths(paths []string) *Plan {
	p := o.plan()
	w := p.walk()
	var all []string
	for _, name := range paths {
		abs, err := filepath.Abs(name)
		if err != nil {
			p.fail(name, name, err)
			continue
		}
		all = append(all, abs)
	}
	slices.Sort(all) // a folder comes before what is in it
	w.Roots = all
	for _, name := range all {
		p.path(w, name)
	}
	p.sort()
	return p
}

// Places returns a plan of the transcripts in the tools' folders. A missing folder is no problem;
// it is one if all are missing.
func (o Options) Places(roots []discover.Root) *Plan {
	p := o.plan()
	w := p.walk()
	for _, r := range roots {
		w.Roots = append(w.Roots, r.Dir)
	}
	for _, r := range roots {
		w.Enter, w.Holds = func(_, rel string) bool { return r.Enter(rel) }, r.Holds
		for f, err := range w.Files(r.Dir) {
			switch {
			case err != nil && f.Rel == "." && errors.Is(err, fs.ErrNotExist): // the tool is not used here
			case err != nil:
				p.fail(f.Path, r.Dir, err)
			default:
				p.add(source{path: f.Path, named: r.Dir, size: f.Info.Size(), place: r.Adapter})
			}
		}
	}
	if len(p.found) == 0 {
		for _, r := range roots {
			p.found[r.Dir] = false
		}
	}
	p.sort()
	return p
}

// Stream returns a plan of a reader with a name.
func (o Options) Stream(name string, r io.Reader) *Plan {
	p := o.plan()
	p.add(source{path: name, named: name, stream: r, size: -1})
	return p
}
