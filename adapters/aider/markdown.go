package aider

import "strings"

// kind is whose a piece of a history is.
type kind uint8

const (
	started  kind = iota + 1 // the line that begins a session
	typed                    // by a person
	answered                 // by the model
	shown                    // by the client
)

// piece is what one of them said at once.
type piece struct {
	kind kind
	text string
}

const (
	userMark   = "####"
	outputMark = ">"
	lineBreak  = "  " // ends every line that the client writes itself
	fence      = "```"
)

// cutter cuts a history into pieces, line by line.
type cutter struct {
	all    []piece
	open   []string
	kind   kind // of what is open; 0: nothing
	isPage bool // lines may have lost their line breaks
	fenced bool // in code of an answer
	report bool // in what the client says to the model of blocks that did not fit
}

// pieces cuts a history; there is always one.
func pieces(text string) []piece {
	c := cutter{isPage: !hasLine([]byte(text), begins)}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if last := &lines[len(lines)-1]; strings.HasPrefix(*last, outputMark) || strings.HasPrefix(*last, userMark) {
		*last += lineBreak // white space at the end of a history is not part of the record
	}
	for _, line := range lines {
		c.line(line)
	}
	c.end()
	if len(c.all) == 0 {
		c.all = []piece{{shown, text}}
	}
	return c.all
}

// line takes in a line.
func (c *cutter) line(line string) {
	if strings.HasPrefix(line, begins) && !c.fenced {
		c.end()
		c.all = append(c.all, piece{started, strings.TrimSpace(line)})
		return
	}
	if c.isPage && isFrame(line) {
		c.end()
		return
	}
	k, text := c.whose(line)
	if strings.TrimSpace(line) == "" && c.kind != answered {
		c.end()
		return
	}
	if k != c.kind {
		c.end()
	}
	if k == answered && strings.HasPrefix(strings.TrimSpace(line), fence) {
		c.fenced = !c.fenced
	}
	c.kind, c.open = k, append(c.open, text)
}

// whose says who wrote a line, and what. What the client writes itself ends in a line
// break: that tells it from headings and quotations of the model's.
func (c *cutter) whose(line string) (kind, string) {
	if c.report = c.report || !c.fenced && isReport(line); c.report {
		c.report = !strings.HasSuffix(line, lineBreak)
		return shown, strings.TrimRight(strings.TrimPrefix(line, "> "), " ")
	}
	if !strings.HasSuffix(line, lineBreak) && (c.fenced || !c.isPage) {
		return answered, line
	}
	for _, by := range [...]struct {
		mark string
		kind kind
	}{{userMark, typed}, {outputMark, shown}} {
		if text, ok := strings.CutPrefix(line, by.mark); ok && (text == "" || text[0] == ' ') {
			return by.kind, strings.TrimRight(strings.TrimPrefix(text, " "), " ")
		}
	}
	return answered, line
}

// isReport reports whether a line begins what the client says of blocks that did not fit: the
// only thing that it says in several lines.
func isReport(line string) bool {
	return strings.HasPrefix(line, "> # ") && strings.HasSuffix(line, " failed to match!")
}

// end ends what is open.
func (c *cutter) end() {
	if text := strings.Trim(strings.Join(c.open, "\n"), "\n"); text != "" {
		c.all = append(c.all, piece{c.kind, text})
	}
	c.open, c.kind, c.fenced = c.open[:0], 0, false
}

// isFrame reports whether a line of a page belongs to the page.
func isFrame(line string) bool {
	return strings.HasPrefix(line, "<div ") || line == "</div>" || line == "<br/>"
}

// block is an edit as the model writes it.
type block struct {
	path, before, after string
	isWhole             bool // after is all that the file holds
}

// blocksOf finds the edits of an answer: pairs of what is searched for and what
// replaces it, and whole files behind their names.
func blocksOf(lines []string) (all []block) {
	name := ""
	for i := 0; i < len(lines); i++ {
		switch {
		case isMark(lines[i], '<'):
			if above := nameAbove(lines[:i]); above != "" {
				name = above
			}
			b, n := pair(lines[i+1:])
			if n == 0 {
				return all
			}
			b.path = name
			all = append(all, b)
			i += n
		case strings.HasPrefix(lines[i], fence) && i > 0 && nameIn(lines[i-1]) != "":
			if b, n := whole(lines[i+1:]); n > 0 {
				b.path = nameIn(lines[i-1])
				all = append(all, b)
				i += n
			}
		}
	}
	return all
}

// isMark reports whether a line is one of those that a block is made of: at least five
// of a character, and for the outer ones a word behind them.
func isMark(line string, of byte) bool {
	line = strings.TrimRight(line, " ")
	rest := strings.TrimLeft(line, string(of))
	if n := len(line) - len(rest); n < 5 || n > 9 {
		return false
	}
	switch strings.TrimPrefix(rest, " ") {
	case "":
		return of == '='
	case "SEARCH", "ORIGINAL":
		return of == '<'
	case "REPLACE", "UPDATED":
		return of == '>'
	}
	return false
}

// pair reads a block from behind its first mark, and says how many lines it has; 0 if
// it does not end.
func pair(lines []string) (b block, n int) {
	middle := -1
	for i, line := range lines {
		switch {
		case middle < 0 && isMark(line, '='):
			middle = i
		case middle >= 0 && isMark(line, '>'):
			b.before, b.after = joined(lines[:middle]), joined(lines[middle+1:i])
			return b, i + 1
		}
	}
	return b, 0
}

// whole reads a file from behind its opening fence; 0 if it does not end, or is none
// but holds a block.
func whole(lines []string) (b block, n int) {
	for i, line := range lines {
		switch {
		case isMark(line, '<'):
			return b, 0
		case strings.TrimRight(line, " ") == fence:
			return block{after: joined(lines[:i]), isWhole: true}, i + 1
		}
	}
	return b, 0
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// nameAbove is the name of the file that a block is for: it stands above the block,
// or above the fence before that; "" if neither does.
func nameAbove(lines []string) string {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-3; i-- {
		if name := nameIn(lines[i]); name != "" {
			return name
		}
		if !strings.HasPrefix(lines[i], fence) && strings.TrimSpace(lines[i]) != "" {
			return ""
		}
	}
	return ""
}

// nameIn is the name of a file that makes up a line; "" if none does.
func nameIn(line string) string {
	if strings.HasPrefix(line, fence) {
		return ""
	}
	name := strings.Trim(strings.TrimSpace(line), "`*#: ")
	if strings.ContainsAny(name, " \t<>=|") || !strings.ContainsAny(name, "./") && name != "Makefile" && name != "Dockerfile" {
		return ""
	}
	return name
}
