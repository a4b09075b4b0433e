package jsondoc_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// tolerant returns the options under which jsontext accepts what jsondoc does.
func tolerant() []jsontext.Options {
	return []jsontext.Options{
		jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true),
		jsontext.CanonicalizeRawInts(false),
		jsontext.CanonicalizeRawFloats(false),
	}
}

// reference is what jsontext makes of the first value of an input.
type reference struct {
	end   int
	texts []string // decoded, in the order in which they begin
	depth int      // reached, even if there is an error
	err   error
}

func refer(b []byte) (ref reference) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(b), tolerant()...)
	for {
		tok, err := dec.ReadToken()
		if err != nil {
			ref.err = err
			return ref
		}
		if tok.Kind() == '"' {
			ref.texts = append(ref.texts, tok.String())
		}
		ref.depth = max(ref.depth, dec.StackDepth())
		if dec.StackDepth() == 0 {
			ref.end = int(dec.InputOffset())
			return ref
		}
	}
}

// texts appends the strings of v in the order in which they begin.
func texts(v jsondoc.Value, out []string) []string {
	if v.Kind() == jsondoc.String {
		return append(out, v.Str())
	}
	for e := range v.Elems() {
		out = texts(e, out)
	}
	for name, e := range v.Fields() {
		out = texts(e, append(out, name.Str()))
	}
	return out
}

// check holds what d makes of b against jsontext, and against what the package
// promises.
func check(t *testing.T, d *jsondoc.Doc, b []byte) {
	t.Helper()
	input := bytes.Clone(b)
	n, err := d.Parse(b)
	if !bytes.Equal(b, input) {
		t.Fatalf("%q: input modified", input)
	}
	ref := refer(b)
	if ref.depth > jsondoc.MaxDepth {
		if err == nil {
			t.Fatalf("%q: depth %d accepted", b, ref.depth)
		}
		return
	}
	if (err == nil) != (ref.err == nil) {
		t.Fatalf("Parse(%q) = %d, %v; jsontext: %v", b, n, err, ref.err)
	}
	if err != nil {
		checkError(t, d, b, n, err, ref.err)
		return
	}
	if n != ref.end {
		t.Fatalf("Parse(%q) = %d; jsontext: %d", b, n, ref.end)
	}
	if diff := cmp.Diff(ref.texts, texts(d.Root(), nil)); diff != "" {
		t.Fatalf("%q: texts (-jsontext +jsondoc)\n%s", b, diff)
	}
	compact := d.Root().AppendCompact(nil)
	want := jsontext.Value(bytes.Clone(b[:n]))
	if err := want.Format(tolerant()...); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(compact, want) || !utf8.Valid(compact) {
		t.Fatalf("%q: compact %q; jsontext: %q", b, compact, want)
	}
	checkSpans(t, d.Root(), b, 0, n)
	checkAlone(t, d, b[:n])
	var again jsondoc.Doc
	if m, err := again.Parse(compact); m != len(compact) || err != nil {
		t.Fatalf("Parse(%q) = %d, %v; it is the compact form of %q", compact, m, err, b)
	}
	if got := again.Root().AppendCompact(nil); !bytes.Equal(got, compact) {
		t.Fatalf("%q: compact %q, and of that %q", b, compact, got)
	}
}

// checkError checks that err is a SyntaxError that says the input ends too early
// only where jsontext says so.
func checkError(t *testing.T, d *jsondoc.Doc, b []byte, n int, err, want error) {
	t.Helper()
	var got *jsondoc.SyntaxError
	if !errors.As(err, &got) || n != 0 || d.Root().Exists() || got.Offset < 0 || got.Offset > len(b) {
		t.Fatalf("Parse(%q) = %d, %v, root %v", b, n, err, d.Root().Kind())
	}
	truncated := errors.Is(want, io.ErrUnexpectedEOF) || errors.Is(want, io.EOF)
	if got.Offset == len(b) && !truncated {
		t.Fatalf("Parse(%q): %v; jsontext: %v", b, err, want)
	}
}

// checkSpans checks that the parts of v lie in it, in order and apart, with
// nothing but punctuation and space between them.
func checkSpans(t *testing.T, v jsondoc.Value, b []byte, from, to int) {
	t.Helper()
	if v.Start() < from || v.End() > to || v.Start() >= v.End() || !bytes.Equal(v.Raw(), b[v.Start():v.End()]) {
		t.Fatalf("%q: %v [%d:%d) not in [%d:%d)", b, v.Kind(), v.Start(), v.End(), from, to)
	}
	last, parts := v.Start(), 0
	part := func(p jsondoc.Value) {
		if gap := b[last:max(last, p.Start())]; len(gap) == 0 || len(bytes.Trim(gap, "{[,: \t\r\n")) > 0 {
			t.Fatalf("%q: %q before the part at %d of the %v at %d", b, gap, p.Start(), v.Kind(), v.Start())
		}
		checkSpans(t, p, b, last, v.End()-1)
		last = p.End()
	}
	for e := range v.Elems() {
		parts++
		part(e)
	}
	for name, e := range v.Fields() {
		parts++
		part(name)
		part(e)
		// Of duplicates the last is got; it cannot stand before this one.
		if got := v.Get(name.Str()); got.Start() < e.Start() || !name.Is(name.Str()) {
			t.Fatalf("%q: Get(%q) at %d, before %d", b, name.Str(), got.Start(), e.Start())
		}
	}
	if parts != v.Len() {
		t.Fatalf("%q: Len of %s is %d, want %d", b, v.Raw(), v.Len(), parts)
	}
}

// checkAlone checks that what follows the value b plays no part: the value is
// the same at the end of the input and before bytes that are not JSON.
func checkAlone(t *testing.T, d *jsondoc.Doc, b []byte) {
	t.Helper()
	want := texts(d.Root(), nil)
	for _, after := range []string{"", " ", "\x00", "}", strings.Repeat("\xff", 100)} {
		var other jsondoc.Doc
		n, err := other.Parse(append(bytes.Clone(b), after...))
		if n != len(b) || err != nil {
			t.Fatalf("Parse(%q + %q) = %d, %v; want %d", b, after, n, err, len(b))
		}
		if diff := cmp.Diff(want, texts(other.Root(), nil)); diff != "" {
			t.Fatalf("%q + %q: (-want +got)\n%s", b, after, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		` { "a" : [1, "x\n\u00e9"], "b":{}, "a":{"z":[true,null,-1.5e3]}} {}`,
		`01`, `[01]`, `[-0.0e+1]`, `[1 2]`, `[1.]`, `[1e]`, `-`, `nul`,
		`[[[]]]`, "[\t\r\n]", `{"a":1,"a":2}`, `{"a":}`, `{"a"`, `[}`,
		`"\ud83d\ude00\/\ud83d"`, `"\ud800\ud800\udc00"`, "\"\xff\xe2\x82\"", "\"\x1f\"", "\"\x7f\xc3\xa9\"",
		`"0123456789\"0123456789abcdef\\"`,
		`["` + strings.Repeat(`line of text with a \"quote\"\n`, 8) + `"]`,
		strings.Repeat("[", jsondoc.MaxDepth+1) + strings.Repeat("]", jsondoc.MaxDepth+1),
		strings.Repeat(`{"a":`, jsondoc.MaxDepth) + "1" + strings.Repeat("}", jsondoc.MaxDepth),
	} {
		f.Add([]byte(s))
	}
	var d jsondoc.Doc
	f.Fuzz(func(t *testing.T, b []byte) { check(t, &d, b) })
}

// FuzzString puts the input inside a string, where a fuzzer would need long to
// get past the first block, with a choice of what is around it.
func FuzzString(f *testing.F) {
	f.Add([]byte(`\n`), uint8(70), uint8(70))
	f.Add([]byte(`\u00e9\ud83d\ude00\/`), uint8(93), uint8(0))
	f.Add([]byte("\xff\\\\\\\"é"), uint8(29), uint8(3))
	f.Add([]byte(`","`), uint8(95), uint8(65))
	var d jsondoc.Doc
	f.Fuzz(func(t *testing.T, b []byte, before, after uint8) {
		var doc []byte
		doc = append(doc, `{"`...)
		doc = append(doc, strings.Repeat("b", int(before))...)
		doc = append(doc, b...)
		doc = append(doc, strings.Repeat("a", int(after))...)
		doc = append(doc, `":0}`...)
		check(t, &d, doc)
	})
}

// FuzzText quotes any text and gets it back, and decodes any bytes as a body.
func FuzzText(f *testing.F) {
	f.Add("text\nwith \"quotes\", \x00, é and \xff \\u00", "", []byte(`\ud83d\ude0`))
	f.Add("\ufffd", "\xff", []byte(`\u0041\q\`))
	f.Fuzz(func(t *testing.T, s, other string, body []byte) {
		quoted := jsondoc.AppendQuoteString(nil, s)
		if got := jsondoc.AppendQuote(nil, []byte(s)); !bytes.Equal(got, quoted) {
			t.Fatalf("%q: AppendQuote %q, AppendQuoteString %q", s, got, quoted)
		}
		text := string([]rune(s)) // one U+FFFD for each byte that is not UTF-8
		if want, _ := jsontext.AppendQuote(nil, text); !bytes.Equal(quoted, want) {
			t.Fatalf("AppendQuoteString(%q) = %q; jsontext: %q", s, quoted, want)
		}
		var d jsondoc.Doc
		if n, err := d.Parse(quoted); n != len(quoted) || err != nil {
			t.Fatalf("Parse(%q) = %d, %v", quoted, n, err)
		}
		v := d.Root()
		if got := v.Str(); got != text || !v.Is(text) || v.Is(other) != (other == text) {
			t.Fatalf("AppendQuoteString(%q) = %q, which reads %q", s, quoted, got)
		}
		if got := v.AppendCompact(nil); !bytes.Equal(got, quoted) {
			t.Fatalf("%q is not canonical: %q", quoted, got)
		}
		if got := jsondoc.Unquote([]byte(other), body); !strings.HasPrefix(string(got), other) ||
			!utf8.Valid(got[len(other):]) {
			t.Fatalf("Unquote(%q, %q) = %q", other, body, got)
		}
	})
}

// FuzzStale changes the bytes under a Doc, and the Doc under its values.
func FuzzStale(f *testing.F) {
	f.Add([]byte(`{"a":[1,"b\n",{}],"c":{"d":null}}`), []byte(`{[\u"12,`))
	f.Fuzz(func(t *testing.T, b, with []byte) {
		var d jsondoc.Doc
		if _, err := d.Parse(b); err != nil || len(with) == 0 {
			return
		}
		var kept []jsondoc.Value
		for e := range d.Root().Elems() {
			kept = append(kept, e)
		}
		for name, e := range d.Root().Fields() {
			kept = append(kept, name, e)
		}
		for i := range b {
			b[i] = with[i%len(with)]
		}
		visit(d.Root())
		_, _ = d.Parse(with)
		for _, v := range kept {
			visit(v)
		}
	})
}
