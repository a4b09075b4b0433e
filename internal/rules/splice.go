package rules

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// ErrMarkers is the error of a file whose markers do not make one pair.
var ErrMarkers = errors.New("the markers do not make one pair")

// Splice puts a text of [Text] into a file and returns the file. What stands around the
// markers stays byte for byte what it is:
//
//	markers there      what is between them, and they themselves, is replaced
//	no markers         the text comes behind the last byte, after a blank line; a last
//	                   line without an end gets one
//	an empty file      it holds the text alone
//
// The text has the line ends of the file: those of its first line. A file with several
// pairs of markers, or with one of a pair, is refused.
func Splice(file []byte, text string) ([]byte, error) {
	eol := "\n"
	if i := bytes.IndexByte(file, '\n'); i > 0 && file[i-1] == '\r' {
		eol = "\r\n"
	}
	text = strings.ReplaceAll(text, "\n", eol)
	from, to, err := marked(file)
	if err != nil {
		return nil, err
	}
	if from >= 0 {
		if to == len(file) && !bytes.HasSuffix(file, []byte("\n")) {
			text = strings.TrimSuffix(text, eol) // the last line has no end, and gets none
		}
		return join(file[:from], text, file[to:]), nil
	}
	switch {
	case len(file) == 0:
		return []byte(text), nil
	case !bytes.HasSuffix(file, []byte("\n")):
		text = eol + eol + text
	case !bytes.HasSuffix(file, []byte("\n"+eol)):
		text = eol + text
	}
	return join(file, text, nil), nil
}

// join returns the three parts in a new slice.
func join(before []byte, text string, after []byte) []byte {
	out := make([]byte, 0, len(before)+len(text)+len(after))
	return append(append(append(out, before...), text...), after...)
}

// marked finds the lines from one marker to the other; -1 if there are none.
func marked(file []byte) (from, to int, err error) {
	from, to = -1, -1
	at, no := 0, 0
	for line := range bytes.Lines(file) {
		no++
		switch string(bytes.TrimSpace(line)) {
		case Begin:
			if from >= 0 {
				return 0, 0, fmt.Errorf("line %d begins the rules again: %w", no, ErrMarkers)
			}
			from = at
		case End:
			if from < 0 || to >= 0 {
				return 0, 0, fmt.Errorf("line %d ends rules that did not begin: %w", no, ErrMarkers)
			}
			to = at + len(line)
		}
		at += len(line)
	}
	if from >= 0 && to < 0 {
		return 0, 0, fmt.Errorf("the rules have no end: %w", ErrMarkers)
	}
	return from, to, nil
}

// Marked reports whether a file has rules.
func Marked(file []byte) bool {
	from, _, err := marked(file)
	return err == nil && from >= 0
}
