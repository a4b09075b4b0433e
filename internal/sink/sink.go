// Package sink defines the interface of sinks, which receive nodes.
//
//	encode.Encoder ── Line ──▶ Sink.Apply ──▶ Sink.Flush ──▶ the caller's position moves on
//	                              ▲                │ error
//	                              └── the same lines again
//
// A node is sent again whenever it changes; the last line of an id counts. A sink never deletes
// a node by itself. Package sink/sinktest tests what is promised here, and every sink passes
// it.
//
// Three kinds of error mean different things to the caller:
//
//	ErrLost        the store has lost lines: open it again, and deliver everything again
//	Fault          a person has to look: waiting does not help
//	any other      may pass: sink/retry waits, opens the sink again and repeats
package sink

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Line is a node, or a message, on its way to a sink. JSON is the whole of it, redacted and
// encoded; the other fields repeat what a sink needs to file it without parsing JSON.
type Line struct {
	ID      string
	Kind    string // "conversation", "decision", …; Message
	Source  core.Tool
	Session string
	Thread  string
	Seq     uint64
	JSON    []byte // without a line end; valid until Apply returns
	// Moved says under which paths a database files the line, whatever its JSON names: what
	// others shared has paths of their machines.
	Moved Moved
}

// Moved is a folder that is found elsewhere. The zero Moved changes no path.
//
//	Moved{From: "/home/ann/app", To: "/home/bob/src/app"}.Path("/home/ann/app/a.go") == "/home/bob/src/app/a.go"
type Moved struct{ From, To string }

// Path returns where a path is found here. Only From and paths below it change; the rest gets
// the separators of To.
func (m Moved) Path(path string) string {
	rest, ok := strings.CutPrefix(path, m.From)
	if m.From == "" || !ok || rest != "" && strings.IndexAny(rest, `/\`) != 0 {
		return path
	}
	if strings.Contains(m.To, "/") {
		rest = strings.ReplaceAll(rest, `\`, "/")
	} else {
		rest = strings.ReplaceAll(rest, "/", `\`)
	}
	return m.To + rest
}

// Message is the kind of a line that is not a node but a message ([core.Message]). Only a sink
// that was opened for messages receives them.
const Message = "message"

// Sink keeps the last line of each id. One goroutine at a time may call it.
//
// Delivery is at least once: after an error, or a crash, lines that the sink
// may already have come again. Keeping them by id makes that invisible, and
// that is the sink's duty.
type Sink interface {
	// Apply takes in lines, each in place of the one of the same id, if
	// there is one. An error means that none of them counts as delivered; the
	// caller may call again with the same lines. What it took in need not
	// survive a crash yet.
	Apply(ctx context.Context, lines []Line) error
	// Flush returns when everything applied would survive a crash, as far as
	// the sink's store can promise it. Only then may the caller advance the
	// position up to which it has read.
	Flush(ctx context.Context) error
	// Close releases what the sink holds. Whether it flushes before, the kind of
	// sink says. Closing twice is safe; a closed sink takes nothing more.
	Close() error
}

// ErrLost is the error of a sink whose store is not what it left there: it was
// truncated, replaced, moved or removed. Nodes that were flushed may be gone, so that
// to call again is not enough. The sink has to be opened again, and what it then
// does not hold delivered from the start.
var ErrLost = errors.New("the output is not what was written to it")

// Fault is an error that waiting does not mend: the store is not what it should be. Its text
// says what is wrong and what a person has to do. Commands exit with 3 then.
type Fault struct{ Err error }

// Error implements [error].
func (f *Fault) Error() string { return f.Err.Error() }

// Unwrap returns what is wrong.
func (f *Fault) Unwrap() error { return f.Err }

// Faultf returns a Fault with a text.
func Faultf(format string, args ...any) error { return &Fault{fmt.Errorf(format, args...)} }

// IsFault reports whether an error, or what it wraps, is a Fault.
func IsFault(err error) bool {
	_, ok := errors.AsType[*Fault](err)
	return ok
}

// Marker is a sink that can recognise its store after a restart. A checkpoint keeps the mark;
// if the store does not hold what the mark describes, everything is delivered again.
type Marker interface {
	// Mark describes what the store holds and would hold after a crash.
	Mark() string
	// Holds reports whether the store is the one that Mark described, and holds
	// all that it held then.
	Holds(mark string) bool
}

// Tidier is a sink with maintenance to do now and then, such as merging an index, for which a
// delivery should not have to wait.
type Tidier interface {
	// Tidy does it, if it is due; whoever delivers calls it when there is nothing
	// else to do. After an error it is done later.
	Tidy(ctx context.Context) error
}
