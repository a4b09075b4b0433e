// Package scrub removes a vendor's texts from a recorded transcript: system prompts,
// descriptions of tools and skills, standing instructions.
//
// Each such text becomes a short placeholder of the same JSON shape, wherever the rules of the
// tool say that one stands:
//
//	{"type":"session_meta","payload":{"instructions":"You are … (9,000 bytes)"}}
//	{"type":"session_meta","payload":{"instructions":"[left out: 9000 bytes]"}}
//
// Everything else stays as it was, byte for byte: ids, order, spaces, line ends, escapes, and
// lines that are not JSON. Scrubbing what is scrubbed already changes nothing.
package scrub

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/core"
)

// long is the length in bytes from which on a vendor's text is replaced;
// shorter ones are labels.
const long = 120

// mark begins what stands in place of a text.
const mark = "[left out: "

// Transcript returns the transcript without its vendor's texts. It fails for a
// tool without rules.
func Transcript(tool core.Tool, data []byte) ([]byte, error) {
	rules, keyOf := rulesOf(tool)
	if rules == nil {
		return nil, fmt.Errorf("scrub transcript: no rules for %q", tool)
	}
	if isValue(data) { // a document, or a log of one line
		return record(rules, keyOf, data), nil
	}
	var out bytes.Buffer
	for line := range bytes.Lines(data) {
		text := bytes.TrimRight(line, "\r\n")
		out.Write(record(rules, keyOf, text))
		out.Write(line[len(text):])
	}
	return out.Bytes(), nil
}

// record scrubs one line. One that is not a single JSON value stays as it is.
func record(rules []rule, keyOf func(head) string, line []byte) []byte {
	if !isValue(line) {
		return line
	}
	w := walker{dec: newDecoder(line), line: line}
	key := keyOf(headOf(line))
	for _, r := range rules {
		if r.record == key || r.record == "*" {
			w.rules = append(w.rules, r)
		}
	}
	for w.step() {
	}
	if w.err != nil {
		return line
	}
	return append(w.out, line[w.done:]...)
}

// isValue reports whether b is a JSON value.
func isValue(b []byte) bool {
	return jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// newDecoder returns a decoder that accepts what tools really write: duplicate names
// and invalid UTF-8.
func newDecoder(b []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// walker copies a record and replaces values on the way.
type walker struct {
	dec   *jsontext.Decoder
	rules []rule
	line  []byte
	done  int // how much of line is in out
	out   []byte
	err   error
}

// step takes in the next token, or the whole value that a rule is about. It
// reports whether there may be more.
func (w *walker) step() bool {
	kind := w.dec.PeekKind()
	if kind == jsontext.KindEndObject || kind == jsontext.KindEndArray || w.atName() {
		_, w.err = w.dec.ReadToken()
		return w.err == nil && w.dec.StackDepth() > 0
	}
	if act := w.action(kind); act != nil {
		return w.replace(act)
	}
	_, w.err = w.dec.ReadToken()
	return w.err == nil && w.dec.StackDepth() > 0
}

// atName reports whether the next token is the name of a member.
func (w *walker) atName() bool {
	kind, n := w.dec.StackIndex(w.dec.StackDepth())
	return kind == jsontext.KindBeginObject && n%2 == 0
}

// action returns what the rules do to the value that comes next; nil is nothing.
func (w *walker) action(next jsontext.Kind) func(jsontext.Value) []byte {
	at := w.pointer()
	for _, r := range w.rules {
		if (r.whole || next == jsontext.KindString) && r.covers(at) {
			return r.act
		}
	}
	return nil
}

// pointer returns the place of the value that comes next.
func (w *walker) pointer() string {
	p := string(w.dec.StackPointer())
	if kind, _ := w.dec.StackIndex(w.dec.StackDepth()); kind == jsontext.KindBeginArray {
		// The decoder points to the element before.
		if _, n := w.dec.StackIndex(w.dec.StackDepth()); n > 0 {
			p = p[:strings.LastIndexByte(p, '/')]
		}
		return p + "/-"
	}
	return p
}

// replace replaces the next value by what act returns.
func (w *walker) replace(act func(jsontext.Value) []byte) bool {
	v, err := w.dec.ReadValue()
	if err != nil {
		w.err = err
		return false
	}
	end := int(w.dec.InputOffset())
	now := act(v)
	w.out = append(w.out, w.line[w.done:end-len(v)]...)
	w.out = append(w.out, now...)
	w.done = end
	return w.dec.StackDepth() > 0
}
