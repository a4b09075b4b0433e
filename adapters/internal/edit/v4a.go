package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// FilePatch is what a V4A patch does to one file.
type FilePatch struct {
	Change core.Change // Create, Modify, Delete or Rename
	Path   string      // as written, or as the caller resolved it
	MoveTo string      // of a Rename
	Text   string      // of a Create: the whole text
	// KeepEnds says that the tool ends lines as the file does, where all of these end
	// in CRLF. Else what a patch replaces ends in LF, as the patch does.
	KeepEnds bool

	chunks []chunk
}

// chunk is a place of a file where a V4A patch changes it: lines that are
// looked for, after a line that is looked for first.
type chunk struct {
	context string // of the line "@@ context"; "" is none
	again   bool   // it is looked for from the start of the file
	lines   []hunkLine
	blanks  int  // lines at the end that were left blank: context, or nothing
	eof     bool // the lines stand at the end of the file
}

const (
	beginPatch   = "*** Begin Patch"
	endPatch     = "*** End Patch"
	addFile      = "*** Add File: "
	deleteFile   = "*** Delete File: "
	updateFile   = "*** Update File: "
	moveTo       = "*** Move to: "
	endOfFile    = "*** End of File"
	environment  = "*** Environment ID: "
	chunkMark    = "@@"
	chunkContext = "@@ "
)

var (
	errNoBegin   = errors.New("no " + beginPatch)
	errNoEnd     = errors.New("no " + endPatch)
	errNoChange  = errors.New("no change of a file")
	errEmptyPart = errors.New("update without lines")
)

// ParsePatch reads a V4A patch with the leniency of the tools that apply it: markers may have space
// around them, a here-document may stand around the whole, the first chunk of a file needs no "@@",
// an empty line is an empty line of context, and lines may end in CRLF.
func ParsePatch(text string) ([]FilePatch, error) {
	lines, err := patchLines(text)
	if err != nil {
		return nil, fmt.Errorf("read patch: %w", err)
	}
	p := patchParser{}
	for n, line := range lines {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("read patch at line %d: %w", n+2, err)
		}
	}
	if err := p.close(); err != nil {
		return nil, fmt.Errorf("read patch: %w", err)
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("read patch: %w", errNoChange)
	}
	return p.files, nil
}

// Merge joins the parts of a patch that change the same file one after the other,
// so that what is left changes each file once.
func Merge(parts []FilePatch) []FilePatch {
	at := map[string]int{} // by the path that a file has then
	var merged []FilePatch
	for _, p := range parts {
		i, seen := at[p.Path]
		if seen && merged[i].join(p) {
			continue
		}
		merged = append(merged, p)
		path := p.Path
		if p.Change == core.Rename {
			path = p.MoveTo
		}
		at[path] = len(merged) - 1
	}
	return merged
}

// join adds a later change of the same file, if the two are one.
func (p *FilePatch) join(later FilePatch) bool {
	if p.Change == core.Delete && later.Change == core.Create {
		*p = later // rewritten
		return true
	}
	if later.Change != core.Modify {
		return false
	}
	switch p.Change {
	case core.Create:
		text, err := later.Apply(p.Text)
		if err != nil {
			return false
		}
		p.Text = text
		return true
	case core.Modify, core.Rename:
		chunks := append(slices.Clone(p.chunks), later.chunks...)
		chunks[len(p.chunks)].again = true
		p.chunks = chunks
		return true
	default:
		return false
	}
}

// patchLines cuts a patch to the lines between its first and its last marker.
func patchLines(text string) ([]string, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	lines = unwrapHeredoc(lines)
	if strings.TrimSpace(lines[0]) != beginPatch {
		return nil, errNoBegin
	}
	last := len(lines) - 1
	if last == 0 || strings.TrimSpace(lines[last]) != endPatch {
		return nil, errNoEnd
	}
	lines = lines[1:last]
	if len(lines) > 0 && strings.HasPrefix(strings.TrimSpace(lines[0]), environment) {
		lines = lines[1:]
	}
	return lines, nil
}

// unwrapHeredoc takes the lines "<<'EOF'" and "EOF" off.
func unwrapHeredoc(lines []string) []string {
	word, ok := strings.CutPrefix(strings.TrimSpace(lines[0]), "<<")
	word = strings.Trim(strings.TrimPrefix(word, "-"), ` '"`)
	if !ok || word == "" || len(lines) < 4 || !strings.HasSuffix(lines[len(lines)-1], word) {
		return lines
	}
	return lines[1 : len(lines)-1]
}

// patchParser reads a patch of the form of apply_patch, line by line.
type patchParser struct {
	files []FilePatch
	text  strings.Builder // of the file that is being created
}

// file is the one whose part is being read; nil before the first.
func (p *patchParser) file() *FilePatch {
	if len(p.files) == 0 {
		return nil
	}
	return &p.files[len(p.files)-1]
}

// line reads a line of a patch: one that opens a part, one of a hunk, or one of a new file.
func (p *patchParser) line(line string) error {
	f := p.file()
	inUpdate := f != nil && (f.Change == core.Modify || f.Change == core.Rename)
	if !inUpdate || strings.HasPrefix(line, "***") {
		if part, ok := openPart(strings.TrimSpace(line)); ok {
			err := p.close()
			p.files = append(p.files, part)
			return err
		}
	}
	switch {
	case inUpdate:
		return f.updateLine(line)
	case f != nil && f.Change == core.Create && strings.HasPrefix(line, "+"):
		p.text.WriteString(line[1:])
		p.text.WriteByte('\n')
		return nil
	case strings.TrimSpace(line) == "":
		return nil
	default:
		return fmt.Errorf("unexpected %.40q", line)
	}
}

// openPart reads a line that opens the part of a file.
func openPart(line string) (FilePatch, bool) {
	if path, ok := strings.CutPrefix(line, addFile); ok {
		return FilePatch{Change: core.Create, Path: path}, true
	}
	if path, ok := strings.CutPrefix(line, deleteFile); ok {
		return FilePatch{Change: core.Delete, Path: path}, true
	}
	if path, ok := strings.CutPrefix(line, updateFile); ok {
		return FilePatch{Change: core.Modify, Path: path}, true
	}
	return FilePatch{}, false
}

// close ends the part of a file.
func (p *patchParser) close() error {
	f := p.file()
	if f == nil {
		return nil
	}
	if f.Change == core.Create {
		f.Text = p.text.String()
		p.text.Reset()
	}
	if f.Change == core.Modify && len(f.chunks) == 0 {
		return errEmptyPart
	}
	return nil
}

// updateLine reads a line of an update.
func (p *FilePatch) updateLine(line string) error {
	trimmed := strings.TrimSpace(line)
	if to, ok := strings.CutPrefix(trimmed, moveTo); ok && len(p.chunks) == 0 && p.MoveTo == "" {
		p.Change, p.MoveTo = core.Rename, to
		return nil
	}
	if line == endOfFile {
		if n := len(p.chunks); n > 0 {
			p.chunks[n-1].eof = true
		}
		return nil
	}
	if trimmed == chunkMark && line[0] != ' ' {
		p.chunks = append(p.chunks, chunk{})
		return nil
	}
	if strings.HasPrefix(line, chunkContext) {
		p.chunks = append(p.chunks, chunk{context: line[len(chunkContext):]})
		return nil
	}
	return p.chunkLine(line)
}

// chunkLine reads a line of a chunk; the first one may open it.
func (p *FilePatch) chunkLine(line string) error {
	if len(p.chunks) == 0 {
		if strings.TrimSpace(line) == "" {
			return nil
		}
		p.chunks = append(p.chunks, chunk{})
	}
	c := &p.chunks[len(p.chunks)-1]
	if c.eof && line != "" {
		p.chunks = append(p.chunks, chunk{})
		c = &p.chunks[len(p.chunks)-1]
	}
	switch {
	case line == "":
		if c.eof {
			return nil
		}
		c.lines = append(c.lines, hunkLine{mark: ' '})
		c.blanks++
		return nil
	case line[0] == ' ' || line[0] == '+' || line[0] == '-':
		c.lines = append(c.lines, hunkLine{mark: line[0], text: line[1:]})
		c.blanks = 0
		return nil
	default:
		return fmt.Errorf("unexpected %.40q", line)
	}
}

// Asked are the diffs of a patch whose files are not known. What is no patch changes nothing.
func Asked(patch string, resolve func(string) string) (all []core.Diff) {
	parts, err := ParsePatch(patch)
	if err != nil {
		return nil
	}
	for _, p := range Merge(parts) {
		if p.Path = resolve(p.Path); p.MoveTo != "" {
			p.MoveTo = resolve(p.MoveTo)
		}
		all = append(all, p.Diff())
	}
	return all
}
