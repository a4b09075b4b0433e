package redact

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// maxManifest is how far from the word that says what an object is its members are looked for.
const maxManifest = 4096

// manifest finds the values of a Secret of Kubernetes, whose kind ends at end: all that stands in its
// data.
func (e *Engine) manifest(rule int32, start, end int) {
	text := e.view.Text
	if !e.prose() || end < len(text) && (ascii.IsJoined(text[end]) || text[end] == '.') {
		return
	}
	from, to := max(0, start-maxManifest), min(len(text), end+maxManifest)
	if k := bytes.LastIndex(text[from:start], []byte("\n---")); k >= 0 {
		from += k
	}
	if k := bytes.Index(text[end:to], []byte("\n---")); k >= 0 {
		to = end + k
	}
	e.work += to - from
	for i := from; i < to; {
		k := looks.IndexFold(text[i:to], "data")
		if k < 0 {
			return
		}
		i += k + len("data")
		items, ok := assign.List(text, i)
		if !ok || items.IsOpen() {
			continue
		}
		items.Keyed = true
		for range maxItems {
			a, stop, ok := items.Next()
			if !ok || a.At > to {
				break
			}
			if v := text[a.At:stop]; len(v) >= leastDatum && !looks.StandsIn(v) {
				e.report(rule, a.At, stop)
			}
		}
	}
}

// leastDatum is the least length of a value in a Secret of Kubernetes that is cut.
const leastDatum = 4

// keyObject finds the private members of a key that is written as an object: as JSON, or as XML.
func (e *Engine) keyObject(rule int32, start, end int) {
	text := e.view.Text
	from, to := max(0, start-maxManifest), min(len(text), end+maxManifest)
	e.work += to - from
	if text[start] == '<' {
		for _, tag := range [...]string{"<D>", "<P>", "<Q>", "<DP>", "<DQ>", "<InverseQ>"} {
			k := bytes.Index(text[end:to], []byte(tag))
			if k < 0 {
				continue
			}
			at := end + k + len(tag)
			if n := bytes.IndexByte(text[at:to], '<'); n > 0 {
				e.report(rule, at, at+n)
			}
		}
		return
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
		if stop := tokenEnd(text, a.At); stop-a.At >= leastMember && stop <= to {
			e.report(rule, a.At, stop)
		}
	}
}

// leastMember is the least length of a private member of a key.
const leastMember = 20

// Words of a phrase from which a wallet is restored.
const (
	leastPhrase  = 12 // words
	longestWord  = 8
	shortestWord = 3
)

// phrase finds the words from which a wallet is restored, behind what says that they are.
func (e *Engine) phrase(rule int32, _, end int) {
	if !e.prose() {
		return
	}
	text := e.view.Text
	a := assign.Read(text, end)
	if a.Link == assign.None || a.Link == assign.Argument || names.IsNameByte(text[min(end, len(text)-1)]) {
		return
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
	e.work += stop - end
	if words >= leastPhrase {
		e.report(rule, a.At, stop)
	}
}
