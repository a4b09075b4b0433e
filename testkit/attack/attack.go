// Package attack is the suite of hostile inputs: files, databases and requests that
// are cheap to make and expensive for a careless reader.
//
// Each kind of input has a file here that makes it, and a test beside it that
// starts the program on it:
//
//	archives.go   what unpacks to far more than it weighs
//	cells.go      the same in a cell of a database
//	decisions.go  very many decisions, and what can belong to each of them
//	lines.go      lines of a length that no tool writes
//	many.go       very many files, very many records
//	requests.go   telemetry that is sent packed
//	words.go      secrets that their context gives away, orders to terminals
//
// Databases of memscribe's own to which somebody has added triggers, views or tables are made
// by their test, words_linux_test.go.
//
// What makes an input takes a folder or a writer and returns nothing but an
// error; what an input must cost at most, its test says. [Run] starts the program
// and returns what it spent: the memory of the whole process, as the system counts
// it, and its processor time.
package attack

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Text is a sentence that means nothing, to be repeated.
const Text = "It is as it was before, and so it goes on. "

// repeat writes a text again and again until size bytes are written.
func repeat(w io.Writer, text string, size int64) error {
	block := bytes.Repeat([]byte(text), max(1, (64<<10)/len(text)))
	for size > 0 {
		part := block[:min(int64(len(block)), size)]
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("write attack: %w", err)
		}
		size -= int64(len(part))
	}
	return nil
}

// create makes a file, filled by a function.
func create(path string, fill func(io.Writer) error) (err error) {
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if failed := f.Close(); err == nil {
			err = failed
		}
	}()
	return fill(f)
}

// turn is a record of Claude Code, cut where the words of its person stand: the
// first part, and the last one with its line end.
func turn(session, record int) (before, after string) {
	before = fmt.Sprintf(`{"type":"user","uuid":"%08x-0000-4000-8000-%012x","parentUuid":null,"sessionId":"5e550001-0000-4000-8000-%012x",`+
		`"cwd":"/w","version":"2.1.240","isSidechain":false,"userType":"external","timestamp":"2026-08-01T00:00:00.000Z",`+
		`"message":{"role":"user","content":"`, session, record, session)
	return before, "\"}}\n"
}

// said is a whole record of a person's words.
func said(session, record int, words string) string {
	before, after := turn(session, record)
	return before + words + after
}
