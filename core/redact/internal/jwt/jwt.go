// Package jwt finds JSON Web Tokens, on one line, wrapped, or joined of literals.
//
//	eyJhbGciOiJIUzI1NiJ9 . eyJzdWIiOiIxIn0 . dBjftJeZ4CVP…
//	header                 payload           signature
//
// A signed token has three parts, an encrypted one five, one without signature two; a word
// where the signature should be makes it something else, such as a file with that name.
package jwt

import (
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/joint"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// maxPart bounds a part of a token, in bytes. Real ones have a few kilobytes at most.
const maxPart = 1 << 16

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

// End returns where a token ends that begins at an offset with "ey", the first letters of a
// JSON object in base64. end is 0 if there are fewer than two parts. ok says that it is a
// token, signed or encrypted, and not a counted sequence or a file name; work is the bytes that
// were looked at.
func End(text []byte, start int) (end, work int, ok bool) {
	if start > 0 && ascii.IsAlnum(text[start-1]) || text[start] != 'e' || text[start+1] != 'y' {
		return 0, 0, false
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
		for i < len(text) && i-from < maxPart {
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
			return 0, i - start, false
		}
		n++
		if i+1 >= len(text) || text[i] != '.' {
			break
		}
		i++
	}
	if n < minParts {
		return 0, i - start, false
	}
	if text[i-1] == '.' && n > minParts {
		i--
	}
	word := n > minParts && i-last < minHeader && i > last // where the signature should be
	return i, i - start, !word && !looks.InSequence(text[start:i])
}
