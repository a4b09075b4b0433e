package core

import (
	"bytes"
	"iter"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Sample is the beginning of a file, for Detect.
type Sample struct {
	Path string
	Head []byte // whole lines, at most 64 KiB; part of a line if the first one is longer

	seen *looks // of Head; nil if each who looks reads it for themselves
}

// NewSample returns a sample whose records are read once, for all who look at it one after
// the other.
func NewSample(path string, head []byte) Sample {
	return Sample{Path: path, Head: head, seen: &looks{rest: head}}
}

// looks are the first records of a sample, as far as they were read.
type looks struct {
	rest    []byte // what was not read
	records []*look
}

// look is a line that is not blank, and what it holds.
type look struct {
	line []byte
	doc  jsondoc.Doc
}

// maxLooks is how many lines of a sample are looked at.
const maxLooks = 64

// Records yields the first lines that are not blank, with what each holds: nothing, if it
// is no JSON or was cut off.
func (s Sample) Records() iter.Seq2[[]byte, jsondoc.Value] {
	seen := s.seen
	if seen == nil {
		seen = &looks{rest: s.Head}
	}
	return func(yield func([]byte, jsondoc.Value) bool) {
		for i := range maxLooks {
			if i == len(seen.records) && !seen.next() {
				return
			}
			if r := seen.records[i]; !yield(r.line, r.doc.Root()) {
				return
			}
		}
	}
}

// next reads one more record and reports whether there is one.
func (s *looks) next() bool {
	for len(s.rest) > 0 {
		var line []byte
		line, s.rest, _ = bytes.Cut(s.rest, []byte("\n"))
		if line = bytes.Trim(line, " \t\r\n\x00\ufeff"); len(line) > 0 {
			r := &look{line: line}
			_, _ = r.doc.Parse(line) // what is no JSON has no root
			s.records = append(s.records, r)
			return true
		}
	}
	return false
}
