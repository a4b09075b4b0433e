// Package console is the only way to the terminal: everything that a person reads is
// written by a [Printer], which escapes control characters.
//
// Transcripts, file names, settings and the messages of other programs hold what
// anybody wrote. A terminal takes some of it for orders (to fill the clipboard, to
// change the title, to write over a line), and an eye is deceived by what turns text
// round or is not seen. A Printer writes such characters visibly. Only it writes
// orders to a terminal itself: a line of progress, a bold heading.
//
// What a Printer makes of a hostile text, and through which method:
//
//	Printf   "rm\x1b[2K"  →  rm\x1b[2K, visibly     texts for people
//	Text     the same for a whole stream            answers, help, logs
//	JSON     escaped as JSON does                   answers for programs
//	Data     unchanged                              nodes and files, which programs read
//	Status   one line that is overwritten           progress, only on a terminal
package console

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/memscribe/memscribe/internal/visible"
)

// Printer writes to a terminal, or to where something else than a terminal takes
// what is printed. Any goroutine may use it.
type Printer struct {
	// Clean, if not nil, redacts a message before it is written.
	Clean func(message []byte) []byte

	out io.Writer

	mu     sync.Mutex
	status string // the line that stands on the terminal until something is printed
	rest   []byte // the beginning of a character whose end has not been written
	paging *paging
}

// New returns a Printer to out.
func New(out io.Writer) *Printer { return &Printer{out: out} }

// Printf prints what [Fprintf] writes.
func (p *Printer) Printf(format string, args ...any) (int, error) {
	for i, arg := range args {
		args[i] = p.cleaned(arg)
	}
	return visible.Fprintf(p.Text(), format, args...)
}

// JSON prints a value as indented JSON, for programs.
func (p *Printer) JSON(v any) error {
	e := json.NewEncoder(p.Text())
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// cleaned redacts an argument while it is as it was: a secret of several lines is
// no longer known as one when its line ends have been made visible.
func (p *Printer) cleaned(arg any) any {
	var said string
	switch v := arg.(type) {
	case string:
		said = v
	case error:
		said = v.Error()
	}
	if said == "" || p.Clean == nil {
		return arg
	}
	if clean := string(p.Clean([]byte(said))); clean != said {
		return clean
	}
	return arg
}

// Text returns a writer of text whose line ends and tabs are its own; everything else in
// it is made visible. A write is a message, which is redacted as a whole.
func (p *Printer) Text() io.Writer { return text{p} }

// Data returns a writer of what another program reads, byte by byte: JSON, whose strings
// escape control characters. Where a person looks at it nonetheless, it is as
// [Printer.Text]: what JSON leaves as it is becomes an escape of JSON, and its
// meaning stays.
func (p *Printer) Data() io.Writer {
	if p.IsTerminal() {
		return p.Text()
	}
	return p.out
}

// Heading prints a line that stands out, where bold says whether it may.
func (p *Printer) Heading(line string, bold bool) error {
	if !bold {
		_, err := p.Printf("%s\n", line)
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.write(p.over() + "\x1b[1m" + visible.Line(line) + "\x1b[0m\n")
}

// Status has line stand on the terminal until something else is printed, in the
// place of the line before; "" takes that away. It is written if it is another.
func (p *Printer) Status(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if line == p.status {
		return
	}
	p.status = line
	if p.Clean != nil {
		line = string(p.Clean([]byte(line)))
	}
	_ = p.write(clearLine + visible.Line(line)) // a terminal that has gone misses nothing
}

// clearLine goes to the start of the line and takes away what is there.
const clearLine = "\r\x1b[K"

// over returns what must be written before something else is, so that it does not stand
// behind the status.
func (p *Printer) over() string {
	if p.status == "" {
		return ""
	}
	p.status = ""
	return clearLine
}

// Terminal returns the terminal that the Printer writes to, if it is one. The null device
// is none.
func (p *Printer) Terminal() (*os.File, bool) {
	f, ok := p.out.(*os.File)
	if !ok {
		return nil, false
	}
	return f, term.IsTerminal(int(f.Fd()))
}

// IsTerminal reports whether the output goes to a terminal.
func (p *Printer) IsTerminal() bool {
	_, ok := p.Terminal()
	return ok
}

// Width returns how many columns the terminal has; 0 where it is none.
func (p *Printer) Width() int {
	if f, ok := p.Terminal(); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// Flush writes what of a text was held back: the beginning of a character that has
// no end, and what waits for a pager. It returns when the reader of the pager has had
// enough.
func (p *Printer) Flush() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.write(visible.Text(string(p.rest)))
	p.rest = nil
	if p.paging != nil {
		err = errors.Join(err, p.paging.end(p.out))
		p.paging = nil
	}
	return err
}

// text is the writer of a Printer.
type text struct{ p *Printer }

// Write implements [io.Writer].
func (t text) Write(b []byte) (int, error) {
	p := t.p
	p.mu.Lock()
	defer p.mu.Unlock()
	message := append(p.rest, b...)
	end := whole(message)
	message, p.rest = message[:end], append([]byte(nil), message[end:]...)
	if p.Clean != nil {
		message = p.Clean(message)
	}
	if err := p.write(p.over() + visible.Text(string(message))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// whole returns how many bytes of b are left without the beginning of a character at its
// end, whose other bytes may follow.
func whole(b []byte) int {
	for i := len(b) - 1; i >= max(0, len(b)-utf8.UTFMax); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}
