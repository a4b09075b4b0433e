package redact

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// Limits on a block of key material.
const (
	maxPEM      = 1 << 16
	maxPEMLabel = 80
)

const (
	pemDashes = "-----"
	pemEnd    = "-----END"
)

// privateKey finds the private key whose "-----BEGIN" ends at end, whether it is
// whole or cut off, in a diff, numbered, quoted line by line or on one line.
func (e *Engine) privateKey(rule int32, start, end int) {
	text := e.view.Text
	label := text[end:min(len(text), end+maxPEMLabel)]
	n := bytes.Index(label, []byte(pemDashes))
	e.work += 8
	if n < 0 || looks.IndexFold(label[:n], "private key") < 0 {
		return
	}
	if stop := e.keyMaterial(end + n + len(pemDashes)); stop > 0 {
		e.report(rule, start, stop)
	}
}

// keyMaterial returns where the key material that begins at an offset ends, or
// 0 where there is none.
func (e *Engine) keyMaterial(at int) int {
	text := e.view.Text
	limit := min(len(text), at+maxPEM)
	stop := 0
	for i := at; i < limit; {
		n := bytes.IndexByte(text[i:limit], '\n')
		line := text[i:limit]
		if n >= 0 {
			line = line[:n]
		}
		e.work += 1 + 3*len(line)
		if k := bytes.Index(line, []byte(pemEnd)); k >= 0 {
			if stop > 0 || longestRun(line[:k]) >= minKeyRun {
				return i + pemFooter(line, k)
			}
			return 0
		}
		switch keyLine(line, stop > 0) {
		case isKeyLine:
			stop = i + len(line)
		case noKeyLine:
			return stop
		default:
		}
		i += len(line) + 1
	}
	return stop
}

// pemFooter is where the END line ends that begins at k.
func pemFooter(line []byte, k int) int {
	rest := line[k+len(pemEnd):]
	if n := bytes.Index(rest[:min(len(rest), maxPEMLabel)], []byte(pemDashes)); n >= 0 {
		return k + len(pemEnd) + n + len(pemDashes)
	}
	return len(line)
}

type lineKind uint8

const (
	noKeyLine lineKind = iota
	isKeyLine
	besideKeyLine // blank, or a header of the block
)

// minKeyRun is the least run of base64 in a line of key material; the last line
// may be shorter.
const minKeyRun = 16

// keyLine says what a line between the marks of a PEM block is: key material, a
// header, or the end.
func keyLine(line []byte, after bool) lineKind {
	switch run := longestRun(line); {
	case run >= minKeyRun && run*4 >= len(line):
		return isKeyLine
	case bytes.IndexByte(line, ':') > 0 && looks.ContainsAny(line, "proc-type: dek-info: version: comment: hash: charset: messageid:"):
		return besideKeyLine
	case run == 0:
		return besideKeyLine
	case after && len(line)-run <= minKeyRun && bytes.Count(bytes.TrimSpace(line), []byte(" ")) < 2: // the last line, behind a number or a sign
		return isKeyLine
	}
	return noKeyLine
}

// longestRun is the length of the longest run of base64 in a line.
func longestRun(line []byte) int {
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

// puttyKey finds the private lines of a PuTTY key file.
func (e *Engine) puttyKey(rule int32, start, end int) {
	text := e.view.Text
	i := end
	for i < len(text) && i-end < 8 && (text[i] == ' ' || ascii.IsDigit(text[i])) {
		i++
	}
	if i == end || i == len(text) || text[i] != '\n' && text[i] != '\r' {
		return
	}
	if stop := e.keyMaterial(i + 1); stop > 0 {
		e.report(rule, start, stop)
	}
}

// jwt finds the signed or encrypted token that begins at start.
func (e *Engine) jwt(rule int32, start, end int) {
	text := e.view.Text
	if start < e.tokenEnd || start > 0 && ascii.IsAlnum(text[start-1]) || text[start] != 'e' || text[start+1] != 'y' {
		return
	}
	const (
		minHeader = 12
		minParts  = 2
		maxParts  = 5
	)
	i, n, last := start, 0, start
	for n < maxParts {
		from := i
		last = i
		for i < len(text) && i-from < maxPEM && (ascii.IsJoined(text[i]) || text[i] == '+' || text[i] == '/' || text[i] == '=') {
			i++
		}
		if n < minParts && i-from < minHeader {
			return
		}
		n++
		if i+1 >= len(text) || text[i] != '.' {
			break
		}
		i++
	}
	e.work += i - start
	if n < minParts {
		return
	}
	if text[i-1] == '.' && n > minParts {
		i--
	}
	e.tokenEnd = i
	if n > minParts && i-last < minHeader && i > last {
		return // a word where the signature should be
	}
	if !looks.InSequence(text[start:i]) {
		e.report(rule, start, i)
	}
}
