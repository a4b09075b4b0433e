package jsondoc_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// TestAllocs holds a Doc in use to no allocation for each record, whatever is
// asked of it that does not return a string.
func TestAllocs(t *testing.T) {
	line := []byte(`{"type":"user","n":12,"f":1.5,"ok":true,"tags":["a","b\n","é","\/"],` +
		`"message":{"role":"user","content":[{"type":"text","text":"line\nline \u00e9` + "\xff" + `"},{"type":"image"}]}}`)
	var d jsondoc.Doc
	var dst []byte
	record := func() {
		if _, err := d.Parse(line); err != nil {
			t.Fatal(err)
		}
		root := d.Root()
		dst = root.AppendCompact(dst[:0])
		if n, ok := root.Get("n").Int(); n != 12 || !ok {
			t.Fatal("n")
		}
		if f, ok := root.Get("f").Float(); f != 1.5 || !ok {
			t.Fatal("f")
		}
		if !root.Get("ok").Bool() || !root.Path("message", "role").Is("user") || root.Len() != 6 {
			t.Fatal("root")
		}
		for e := range root.Get("tags").Elems() {
			dst = e.AppendStr(dst)
			dst = jsondoc.AppendQuote(dst, e.Body())
		}
		for part := range root.Path("message", "content").Elems() {
			for name, value := range part.Fields() {
				if name.Is("text") {
					dst = value.AppendStr(dst)
				}
			}
		}
	}
	if n := testing.AllocsPerRun(100, record); n != 0 {
		t.Errorf("%v allocations for a record, want 0", n)
	}
	text := string(line)
	if n := testing.AllocsPerRun(100, func() { dst = jsondoc.AppendQuoteString(dst[:0], text) }); n != 0 {
		t.Errorf("AppendQuoteString: %v allocations, want 0", n)
	}
	long := make([]byte, 0, 3*1000+2)
	long = append(long, '[')
	for range 1000 {
		long = append(long, "[],"...)
	}
	long = append(long, '0') // the end is missing: a failure keeps what was grown
	fails := func() {
		if _, err := d.Parse(long); err == nil || d.Root().Exists() {
			t.Fatal("an array without an end is accepted")
		}
	}
	if n := testing.AllocsPerRun(10, fails); n != 1 {
		t.Errorf("%v allocations for a record that fails, want 1, the error", n)
	}
	root := func() jsondoc.Value {
		if _, err := d.Parse(line); err != nil {
			t.Fatal(err)
		}
		return d.Root()
	}()
	if n := testing.AllocsPerRun(100, func() { _ = root.Get("type").Str() }); n > 1 {
		t.Errorf("Str: %v allocations, want 1 at most", n)
	}
}
