package secrets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/visible"
)

// A text is searched in pieces of searchSize bytes. A secret may cross the border of two
// pieces, so the last searchOverlap bytes of a piece are searched again with the next:
//
//	piece 1  ├──────────────────────┼───overlap──┤
//	piece 2                         ├─────────────────────┼───overlap──┤
//	                                ▲ edge: findings before it are reported
const (
	searchSize    = 4 << 20
	searchOverlap = 64 << 10
)

// search searches texts for secrets. One search is used for all files of a command, as
// compiling the rules takes longer than searching a small file. It is used by one goroutine.
type search struct {
	engine *redact.Engine
	found  func(Finding) error

	// It is reused for all pieces of all texts.
	piece []byte
	line  int // of the piece's first byte, from 1
	col   int
}

// text searches one text.
func (s *search) text(name string, r io.Reader) error {
	s.piece, s.line, s.col = s.piece[:0], 1, 1
	for {
		ended, err := s.fill(r)
		if err != nil {
			return err
		}
		found, err := s.engine.Find(core.TextField, s.piece)
		if err != nil {
			return fmt.Errorf("line %d: %w", s.line, err)
		}
		end := len(s.piece)
		if !ended {
			end = s.edge(found)
		}
		if err := s.report(name, found, end); err != nil || ended {
			return err
		}
		s.advance(end)
	}
}

// fill reads until the piece is full, and says whether the text has ended.
func (s *search) fill(r io.Reader) (ended bool, err error) {
	n := len(s.piece)
	if cap(s.piece) < searchSize {
		s.piece = append(make([]byte, 0, searchSize), s.piece...)
	}
	s.piece = s.piece[:searchSize]
	read, err := io.ReadFull(r, s.piece[n:])
	s.piece = s.piece[:n+read]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true, nil
	}
	return false, err
}

// edge returns how far the findings in the piece are final: to the end of a line well before
// the end of the piece, and never into the middle of a secret. Rules look at the rest of the
// line that a value is on, so the edge is at a line end if there is one.
func (s *search) edge(found []redact.Finding) int {
	edge := len(s.piece) - searchOverlap
	if i := bytes.LastIndexByte(s.piece[:edge], '\n'); i >= edge/2 {
		edge = i + 1
	}
	for _, f := range found {
		if f.Start < edge && f.End > edge {
			edge = f.End
		}
	}
	return edge
}

// advance drops the first n bytes of the piece.
func (s *search) advance(n int) {
	done := s.piece[:n]
	s.line, s.col = s.place(n)
	s.piece = append(s.piece[:0], s.piece[len(done):]...)
}

// place returns the line and column of an offset in the piece.
func (s *search) place(at int) (line, col int) {
	before := s.piece[:at]
	lines := bytes.Count(before, []byte("\n"))
	if lines == 0 {
		return s.line, s.col + at
	}
	return s.line + lines, at - bytes.LastIndexByte(before, '\n')
}

// report passes on the findings that begin before end. The name of a file may hold a secret,
// too.
func (s *search) report(name string, found []redact.Finding, end int) error {
	shownName, err := s.clean(core.PathField, name)
	if err != nil {
		return err
	}
	for i, f := range found {
		if f.Start >= end {
			return nil
		}
		line, col := s.place(f.Start)
		stays, err := s.stays(found, i)
		if err != nil {
			return err
		}
		if err := s.found(Finding{
			File: shownName, Line: line, Column: col, Bytes: f.End - f.Start, Type: f.Type, Rule: f.Rule,
			Masked: mask(s.piece[f.Start:f.End]), Stays: stays,
		}); err != nil {
			return &foundError{err}
		}
	}
	return nil
}

// clean returns the text without its secrets.
func (s *search) clean(f core.Field, text string) (string, error) {
	clean, _, err := s.engine.Scrub(f, []byte(text))
	return string(clean), err
}

// around is how many bytes of a line are shown on either side of a finding.
const around = 48

// stays returns what would be left of the line around a finding.
func (s *search) stays(found []redact.Finding, i int) (string, error) {
	f := found[i]
	from, to := max(0, f.Start-around), min(len(s.piece), f.End+around)
	if k := bytes.LastIndexByte(s.piece[from:f.Start], '\n'); k >= 0 {
		from += k + 1
	}
	if k := bytes.IndexByte(s.piece[f.End:to], '\n'); k >= 0 {
		to = f.End + k
	}
	var b strings.Builder
	at := from
	for _, g := range found {
		if g.End <= from || g.Start >= to {
			continue
		}
		b.Write(s.piece[at:max(at, g.Start)])
		b.WriteString("[REDACTED:" + g.Type + "]")
		at = g.End
	}
	b.Write(s.piece[min(at, to):to])
	clean, err := s.clean(core.TextField, printable(b.String()))
	return strings.TrimSpace(clean), err
}

// printable returns a text as one line for a terminal, tabs as blanks.
func printable(text string) string {
	return visible.Line(strings.ReplaceAll(text, "\t", " "))
}

// mask hides a secret. Of a long one it shows the first characters, by which its owner
// recognises it.
func mask(secret []byte) string {
	const long, shown = 24, 4
	if len(secret) < long {
		return "…"
	}
	return printable(string(bytes.ToValidUTF8(secret[:shown], nil))) + "…"
}
