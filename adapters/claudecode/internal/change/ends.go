package change

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// The client reads a file as if all its lines ended with "\n", and records reads and
// edits so. When it writes an edited file, all lines end as most of them did (recorded
// 1.0.128, 2.0.77, 2.1.330). How they ended, then, only a Write tells: by its text, and
// in 1.0 and 2.0 by what it overwrites, too. These versions give the lines of the new
// text the ends of the old one, and no others do.

// overwritten is the diff of a Write of a text over another, as the client recorded
// it or as it is known.
func (c *change) overwritten(path, before, after string) (core.Diff, bool) {
	if strings.Contains(before, "\r\n") {
		return c.between(path, before, endedLike(before, after))
	}
	return c.between(path, c.files.ended(path, before), after)
}

// showsEnds reports whether a patch shows that lines of the file before end with
// "\r\n".
func (c *change) showsEnds() bool {
	for _, h := range c.hunks() {
		for _, l := range h.Lines {
			if mark(l) != '+' && strings.HasSuffix(l, "\r") {
				return true
			}
		}
	}
	return false
}

// ended is a text that the client recorded or showed of a file, with the ends that
// its lines have, if those are known.
func (f *Files) ended(path, shown string) string {
	written, ok := f.whole.Text(path)
	if ok && strings.Contains(written, "\r\n") && edit.LF(written) == shown {
		return written
	}
	return shown
}

// endedLike gives the lines of a text, as the client knows it, the ends that most
// lines of a file have.
func endedLike(file, text string) string {
	if 2*strings.Count(file, "\r\n") <= strings.Count(file, "\n") {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\r\n")
}
