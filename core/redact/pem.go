package redact

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/joint"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/pem"
)

// maxPEM bounds a block of key material in bytes.
const maxPEM = 1 << 16

// privateKey finds the private key whose "-----BEGIN" ends at end, whether it is
// whole or cut off, in a diff, numbered, quoted line by line or on one line.
func (e *Engine) privateKey(rule int32, start, end int) {
	text := e.view.Text
	label := text[end:min(len(text), end+pem.MaxLabel)]
	n := bytes.Index(label, []byte(pem.Dashes))
	e.work += 8
	if n < 0 || looks.IndexFold(label[:n], "private key") < 0 {
		return
	}
	if stop := e.keyMaterial(end + n + len(pem.Dashes)); stop > 0 {
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
		if k := bytes.Index(line, []byte(pem.End)); k >= 0 {
			if stop > 0 || pem.LongestRun(line[:k]) >= pem.MinRun {
				return i + pem.Footer(line, k)
			}
			return 0
		}
		if i == at && len(line) <= pem.MinRun && bytes.Contains(line, []byte("> ")) {
			i += len(line) + 1 // a command writes the line into a file
			continue
		}
		switch pem.KindOf(line, stop > 0) {
		case pem.Key:
			stop = i + len(line)
		case pem.Other:
			return stop
		default:
		}
		i += len(line) + 1
	}
	return stop
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

// leastWrapped is the least length of a line of a token that is wrapped.
const leastWrapped = 20

// wrapped is the length of what parts the lines of a token at an offset, or the literals that it
// is joined of; 0 if the token ends there.
func wrapped(text []byte, at int) int {
	if ascii.IsQuote(text[at]) {
		return joint.Len(text, at, false)
	}
	next, _ := assign.NextLine(text, at)
	if next < 0 {
		return 0
	}
	end := next
	for end < len(text) && ascii.IsJoined(text[end]) {
		end++
	}
	ends := end == len(text) || text[end] == '.' || text[end] == '\n' || text[end] == '\r' || ascii.IsQuote(text[end])
	if m := looks.Inspect(text[next:end]); !ends || end-next < leastWrapped || !m.IsRandom(leastWrapped/2) && string(text[next:next+3]) != "eyJ" {
		return 0
	}
	return next - at
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
		for i < len(text) && i-from < maxPEM {
			if !ascii.IsJoined(text[i]) && text[i] != '+' && text[i] != '/' && text[i] != '=' {
				k := wrapped(text, i)
				if k == 0 {
					break
				}
				i += k
			}
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
