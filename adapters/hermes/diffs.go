package hermes

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// part is what the result of a patch says of one file, or of one change of it: a
// patch may change a file several times.
type part struct {
	change core.Change
	path   string
	from   string // of a Rename
	text   string // hunks; of a Create or Delete the file's text
	lines  int    // of a Create
	broken bool   // its lines are not as many as it says
}

const (
	beforeMark  = "--- "
	afterMark   = "+++ "
	hunkMark    = "@@ -"
	movedMark   = "# Moved: "
	deletedMark = "# Deleted: "
	nowhere     = "/dev/null"
	noEnd       = "\\ No newline at end of file\n"
)

// diffReader cuts what a patch gives into parts. The client joins the diffs of Python's difflib,
// which has no mark for a last line without an end: two such lines run into each other. Then the
// counts of the hunk do not come out, and the part is broken: its lines are not used.
type diffReader struct {
	parts    []part
	old, new int // lines that the hunk still has
}

// parts reads the diff of a result.
func parts(diff string) []part {
	r := &diffReader{}
	for line := range strings.Lines(diff) {
		r.line(line)
	}
	r.finish()
	return r.parts
}

// line takes in the next line of the diff, with its end.
func (r *diffReader) line(line string) {
	bare := strings.TrimSuffix(line, "\n")
	switch {
	case r.old > 0 || r.new > 0:
		r.inHunk(line)
	case strings.HasPrefix(line, beforeMark):
		r.finish()
		r.parts = append(r.parts, part{change: core.Modify, path: named(bare, beforeMark, "a/")})
	case strings.HasPrefix(line, afterMark) && len(r.parts) > 0:
		r.named(named(bare, afterMark, "b/"))
	case strings.HasPrefix(line, hunkMark) && len(r.parts) > 0:
		r.old, r.new = sizes(bare)
		r.add(line)
	case strings.HasPrefix(line, movedMark):
		r.finish()
		from, to, _ := strings.Cut(strings.TrimPrefix(bare, movedMark), " -> ")
		r.parts = append(r.parts, part{change: core.Rename, from: from, path: to})
	case strings.HasPrefix(line, deletedMark):
		r.finish()
		r.parts = append(r.parts, part{change: core.Delete, path: strings.TrimPrefix(bare, deletedMark)})
	case strings.HasPrefix(line, "+") && len(r.parts) > 0 && r.last().change == core.Create:
		if r.last().lines++; r.last().lines > 1 { // the last one has no end
			r.add("\n")
		}
		r.add(bare[1:])
	case bare != "" && len(r.parts) > 0:
		r.last().broken = true
	}
}

// last is the part that is being read.
func (r *diffReader) last() *part { return &r.parts[len(r.parts)-1] }

// named takes the name behind the change, which tells what it is.
func (r *diffReader) named(after string) {
	p := r.last()
	switch {
	case p.path == nowhere:
		p.change, p.path = core.Create, after
	case after == nowhere:
		p.change = core.Delete
	}
}

// add adds to the text of the part that is being read.
func (r *diffReader) add(text string) { r.last().text += text }

// inHunk takes in a line of a hunk, which counts for the old side, the new one, or both.
func (r *diffReader) inHunk(line string) {
	switch line[0] {
	case '-':
		r.old--
	case '+':
		r.new--
	default:
		r.old, r.new = r.old-1, r.new-1
	}
	p := r.last()
	if r.old < 0 || r.new < 0 {
		p.broken = true
		r.old, r.new = 0, 0
		return
	}
	if !strings.HasSuffix(line, "\n") {
		line += "\n" + noEnd
	}
	r.add(line)
}

// finish ends a part.
func (r *diffReader) finish() {
	if len(r.parts) == 0 {
		return
	}
	p := r.last()
	if r.old > 0 || r.new > 0 {
		p.broken = true
	}
	r.old, r.new = 0, 0
	if p.change == core.Delete {
		p.text = edit.Removed(p.text)
	}
}

// named is the name in a line before a hunk.
func named(line, mark, side string) string {
	return strings.TrimPrefix(strings.TrimPrefix(line, mark), side)
}

// sizes reads how many lines a hunk has: "@@ -3,4 +3,5 @@".
func sizes(head string) (before, after int) {
	fields := strings.Fields(head)
	if len(fields) < 3 {
		return 0, 0
	}
	return size(fields[1]), size(fields[2])
}

// size is the number of lines in "3,4", and 1 for "3"; 0 if it is no number.
func size(span string) int {
	_, count, ok := strings.Cut(span, ",")
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// standard is a V4A patch in the form that other tools write: the client takes markers without a
// space behind the stars, places named between two "@@", and moves that stand for themselves.
func standard(patch string) string {
	var b strings.Builder
	if !strings.Contains(patch, "Begin Patch") {
		b.WriteString("*** Begin Patch\n")
	}
	for line := range strings.Lines(patch) {
		bare := strings.TrimSpace(line)
		mark, isMark := strings.CutPrefix(bare, "***")
		mark = strings.TrimSpace(mark)
		from, to, isMove := strings.Cut(strings.TrimPrefix(mark, "Move File:"), "->")
		switch {
		case isMark && isMove && strings.HasPrefix(mark, "Move File:"):
			b.WriteString("*** Update File: " + strings.TrimSpace(from) + "\n*** Move to: " + strings.TrimSpace(to) + "\n")
		case isMark:
			b.WriteString("*** " + mark + "\n")
		case strings.HasPrefix(bare, "@@"):
			b.WriteString(strings.TrimSpace("@@ "+strings.Trim(bare, "@ ")) + "\n")
		default:
			b.WriteString(line)
		}
	}
	if !strings.Contains(patch, "End Patch") {
		b.WriteString("\n*** End Patch")
	}
	return b.String()
}
