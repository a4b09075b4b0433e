// Package pem reads the lines of a PEM block, whole or cut off, numbered, quoted or in a
// diff.
package pem

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// The marks of a block.
const (
	Dashes = "-----"
	End    = "-----END"
)

// MaxLabel bounds the label between the dashes in bytes.
const MaxLabel = 80

// Footer is where the END line ends that begins at k.
func Footer(line []byte, k int) int {
	rest := line[k+len(End):]
	if n := bytes.Index(rest[:min(len(rest), MaxLabel)], []byte(Dashes)); n >= 0 {
		return k + len(End) + n + len(Dashes)
	}
	return len(line)
}

// Kind is what a line of a PEM block is.
type Kind uint8

// The kinds.
const (
	Other  Kind = iota
	Key         // key material
	Header      // blank, or a header of the block
)

// MinRun is the least run of base64 in a line of key material; the last line
// may be shorter.
const MinRun = 16

// KindOf says what a line between the marks of a PEM block is: key material, a
// header, or the end.
func KindOf(line []byte, after bool) Kind {
	switch run := LongestRun(line); {
	case run >= MinRun && run*4 >= len(line):
		return Key
	case bytes.IndexByte(line, ':') > 0 && looks.ContainsAny(line, "proc-type: dek-info: version: comment: hash: charset: messageid:"):
		return Header
	case run == 0 || isNumber(line):
		return Header
	case after && len(line)-run <= MinRun && bytes.Count(bytes.TrimSpace(line), []byte(" ")) < 2: // the last line, behind a number or a sign
		return Key
	}
	return Other
}

// isNumber reports whether a line is blank but for its number in a listing.
func isNumber(line []byte) bool {
	line = bytes.TrimRight(line, "→:| \t\r")
	return len(bytes.Trim(line, " 0123456789")) == 0
}

// LongestRun is the length of the longest run of base64 in a line.
func LongestRun(line []byte) int {
	longest, n := 0, 0
	for _, c := range line {
		switch {
		case ascii.IsAlnum(c), n > 0 && (c == '+' || c == '/' || c == '='):
			n++
		default:
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}
