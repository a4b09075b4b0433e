package change

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Files knows what stands in the files that the transcript has shown. Whole
// files are in the cache; what was read is kept as it came and decoded only when
// an edit asks for it, since most of what is read is never edited. The zero
// Files knows nothing and is ready.
type Files struct {
	whole  edit.Files
	reads  [32]excerpt // the latest ones
	next   int
	differ edit.Differ
}

// excerpt is a piece of a file, from a line on.
type excerpt struct {
	path  string
	body  []byte // as written in JSON; reused
	text  string // decoded
	start int    // number of its first line; 0 is no excerpt
	whole bool   // it is all of the file
	lazy  bool   // text is still in body
	lines bool   // body has numbered lines
	last  bool   // it reaches the end of the file
}

// maxExcerpt bounds what is kept of one read.
const maxExcerpt = 1 << 20

// Text returns the whole text of a file, if it is known.
func (f *Files) Text(path string) (string, bool) {
	if e := f.excerpt(path); e != nil && e.whole {
		return e.text, true
	}
	return f.whole.Text(path)
}

// Sure is Text: what may have changed is forgotten.
func (f *Files) Sure(path string) (string, bool) { return f.Text(path) }

// excerpt returns the latest piece of a file that was read and not written
// since.
func (f *Files) excerpt(path string) *excerpt {
	path = edit.Clean(path)
	for i := range f.reads {
		e := &f.reads[i]
		if e.start > 0 && e.path == path {
			e.decode()
			return e
		}
	}
	return nil
}

func (e *excerpt) decode() {
	if !e.lazy {
		return
	}
	e.lazy = false
	e.text = string(jsondoc.Unquote(nil, e.body))
	if e.lines {
		e.text, e.start = unnumbered(e.text)
	}
	if !e.last && !strings.HasSuffix(e.text, "\n") {
		e.text += "\n" // the next line is not shown
	}
}

// Set says what stands in a file now.
func (f *Files) Set(path, text string) {
	f.drop(path)
	f.whole.Set(path, text)
}

// Forget says that a file may have changed.
func (f *Files) Forget(path string) {
	f.drop(path)
	f.whole.Forget(path)
}

func (f *Files) drop(path string) {
	path = edit.Clean(path)
	for i := range f.reads {
		if f.reads[i].path == path {
			f.reads[i].start = 0
		}
	}
}

// patched says what stands in a part of a file now.
func (f *Files) patched(path, text string, start int) {
	f.Forget(path)
	e := f.add(path)
	e.text, e.start = text, start
}

// Cut says that the latest read did not show all it seemed to.
func (f *Files) Cut() {
	e := &f.reads[(f.next+len(f.reads)-1)%len(f.reads)]
	e.whole, e.last = false, false
}

// add makes room for an excerpt of a file.
func (f *Files) add(path string) *excerpt {
	f.drop(path)
	e := &f.reads[f.next]
	f.next = (f.next + 1) % len(f.reads)
	*e = excerpt{path: edit.Clean(path), body: e.body[:0]}
	return e
}

// Shown takes in the structured result of a read.
func (f *Files) Shown(file jsondoc.Value) {
	var content, path jsondoc.Value
	var start, n, total int64
	for name, v := range file.Fields() {
		switch string(name.Body()) {
		case "filePath":
			path = v
		case "content":
			content = v
		case "startLine":
			start, _ = v.Int()
		case "numLines":
			n, _ = v.Int()
		case "totalLines":
			total, _ = v.Int()
		}
	}
	if content.Kind() != jsondoc.String || path.Kind() != jsondoc.String || start < 0 || len(content.Body()) > maxExcerpt {
		return
	}
	e := f.add(path.Str())
	e.body = append(e.body, content.Body()...)
	e.lazy, e.start, e.last = true, max(int(start), 1), max(start, 1)+n > total
	e.whole = e.start == 1 && e.last
}

// Numbered takes in what the model was shown of a file: lines with numbers, in
// one of two forms.
func (f *Files) Numbered(path string, body []byte, whole bool) {
	if path == "" || len(body) > maxExcerpt || !isNumbered(body) {
		return
	}
	e := f.add(path)
	e.body = append(e.body, body...)
	e.lazy, e.lines, e.start, e.whole, e.last = true, true, 1, whole, whole
}

// isNumbered reports whether a text begins with a numbered line.
func isNumbered(body []byte) bool {
	b := bytes.TrimLeft(body, " ")
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n > 0 && (bytes.HasPrefix(b[n:], []byte("→")) || bytes.HasPrefix(b[n:], []byte(`\t`)))
}

// unnumbered takes the numbers off the lines of a read: "     1→text" until
// 2.0.x, "1<tab>text" in 2.1.x. What follows the last of them is the client's.
func unnumbered(text string) (plain string, start int) {
	var b strings.Builder
	next := 0
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		n, digits := 0, 0
		for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' && digits < 9 {
			n = n*10 + int(rest[digits]-'0')
			digits++
		}
		content, ok := strings.CutPrefix(rest[digits:], "→")
		if !ok {
			content, ok = strings.CutPrefix(rest[digits:], "\t")
		}
		if !ok || digits == 0 || next > 0 && n != next {
			break
		}
		if next == 0 {
			start = n
		} else {
			b.WriteByte('\n')
		}
		b.WriteString(content)
		next = n + 1
	}
	return b.String(), start
}
