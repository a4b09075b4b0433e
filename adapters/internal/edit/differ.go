package edit

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/myers"
	"github.com/memscribe/memscribe/core"
)

// Differ makes diffs one after the other, in memory that it uses again: an edit is
// a few lines, and finding them takes several times the memory of what comes out.
// The zero Differ is ready. It serves one goroutine.
type Differ struct {
	buf    []byte
	a, b   []string
	script myers.Script
}

// most is how much memory is kept for the next diff, in lines; a line of text in
// buf counts as some tens of bytes.
const most = 16 << 10

// FromTexts is what the function of this name is.
func (d *Differ) FromTexts(path, before, after string) core.Diff {
	path = Clean(path)
	w := d.writer()
	w.head(oldName(path), newName(path))
	w.texts(before, after)
	return w.finish(core.Diff{Path: path, Old: &before, New: &after, Change: core.Modify})
}

// Replaced is what the function of this name is.
func (d *Differ) Replaced(path, before, after string) core.Diff {
	path = Clean(path)
	a, b := d.lines(before, after)
	if !strings.HasSuffix(before, "\n") || !strings.HasSuffix(after, "\n") {
		a, b = wholeLines(a), wholeLines(b)
	}
	w := d.writer()
	w.head(oldName(path), newName(path))
	w.wholeTexts(a, b)
	return w.finish(core.Diff{Path: path, Old: &before, New: &after, Change: core.Modify, Certainty: core.Told})
}

// lines are those of two texts, until the next call.
func (d *Differ) lines(before, after string) (a, b []string) {
	d.a, d.b = appendLines(d.a[:0], before), appendLines(d.b[:0], after)
	return d.a, d.b
}

// writer begins a diff.
func (d *Differ) writer() writer { return writer{buf: d.buf[:0], differ: d} }

// rest takes back the memory of a diff that is done, unless it was a large one.
// What it was about is let go.
func (d *Differ) rest(buf []byte) {
	const lineSize = 32
	if d.buf = buf; cap(buf) > most*lineSize {
		d.buf = nil
	}
	clear(d.a)
	clear(d.b)
	if cap(d.a)+cap(d.b) > most {
		d.a, d.b, d.script = nil, nil, myers.Script{}
	}
	d.script.Forget()
}
