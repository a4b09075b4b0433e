// Package pem reads the lines of a PEM block, whole or cut off, numbered, quoted or in a
// diff.
//
//	12→-----BEGIN RSA PRIVATE KEY-----     the caller has found this
//	13→Proc-Type: 4,ENCRYPTED              Header
//	14→                                    Header
//	15→MIIEpAIBAAKCAQEA7bq2…               Key
//	16→-----END RSA PRIVATE KEY-----       the end
//
// A block that was cut off ends with its last line of key material.
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

// MaxBlock bounds a block of key material in bytes.
const MaxBlock = 1 << 16

// Material returns where the key material ends that begins at an offset behind the BEGIN line,
// including the END line if there is one. stop is 0 if there is no key material, as where a
// text only talks about the lines. work counts the bytes that were looked at.
func Material(text []byte, at int) (stop, work int) {
	limit := min(len(text), at+MaxBlock)
	for i := at; i < limit; {
		n := bytes.IndexByte(text[i:limit], '\n')
		line := text[i:limit]
		if n >= 0 {
			line = line[:n]
		}
		work += 1 + 3*len(line)
		if k := bytes.Index(line, []byte(End)); k >= 0 {
			if stop > 0 || LongestRun(line[:k]) >= MinRun {
				return i + Footer(line, k), work
			}
			return 0, work
		}
		if i == at && len(line) <= MinRun && bytes.Contains(line, []byte("> ")) {
			i += len(line) + 1 // a command writes the line into a file
			continue
		}
		switch KindOf(line, stop > 0) {
		case Key:
			stop = i + len(line)
		case Other:
			return stop, work
		default:
		}
		i += len(line) + 1
	}
	return stop, work
}

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

// KindOf says what a line between the marks of a PEM block is. after says that a line of key
// material was before it: then a shorter run of base64 may be the last line.
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
