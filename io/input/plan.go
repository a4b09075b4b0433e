package input

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/store"
	"github.com/memscribe/memscribe/io/store/snapshot"
)

// Plan is a list of sources that will be read. It must be used by one goroutine; parts of it may
// be read concurrently.
type Plan struct {
	// Size is the number of bytes that will be read, as far as it is known.
	Size int64
	// Skipped is the number of files that were skipped: they are no transcripts, or belong to
	// tools that are not wanted.
	Skipped int
	// Links are the symbolic links that were not followed, because they lead out of the
	// folders that were named.
	Links []string

	options  Options
	sources  []source
	problems []error
	done     int64           // bytes of Size that were read
	found    map[string]bool // by named file or folder: whether it gave a transcript
	strays   *store.OrphanDirs
	opener   archive.Opener

	whole   *Plan      // the plan that this is a part of, or nil
	sharing sync.Mutex // protects fields of the whole that parts write
	large   sync.Mutex // held by the part that reads a large source
	alone   bool       // this part holds large of the whole
}

// plan returns an empty plan.
func (o Options) plan() *Plan {
	return &Plan{options: o, found: map[string]bool{}, strays: store.NewStrays()}
}

// walk returns a walk through folders that records links which are not followed.
func (p *Plan) walk() *discover.Walk {
	return &discover.Walk{Follow: p.options.FollowLinks, Store: p.options.IsStore, Left: func(path string) { p.Links = append(p.Links, path) }}
}

// path adds a file or folder that the user named.
func (p *Plan) path(w *discover.Walk, name string) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		p.fail(name, name, err)
	case w.Has(discover.File{Path: name, Info: info}): // by another name
	case info.IsDir():
		p.folder(w, name)
	case info.Mode().IsRegular():
		w.Seen(discover.File{Path: name, Info: info})
		p.add(source{path: name, named: name, size: info.Size()})
	default:
		p.add(source{path: name, named: name, size: -1})
	}
}

// folder adds the files below a folder. [Plan.After] names a folder that gave nothing.
func (p *Plan) folder(w *discover.Walk, dir string) {
	p.found[dir] = false // for the case that it is empty
	for f, err := range w.Files(dir) {
		if err != nil {
			p.fail(f.Path, dir, err)
			continue
		}
		p.add(source{path: f.Path, named: dir, size: f.Info.Size()})
	}
}

// sort sorts the sources by path, so that the output does not depend on the order in which a file
// system lists them.
func (p *Plan) sort() {
	slices.SortStableFunc(p.sources, func(a, b source) int { return cmp.Compare(a.path, b.path) })
	for i := range p.sources {
		p.sources[i].number = i
	}
}

// add adds a source and its size.
func (p *Plan) add(s source) {
	p.sources = append(p.sources, s)
	if !p.found[s.named] {
		p.found[s.named] = false
	}
	p.Size += max(s.size, 0)
}

// fail records that a file cannot be read.
func (p *Plan) fail(file, named string, err error) {
	p.problems = append(p.problems, NewProblem(file, err))
	p.found[named] = true
}

// Transcripts opens one transcript after the other and yields it. Each is valid until the next is
// yielded. A file that cannot be opened gives a *Problem, and the others follow.
func (p *Plan) Transcripts(ctx context.Context) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {
		for _, err := range p.Before() {
			if !yield(Transcript{}, err) {
				return
			}
		}
		for i := range p.sources {
			if !p.open(ctx, &p.sources[i], yield) {
				return
			}
		}
		for _, err := range p.After() {
			if !yield(Transcript{}, err) {
				return
			}
		}
	}
}

// Before returns the problems that are known before anything is opened.
func (p *Plan) Before() []error { return p.problems }

// After returns a problem for each named folder or archive without a transcript. It must be called
// after all transcripts were read.
func (p *Plan) After() []error {
	var problems []error
	for _, named := range p.empty() {
		problems = append(problems, &Problem{named, ErrNone})
	}
	return problems
}

// empty returns the named folders and archives without a transcript, sorted.
func (p *Plan) empty() []string {
	if p.whole != nil {
		return nil // another part may have found something
	}
	var names []string
	for name, found := range p.found { // sorted below
		if !found {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// open yields the transcripts in a source.
func (p *Plan) open(ctx context.Context, s *source, yield func(Transcript, error) bool) bool {
	start := p.done
	defer func() { p.progress(start + max(s.size, 0) - p.done) }()
	defer p.together()
	if s.size > mostSmall {
		p.onlyOne()
	}
	r := s.stream
	if r == nil {
		f, err := s.open()
		if err != nil {
			p.found[s.named] = true
			return yield(Transcript{}, NewProblem(s.path, err))
		}
		defer f.Close()
		r = f
	}
	if s.size < 0 && p.options.Wrap != nil {
		r = p.options.Wrap(r)
	}
	var unpacked spilled
	defer unpacked.remove()
	p.opener.Packing = p.onlyOne
	for e, err := range p.opener.File(s.path, r, p.options.Limits) {
		own := !e.Packed && s.stream == nil
		if err == nil && !own && p.isPart(e, s) {
			if err = unpacked.add(e); err == nil {
				continue
			}
		}
		var more bool
		if err == nil && own && p.isDatabase(e) {
			more = p.database(ctx, s, found{e.Path, s.path}, yield)
		} else {
			more = p.entry(s, e, err, yield)
		}
		if !more {
			return false
		}
	}
	databases, problems := unpacked.databases()
	for _, err := range problems {
		p.found[s.named] = true
		if !yield(Transcript{}, err) {
			return false
		}
	}
	for _, d := range databases {
		if !p.database(ctx, s, d, yield) {
			return false
		}
	}
	return true
}

// open opens a file. A pipe is only opened when it is read.
func (s *source) open() (io.ReadCloser, error) {
	if s.size < 0 {
		return &pipe{path: s.path}, nil
	}
	return discover.OpenRegular(s.path)
}

// entry yields a plain file if it is a transcript, and a problem if it should be one.
func (p *Plan) entry(s *source, e archive.Entry, err error, yield func(Transcript, error) bool) bool {
	t := Transcript{
		Source: s.number, File: e.Path, Info: core.StreamInfo{Path: filepath.ToSlash(discover.Plain(e.Path))}, Archive: e.Path != s.path,
	}
	if t.Archive && p.options.Single {
		p.found[s.named] = true
		yield(Transcript{}, &Problem{s.path, ErrArchive})
		return false
	}
	wanted := true
	if err == nil && p.isBroken(&t, e) {
		p.found[s.named] = true
		return yield(Transcript{}, &Problem{e.Path, snapshot.ErrNotSQLite})
	}
	if err == nil {
		err = p.judge(s, &t, e)
		wanted = err != nil || p.options.Want == nil || p.options.Want(t.Adapter.Tool())
	}
	byChance := t.Archive || s.named != s.path // it was not named as a transcript
	if errors.Is(err, archive.ErrForm) && s.place == nil && !isTranscript(e.Path) {
		wanted = !byChance // a file in a folder may be anything
	}
	if !wanted || byChance && (errors.Is(err, ErrUnknown) || errors.Is(err, ErrEmpty)) {
		p.Skipped++
		p.found[s.named] = p.found[s.named] || !byChance || s.place != nil
		return true
	}
	p.found[s.named] = true
	if err != nil {
		return yield(Transcript{}, NewProblem(e.Path, err))
	}
	if s.stream == nil && !t.Archive {
		t.Info = discover.Info(t.Adapter, t.Info.Path, s.path)
	}
	if tree, ok := p.tree(s, &t, e); ok {
		return p.conversation(t, tree, yield)
	}
	t.Body = e.Body
	if !e.Packed && s.size >= 0 {
		t.Body = &counter{e.Body, p}
	}
	return yield(t, nil)
}

// isTranscript reports whether a packed file has a name that transcripts have.
func isTranscript(name string) bool {
	switch path.Ext(filepath.ToSlash(discover.Plain(name))) {
	case ".jsonl", ".ndjson", ".json", ".db", ".sqlite", ".vscdb":
		return true
	}
	return false
}

// judge sets the adapter and the framing of an entry.
func (p *Plan) judge(s *source, t *Transcript, e archive.Entry) error {
	_, framed := p.options.As.(core.Framer)
	if t.Adapter = p.options.As; t.Adapter != nil && s.size < 0 && !framed {
		return nil // nothing to wait for
	}
	head, err := e.Body.Peek(archive.Peek)
	whole := errors.Is(err, io.EOF)
	switch {
	case err != nil && !whole && len(head) == 0:
		return err
	case whole && len(bytes.Trim(head, " \t\r\n\x00")) == 0:
		isTranscript := s.place != nil || s.named == s.path // otherwise it may be anything
		if isTranscript && len(head) > 0 && len(bytes.Trim(head, "\x00")) == 0 {
			return ErrZeros
		}
		return ErrEmpty
	}
	sample := Sample(t.Info.Path, head, whole)
	if t.Adapter == nil {
		t.Adapter = Judge(p.options.Detect, sample, s.place)
	}
	switch {
	case t.Adapter != nil:
		t.Framing = Framing(t.Adapter, sample)
		return nil
	case isText(head):
		return ErrUnknown
	default:
		return ErrBinary
	}
}

// isText reports whether head can be the beginning of a text. It may end inside of a character.
func isText(head []byte) bool {
	for len(head) >= utf8.UTFMax {
		r, n := utf8.DecodeRune(head)
		if r == 0 || r == utf8.RuneError && n == 1 {
			return false
		}
		head = head[n:]
	}
	return bytes.IndexByte(head, 0) < 0
}

// progress adds n bytes to the progress.
func (p *Plan) progress(n int64) {
	p.done += n
	if p.options.Progress != nil && n > 0 {
		p.options.Progress(p.done)
	}
}

// counter counts the bytes that are read from a regular file.
type counter struct {
	io.Reader

	plan *Plan
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.plan.progress(int64(n))
	return n, err
}
