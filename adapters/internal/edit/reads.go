package edit

import (
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Read is what a tool has shown of a file.
type Read struct {
	Path  string
	Body  []byte // as written in JSON; good during the call only
	Start int    // number of the first line
	Whole bool   // it is all of the file
	Last  bool   // it reaches the end of the file
	// Plain takes off what the tool writes around the lines, and says which the first
	// one is; nil if it writes nothing.
	Plain func(shown string) (text string, start int)
}

// maxReads and maxRead bound what is kept of reads.
const (
	maxReads = 32
	maxRead  = 1 << 20
)

// excerpt is a piece of a file, from a line on. It is decoded only when an edit asks
// for it: most of what is read is never edited.
type excerpt struct {
	Read

	path string // "" is no excerpt
	lazy bool   // text is still in Body
	text string
}

// Show says what a read has shown of a file. A read that shows more than is kept changes nothing.
func (f *Files) Show(r Read) {
	if len(r.Body) > maxRead || r.Path == "" {
		return
	}
	e := f.newExcerpt(r.Path)
	r.Body = append(e.Body, r.Body...)
	e.Read, e.lazy = r, true
}

// ShownLess says that the latest read did not show all that it seemed to.
func (f *Files) ShownLess() {
	if n := len(f.reads); n > 0 {
		e := &f.reads[(f.nextRead+n-1)%n]
		e.Whole, e.Last = false, false
	}
}

// newExcerpt makes room for an excerpt of a file, in the memory of the oldest one.
func (f *Files) newExcerpt(path string) *excerpt {
	if f.reads == nil {
		f.reads = make([]excerpt, maxReads)
	}
	f.dropRead(path)
	e := &f.reads[f.nextRead]
	f.nextRead = (f.nextRead + 1) % maxReads
	*e = excerpt{path: Clean(path), Read: Read{Body: e.Body[:0]}}
	return e
}

// dropRead forgets the parts of a file that were shown.
func (f *Files) dropRead(path string) {
	for i := range f.reads {
		if f.reads[i].path == path {
			f.reads[i].path = ""
		}
	}
}

// excerpt returns the latest piece of a file that was read and not written since.
func (f *Files) excerpt(path string) *excerpt {
	for i := range f.reads {
		if e := &f.reads[i]; e.path == path && path != "" {
			e.decode()
			return e
		}
	}
	return nil
}

// decode makes text of an excerpt when it is first needed: most are never looked at.
func (e *excerpt) decode() {
	if !e.lazy {
		return
	}
	e.lazy = false
	e.text = string(jsondoc.Unquote(nil, e.Body))
	if e.Plain != nil {
		e.text, e.Start = e.Plain(e.text)
	}
	if !e.Last && !strings.HasSuffix(e.text, "\n") {
		e.text += "\n" // the next line is not shown
	}
}

// Part returns the part of a file that is known, where the whole is not, and the number of
// its first line; 0 if nothing is known.
func (f *Files) Part(path string) (text string, start int) {
	if e := f.excerpt(Clean(path)); e != nil && !e.Whole {
		return e.text, e.Start
	}
	return "", 0
}

// setPart says what is in a part of a file now.
func (f *Files) setPart(path, text string, start int) {
	f.Forget(path)
	e := f.newExcerpt(path)
	e.text, e.Start = text, start
}
