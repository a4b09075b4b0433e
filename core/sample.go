package core

import (
	"bytes"
	"iter"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Sample is the beginning of a file, for Detect.
//
// Detect of every adapter is called with the same sample. It should look at a few members of
// the first records and then decide; a member that only this tool writes makes a NativeFit.
type Sample struct {
	Path string
	Head []byte // whole lines, at most 64 KiB; part of a line if the first one is longer

	seen *parsedHead // the parsed records of Head, if they are shared
}

// NewSample returns a sample whose records are parsed once, for all callers of Records.
func NewSample(path string, head []byte) Sample {
	return Sample{Path: path, Head: head, seen: &parsedHead{rest: head}}
}

// parsedHead is the beginning of a sample, parsed as far as needed.
type parsedHead struct {
	rest    []byte // not parsed yet
	records []*parsedLine
}

// parsedLine is a line that is not blank.
type parsedLine struct {
	line []byte
	doc  jsondoc.Doc
}

// maxRecords is how many lines of a sample are parsed.
const maxRecords = 64

// Records yields the first lines that are not blank and their JSON values. A line that is not
// JSON, or is cut off, has no value.
func (s Sample) Records() iter.Seq2[[]byte, jsondoc.Value] {
	seen := s.seen
	if seen == nil {
		seen = &parsedHead{rest: s.Head}
	}
	return func(yield func([]byte, jsondoc.Value) bool) {
		for i := range maxRecords {
			if i == len(seen.records) && !seen.next() {
				return
			}
			if r := seen.records[i]; !yield(r.line, r.doc.Root()) {
				return
			}
		}
	}
}

// next parses one more line and reports whether there is one.
func (s *parsedHead) next() bool {
	for len(s.rest) > 0 {
		var line []byte
		line, s.rest, _ = bytes.Cut(s.rest, []byte("\n"))
		if line = bytes.Trim(line, " \t\r\n\x00\ufeff"); len(line) > 0 {
			r := &parsedLine{line: line}
			_, _ = r.doc.Parse(line) // a line that is not JSON has no root
			s.records = append(s.records, r)
			return true
		}
	}
	return false
}
