package console

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"
)

// mostHeld is how much text waits for its end before a pager begins, in bytes.
const mostHeld = 1 << 20

// paging holds text back until it is known whether it fits on the terminal.
type paging struct {
	start         func() (io.WriteCloser, error)
	columns, rows int
	held          bytes.Buffer
	pager         io.WriteCloser // nil: none was begun
	quit          bool           // its reader has had enough
}

// Page has what is printed up to [Printer.Flush] wait, and go through what start
// begins if it is longer than the terminal; closing that waits for its reader. Where a
// pager cannot begin, and where there is no terminal, text is printed as ever.
func (p *Printer) Page(start func() (io.WriteCloser, error)) {
	f, ok := p.Terminal()
	if !ok {
		return
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil || columns < 1 || rows < 1 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paging = &paging{start: start, columns: columns, rows: rows}
}

// Hold has what is printed wait for [Printer.Flush], so that it does not run into what
// a pager shows meanwhile.
func (p *Printer) Hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paging = &paging{rows: mostHeld}
}

// write writes to the terminal, or to what stands before it.
func (p *Printer) write(text string) error {
	if p.paging != nil {
		return p.paging.write(text, p.out)
	}
	_, err := io.WriteString(p.out, text)
	return err
}

// write holds text back until it is longer than the terminal. Then it starts the
// pager and passes on what was held.
func (g *paging) write(text string, out io.Writer) error {
	if g.pager == nil {
		g.held.WriteString(text)
		if g.held.Len() <= mostHeld {
			return nil
		}
		return g.begin(out)
	}
	if g.quit {
		return syscall.EPIPE
	}
	_, err := io.WriteString(g.pager, text)
	g.quit = err != nil
	return err
}

// begin hands what is held to a pager, or else to out.
func (g *paging) begin(out io.Writer) (err error) {
	g.pager = unpaged{out}
	if g.start != nil {
		if pager, failed := g.start(); failed == nil {
			g.pager = pager
		}
	}
	_, err = g.held.WriteTo(g.pager)
	g.quit = err != nil
	return err
}

// end writes what is held and waits for the reader of a pager.
func (g *paging) end(out io.Writer) error {
	if g.pager != nil {
		return g.pager.Close()
	}
	if !g.isLong() {
		_, err := g.held.WriteTo(out)
		return err
	}
	err := g.begin(out)
	return errors.Join(err, g.pager.Close())
}

// isLong reports whether what is held leaves no line for the prompt.
func (g *paging) isLong() bool {
	rows := 0
	for line := range strings.Lines(g.held.String()) {
		rows += 1 + max(0, utf8.RuneCountInString(line)-2)/max(g.columns, 1)
		if rows >= g.rows {
			return true
		}
	}
	return false
}

// unpaged takes the place of a pager if there is none.
type unpaged struct{ io.Writer }

// Close implements [io.Closer].
func (unpaged) Close() error { return nil }
