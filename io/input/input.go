// Package input opens what a user names (a file, a folder, an archive, or nothing
// for all tools) as a sequence of transcripts.
//
// First it makes a [Plan], which knows what will be read and how much that is;
// the Plan then opens one transcript after the other, in the order of their
// paths. Whose transcript a file is, its content says before its path. In a
// folder or an archive, files that are no transcripts are passed over; a file
// that was named must be one.
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

// Why something that was named gives no transcript.
var (
	ErrEmpty   = errors.New("file is empty")
	ErrUnknown = errors.New("not a transcript of a known tool")
	ErrBinary  = fmt.Errorf("binary file: %w", ErrUnknown)
	ErrNone    = errors.New("no transcripts found")
	ErrArchive = errors.New("an archive")
	ErrZeros   = errors.New("nothing but zero bytes")
	// ErrLogAlone says that a database lacks what was written last: its log lies packed
	// elsewhere than the database.
	ErrLogAlone = errors.New("the log of a database, packed apart from it: unpack both into one folder")
)

// Problem is what keeps a file from being read.
type Problem struct {
	File string
	Err  error
}

func (p *Problem) Error() string { return p.File + ": " + p.Err.Error() }

func (p *Problem) Unwrap() error { return p.Err }

// NewProblem returns the Problem that err says of a file, without what repeats the
// file's name.
func NewProblem(file string, err error) *Problem {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	return &Problem{file, err}
}

// Transcript is one transcript, ready to be read.
type Transcript struct {
	Source  int // the number of what it was found in; see [Plan.Part]
	Adapter core.Adapter
	Info    core.StreamInfo
	Framing core.Framing
	File    string // what provenance says: the path, with "!/" in archives
	Archive bool   // it lies in an archive
	Body    io.Reader
	// Rows are the records of a conversation that lies in a store, in place of a
	// Body; Key is its key, where the store is a database with many.
	Rows []store.Row
	Key  string
}

// Options say how files are judged.
type Options struct {
	// Detect finds the adapter that a file fits best; NoFit is none.
	Detect func(core.Sample) (core.Adapter, core.Fit)
	// Layout finds the adapter whose tool made a database, or none.
	Layout func(path string, s core.Schema) (core.Adapter, core.Layout)
	// IsStore, if not nil, says by its path whether a tool keeps a database there: a file
	// that cannot be read as one is a problem then, also in a folder.
	IsStore func(path string) bool
	// MaxConversation is how many bytes of a conversation in a store are kept; 0 is the
	// standard of package store.
	MaxConversation int
	// As, if not nil, has every file taken for one of its transcripts.
	As core.Adapter
	// Want, if not nil, says whether a tool's transcripts are wanted; those of
	// others are passed over.
	Want func(core.Tool) bool
	// FollowLinks has symbolic links in folders followed out of what was named.
	FollowLinks bool
	// Single refuses archives.
	Single bool
	// Limits bound archives.
	Limits archive.Limits
	// Wrap, if not nil, is put around what is not a regular file: reading that
	// can take forever.
	Wrap func(io.Reader) io.Reader
	// Progress, if not nil, hears how much of Plan.Size has been read.
	Progress func(done int64)
}

// source is one thing that will be opened.
type source struct {
	path   string
	named  string // the file or folder that the user named
	stream io.Reader
	size   int64        // -1: not a regular file
	number int          // among those of the plan
	place  core.Adapter // of the tool in whose folder it was found
}

// Paths plans to read files, and the files in folders.
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

// Places plans to read the transcripts in the tools' own folders. That a tool is
// not used here is no problem, that none is, is one.
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

// Stream plans to read r, which was named name.
func (o Options) Stream(name string, r io.Reader) *Plan {
	p := o.plan()
	p.add(source{path: name, named: name, stream: r, size: -1})
	return p
}
