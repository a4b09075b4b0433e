package jsondoc_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/jsondoc"
)

func TestClose(t *testing.T) {
	for _, tt := range []struct{ cut, want string }{
		{``, ``},
		{` `, ``},
		{`{`, `{}`},
		{`{"a`, `{}`},
		{`{"a"`, `{}`},
		{`{"a":`, `{}`},
		{`{"a":1`, `{}`},
		{`{"a":1,`, `{"a":1}`},
		{`{"a":1,"b`, `{"a":1}`},
		{`{"a":tr`, `{}`},
		{`{"a":"x`, `{"a":"x"}`},
		{`{"a":"x\`, `{"a":"x"}`},
		{`{"a":"x\u00e`, `{"a":"x"}`},
		{`{"a":"x\"`, `{"a":"x\""}`},
		{`{"a":"x"`, `{"a":"x"}`},
		{`{"a":["x",{"b":"y`, `{"a":["x",{"b":"y"}]}`},
		{`{"a":["x"],"b":{`, `{"a":["x"],"b":{}}`},
		{`["a","b`, `["a","b"]`},
		{`[1,2`, `[1]`},
		{`{"a":1}`, ``},
		{`{"a":1]`, ``},
		{`}`, ``},
	} {
		if got := jsondoc.Close([]byte(tt.cut)); string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.cut, got, tt.want)
		}
	}
}

// FuzzClose cuts documents anywhere: what is left, closed, is a document whose
// members are those of the whole, up to the cut.
func FuzzClose(f *testing.F) {
	f.Add([]byte(`{"type":"user","message":{"role":"user","content":[{"text":"a\u00e9\\\"b"},1.5e3,null]},"b":[true,[]]}`))
	f.Add([]byte(`[{"a":"\ud83d\ude00"},"{[\"", -0.5]`))
	f.Fuzz(func(t *testing.T, whole []byte) {
		var doc, part jsondoc.Doc
		if n, err := doc.Parse(whole); err != nil || n != len(whole) || len(whole) > 1<<12 {
			return
		}
		for cut := range len(whole) {
			closed := jsondoc.Close(whole[:cut])
			if closed == nil {
				continue
			}
			n, err := part.Parse(closed)
			if err != nil || n != len(closed) {
				t.Fatalf("%q, closed: %q: %v", whole[:cut], closed, err)
			}
			if want := doc.Root().Kind(); part.Root().Kind() != want {
				t.Fatalf("%q is no %v", closed, want)
			}
		}
	})
}
