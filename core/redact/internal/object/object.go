// Package object finds the secrets of objects whose kind says what their members are.
//
//	kind: Secret                  Kubernetes: all values below data and stringData
//	  data:
//	    token: X
//	{"kty":"RSA", …, "d":"X"}     a private key as JSON (JWK) or XML: its private members
//	mnemonic: word word word …    the words from which a wallet is restored
//
// Each function is called where the word stands that names the kind. It looks at a bounded
// stretch around that word, and returns how many bytes it looked at.
package object

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// maxReach is how far from the word that names an object its members are looked for.
const maxReach = 4096

// maxMembers bounds the members of an object that are reported.
const maxMembers = 32

// leastDatum is the least length of a value in a Secret of Kubernetes that is reported.
const leastDatum = 4

// Secret reports all values in the data of a Secret of Kubernetes, whose kind stands at [start, end).
func Secret(text []byte, start, end int, report func(start, end int)) (work int) {
	if end < len(text) && (ascii.IsJoined(text[end]) || text[end] == '.') {
		return 0
	}
	from, to := max(0, start-maxReach), min(len(text), end+maxReach)
	if k := bytes.LastIndex(text[from:start], []byte("\n---")); k >= 0 {
		from += k
	}
	if k := bytes.Index(text[end:to], []byte("\n---")); k >= 0 {
		to = end + k
	}
	for i := from; i < to; {
		k := looks.IndexFold(text[i:to], "data")
		if k < 0 {
			break
		}
		i += k + len("data")
		items, ok := assign.List(text, i)
		if !ok || items.IsOpen() {
			continue
		}
		items.Keyed = true
		for range maxMembers {
			a, stop, ok := items.Next()
			if !ok || a.At > to {
				break
			}
			if v := text[a.At:stop]; len(v) >= leastDatum && !looks.StandsIn(v) {
				report(a.At, stop)
			}
		}
	}
	return to - from
}

// leastPrivate is the least length of a private member of a key.
const leastPrivate = 20

// Key reports the private members of a key that is written as JSON or as XML. The word that says so
// stands at [start, end).
func Key(text []byte, start, end int, report func(start, end int)) (work int) {
	from, to := max(0, start-maxReach), min(len(text), end+maxReach)
	work = to - from
	if text[start] == '<' {
		for _, tag := range [...]string{"<D>", "<P>", "<Q>", "<DP>", "<DQ>", "<InverseQ>"} {
			k := bytes.Index(text[end:to], []byte(tag))
			if k < 0 {
				continue
			}
			at := end + k + len(tag)
			if n := bytes.IndexByte(text[at:to], '<'); n > 0 {
				report(at, at+n)
			}
		}
		return work
	}
	if k := bytes.LastIndexByte(text[from:start], '{'); k >= 0 {
		from += k
	}
	if k := bytes.IndexByte(text[end:to], '}'); k >= 0 {
		to = end + k
	}
	for _, name := range [...]string{"d", "k", "p", "q", "dp", "dq", "qi"} {
		k := bytes.Index(text[from:to], []byte(`"`+name+`"`))
		if k < 0 {
			continue
		}
		a := assign.Read(text, from+k+1+len(name))
		if a.Link != assign.Colon || a.Quote == 0 {
			continue
		}
		if stop := ascii.TokenEnd(text, a.At); stop-a.At >= leastPrivate && stop <= to {
			report(a.At, stop)
		}
	}
	return work
}

// Words of a phrase from which a wallet is restored.
const (
	leastPhrase  = 12 // words
	longestWord  = 8
	shortestWord = 3
)

// Phrase reports the words from which a wallet is restored, behind what says that they are, which ends
// at an offset.
func Phrase(text []byte, end int, report func(start, end int)) (work int) {
	a := assign.Read(text, end)
	if a.Link == assign.None || a.Link == assign.Argument || names.IsNameByte(text[min(end, len(text)-1)]) {
		return 0
	}
	i, words := a.At, 0
	stop := i
	for i < len(text) {
		from := i
		for i < len(text) && ascii.IsLower(text[i]) {
			i++
		}
		if i-from < shortestWord || i-from > longestWord {
			break
		}
		words++
		stop = i
		if i < len(text) && text[i] == ',' {
			i++
		}
		if next := assign.SkipLines(text, i); next > i {
			i = next
			continue
		}
		break
	}
	if words >= leastPhrase {
		report(a.At, stop)
	}
	return stop - end
}
