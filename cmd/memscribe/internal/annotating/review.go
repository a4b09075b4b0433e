// Package annotating implements the commands with which people correct what was captured:
// accept, reject, edit, pin, note, supersede, add, annotations and review. It prints what was
// stored, and asks the questions of a review. Checking and storing an annotation is the work of
// internal/app/corrections.
//
// A review shows one decision at a time and waits for a key:
//
//	3 of 17  decision  2026-11-22  /home/me/orders-service  codex  by user
//	  Add a /healthz route that returns 200
//	  modify src/index.js
//
//	a, y      accept    next decision        e, n  edit, note   asks for a text, stays here
//	r         reject    next decision        p     pin          stays here
//	s, space  skip      next decision        q     quit         also Ctrl-C and Ctrl-D
//
// Where standard input is no terminal, a line is an answer: its first character is the key, and
// the rest is the text of an edit or a note.
package annotating

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/corrections"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
)

// ReviewOptions say which decisions are reviewed.
type ReviewOptions struct {
	corrections.Place

	Filter nodedb.Filter
	Limit  int // 0 is all
}

// maxAnswer bounds a line that a person types, in bytes.
const maxAnswer = annotate.MaxText

// Review shows the decisions that no one has judged yet, one after another, and stores the
// answers. Each answer is stored at once, so quitting loses nothing. At the end it prints how
// many answers of each kind there were.
func Review(ctx context.Context, a *cli.App, o ReviewOptions) error {
	open, err := corrections.Unjudged(ctx, o.Place, o.Filter, o.Limit)
	if err != nil {
		return err
	}
	if len(open) == 0 {
		a.Stdout.Printf("there is nothing to review\n")
		return nil
	}
	v := review{app: a, place: o.Place, in: bufio.NewReaderSize(a.Stdin, maxAnswer)}
	if f, ok := a.Stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) && a.Stdout.IsTerminal() {
		v.terminal = f
	}
	for i := range open {
		if err = v.one(ctx, &open[i], i+1, len(open)); err != nil {
			break
		}
	}
	if errors.Is(err, errQuit) || errors.Is(err, io.EOF) {
		err = nil
	}
	if err == nil {
		_, err = a.Stdout.Printf("%d accepted, %d rejected, %d edited, %d pinned, %d noted\n",
			v.count[annotate.Accept], v.count[annotate.Reject], v.count[annotate.Edit], v.count[annotate.Pin], v.count[annotate.Say])
	}
	return err
}

// review is a review in progress.
type review struct {
	app      *cli.App
	place    corrections.Place
	in       *bufio.Reader
	terminal *os.File // single keys are answers; nil: lines are
	count    map[annotate.Kind]int
}

// errQuit ends a review without an error.
var errQuit = errors.New("quit")

const keys = "a accept, r reject, e edit, p pin, n note, s skip, q quit"

// one shows a decision and reads keys until it is done: accept, reject and skip lead to
// the next decision, while edit, pin and note stay at this one.
func (v *review) one(ctx context.Context, n *nodedb.Node, at, of int) error {
	v.show(n, at, of)
	for {
		key, rest, err := v.key()
		if err != nil {
			return err
		}
		said := annotate.Annotation{Node: n.ID}
		on := false
		switch key {
		case 'a', 'y':
			said.Kind, on = annotate.Accept, true
		case 'r':
			said.Kind, on = annotate.Reject, true
		case 'p':
			said.Kind = annotate.Pin
		case 'e', 'n':
			said.Kind = map[byte]annotate.Kind{'e': annotate.Edit, 'n': annotate.Say}[key]
			if said.Text, err = v.text(rest, said.Kind); err != nil {
				return err
			}
			if said.Text == "" {
				continue
			}
		case 's', ' ', '\r', '\n':
			return nil
		case 'q', 3, 4: // Ctrl-C, Ctrl-D
			return errQuit
		default:
			v.app.Stdout.Printf("%s\n", keys)
			continue
		}
		if err := v.keep(ctx, said); err != nil || on {
			return err
		}
	}
}

// keep stores one answer of the reviewer and counts it.
func (v *review) keep(ctx context.Context, said annotate.Annotation) error {
	kept, err := v.place.Keep(ctx, &v.app.Setup, said)
	if err != nil {
		return err
	}
	if v.count == nil {
		v.count = map[annotate.Kind]int{}
	}
	v.count[said.Kind]++
	return printKept(v.app, &kept[0])
}

// show prints a decision with what is needed to judge it: its text, if that differs from the
// title, and up to three edits.
func (v *review) show(n *nodedb.Node, at, of int) {
	kind := "decision"
	if n.IsBan {
		kind = "ban"
	}
	day := n.Timestamp[:min(len(n.Timestamp), len("2006-01-02"))]
	v.app.Stdout.Printf("\n%d of %d  %s  %s  %s  %s  by %s\n  %s\n", at, of, kind, day, n.Project, string(n.Source), n.DecidedBy, n.Title)
	if n.Text != n.Title {
		v.app.Stdout.Printf("  > %s\n", fulltext.Excerpt(n.Text, "", 300))
	}
	const few = 3
	for i, l := range n.Links {
		if i == few {
			v.app.Stdout.Printf("  … %d more edits\n", len(n.Links)-few)
			break
		}
		v.app.Stdout.Printf("  %s %s\n", l.Change, strings.TrimPrefix(l.Path, n.Project+"/"))
	}
	if at == 1 {
		v.app.Stdout.Printf("%s\n", keys)
	}
}

// key reads an answer: a key, or a line whose first character counts; rest is
// what follows it in the line.
//
// The terminal is in raw mode only while it waits for one key, so that an interrupt or
// a crash leaves it usable.
func (v *review) key() (key byte, rest string, err error) {
	if v.terminal == nil {
		return v.answer()
	}
	was, err := term.MakeRaw(int(v.terminal.Fd()))
	if err != nil {
		return 0, "", fmt.Errorf("read key: %w", err)
	}
	key, err = v.in.ReadByte()
	return key, "", errors.Join(err, term.Restore(int(v.terminal.Fd()), was))
}

// answer reads a line. An empty line means skip.
func (v *review) answer() (key byte, rest string, err error) {
	line, err := v.line()
	if line = strings.TrimSpace(line); line == "" || err != nil {
		return '\n', "", err
	}
	return line[0], strings.TrimSpace(line[1:]), nil
}

// text asks for the text of an annotation, unless the answer had it.
func (v *review) text(rest string, kind annotate.Kind) (string, error) {
	if rest != "" || v.terminal == nil {
		return rest, nil
	}
	v.app.Stdout.Printf("%s: ", string(kind))
	line, err := v.line()
	return strings.TrimSpace(line), err
}

// line reads a line of at most maxAnswer bytes.
func (v *review) line() (string, error) {
	line, err := v.in.ReadSlice('\n')
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		err = fmt.Errorf("read answer: %w", annotate.ErrText)
	}
	return string(line), err
}
