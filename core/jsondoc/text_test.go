package jsondoc_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/core/jsondoc"
)

func TestText(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 10)
	tests := []struct {
		body    string
		text    string
		quoted  string // the text as we write it; "" when it is the body
		escaped bool
	}{
		{``, "", ``, false},
		{`abc`, "abc", ``, false},
		{`é😀` + "\u2028\x7f", "é😀\u2028\x7f", ``, false},
		{long, long, ``, false},
		{`\"\\\b\f\n\r\t`, "\"\\\b\f\n\r\t", ``, true},
		{`a\/b`, "a/b", `a/b`, true},
		{`\u0000\u001f`, "\x00\x1f", ``, true},
		{`\u001F\u000a`, "\x1f\n", `\u001f\n`, true},
		{`\u0041\u00e9\u00E9\u2028\u007f`, "Aéé\u2028\x7f", "Aéé\u2028\x7f", true},
		{`<\u003e&`, "<>&", `<>&`, true},
		{`\u0022\u005c`, `"\`, `\"\\`, true},
		{`\ud83d\ude00\uD83D\uDE00`, "😀😀", `😀😀`, true},
		{`\ud83d`, "\ufffd", "\ufffd", true},
		{`\ude00\ud83d`, "\ufffd\ufffd", "\ufffd\ufffd", true},
		{`\ud83d\ud83d\ude00`, "\ufffd😀", "\ufffd😀", true},
		{`\ud83dA\n\ude00`, "\ufffdA\n\ufffd", "\ufffdA\\n\ufffd", true},
		{`\ud83d\n`, "\ufffd\n", "\ufffd\\n", true},
		{"a\xffb", "a\ufffdb", "a\ufffdb", true},
		{"\xf0\x9f\x98", "\ufffd\ufffd\ufffd", "\ufffd\ufffd\ufffd", true},
		{"\xed\xa0\xbd\\t", "\ufffd\ufffd\ufffd\t", "\ufffd\ufffd\ufffd\\t", true},
		{long + `\n` + long + "\xc3", long + "\n" + long + "\ufffd", long + `\n` + long + "\ufffd", true},
		{long + `\n` + long, long + "\n" + long, ``, true},
	}
	for _, tt := range tests {
		if tt.quoted == "" {
			tt.quoted = tt.body
		}
		v := parse(t, `"`+tt.body+`"`)
		if got := v.Str(); got != tt.text {
			t.Errorf("%q: Str %q, want %q", tt.body, got, tt.text)
		}
		if got := v.AppendStr([]byte("> ")); string(got) != "> "+tt.text {
			t.Errorf("%q: AppendStr %q, want %q", tt.body, got, tt.text)
		}
		if got := jsondoc.Unquote([]byte("> "), []byte(tt.body)); string(got) != "> "+tt.text {
			t.Errorf("%q: Unquote %q, want %q", tt.body, got, tt.text)
		}
		if got := string(v.Body()); got != tt.body {
			t.Errorf("%q: Body %q", tt.body, got)
		}
		if got := v.Escaped(); got != tt.escaped {
			t.Errorf("%q: Escaped %v, want %v", tt.body, got, tt.escaped)
		}
		if !v.Is(tt.text) || v.Is(tt.text+"x") || v.Is("x"+tt.text) {
			t.Errorf("%q: Is differs from Str", tt.body)
		}
		want := `> "` + tt.quoted + `"`
		if got := v.AppendCompact([]byte("> ")); string(got) != want {
			t.Errorf("%q: AppendCompact %s, want %s", tt.body, got, want)
		}
		if got := jsondoc.AppendQuote([]byte("> "), []byte(tt.text)); string(got) != want {
			t.Errorf("AppendQuote(%q) = %s, want %s", tt.text, got, want)
		}
		if got := jsondoc.AppendQuoteString([]byte("> "), tt.text); string(got) != want {
			t.Errorf("AppendQuoteString(%q) = %s, want %s", tt.text, got, want)
		}
	}
}

func TestUnquoteOfNoBody(t *testing.T) {
	for in, want := range map[string]string{
		`\`:                          `\`,
		`a\q`:                        `a\q`,
		`\u12`:                       `\u12`,
		`\u12x4\n`:                   `\u12x4` + "\n",
		`\ud83d\ude0`:                "\ufffd" + `\ude0`,
		"\\é\\":                      "\\é\\",
		"\xff\\":                     "\ufffd\\",
		strings.Repeat(`\q`, 20):     strings.Repeat(`\q`, 20),
		strings.Repeat("x", 9) + `\`: strings.Repeat("x", 9) + `\`,
	} {
		if got := jsondoc.Unquote(nil, []byte(in)); string(got) != want {
			t.Errorf("Unquote(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestQuoteBytes quotes each single byte and each pair, at places where words
// begin and end.
func TestQuoteBytes(t *testing.T) {
	for c := range 256 {
		for d := range 256 {
			pair := string([]byte{byte(c), byte(d)})
			want, _ := jsontext.AppendQuote(nil, string([]rune(pair))) // one U+FFFD for each byte that is not UTF-8
			want = want[1 : len(want)-1]
			for _, around := range [][2]string{{"", ""}, {".......", ""}, {"...", "~~~~~~~"}} {
				s := around[0] + pair + around[1]
				want := fmt.Sprintf(`"%s%s%s"`, around[0], want, around[1])
				if got := jsondoc.AppendQuoteString(nil, s); string(got) != want {
					t.Fatalf("AppendQuoteString(%q) = %q, want %q", s, got, want)
				}
			}
		}
	}
	// In one word, and before a byte that is escaped.
	if got, want := string(jsondoc.AppendQuoteString(nil, "ab\xffc\n...")), `"ab`+"\ufffd"+`c\n..."`; got != want {
		t.Errorf("AppendQuoteString: %s, want %s", got, want)
	}
}

func TestCompact(t *testing.T) {
	for in, want := range map[string]string{
		"\r\n[ ]\t":                             `[]`,
		` { } `:                                 `{}`,
		`[1,2]`:                                 `[1,2]`,
		` 1.0e+05 `:                             `1.0e+05`,
		`true`:                                  `true`,
		`{ "a" : [ 1 , "x y" ] , "a":null }`:    `{"a":[1,"x y"],"a":null}`,
		`{"\u0061":"\/","b":"\/" , "c":"c"}`:    `{"a":"/","b":"/","c":"c"}`,
		`["\/","a","b"]`:                        `["/","a","b"]`,
		"{\"a\":\"\xff\",\n\"b\":[[ [ ]],{ }]}": "{\"a\":\"\ufffd\",\"b\":[[[]],{}]}",
	} {
		v := parse(t, in)
		got := v.AppendCompact(nil)
		if string(got) != want {
			t.Errorf("compact of %q: %s, want %s", in, got, want)
		}
		if again := parse(t, string(got)).AppendCompact(nil); !bytes.Equal(got, again) {
			t.Errorf("compact of %s: %s", got, again)
		}
	}
	v := parse(t, ` [ 1 , { "a" : [ 2 , 3 ] } , 4 ] `)
	for e := range v.Elems() { // a part, without what surrounds it
		if got, want := string(e.Get("a").AppendCompact(nil)), `[2,3]`; e.Kind() == jsondoc.Object && got != want {
			t.Errorf("compact of %s: %s, want %s", e.Get("a").Raw(), got, want)
		}
	}
}

// TestEveryPlace puts what is special in a string at each offset of a long one,
// with each amount of input after it: the scan changes its step with both.
func TestEveryPlace(t *testing.T) {
	pieces := []string{
		`\n`, `\"`, `\\`, `\\\\\"`, `\/`, `\u00e9`, `\u001f`, `\ud83d\ude00`, `\ud83d`, "é", "\xff", "\x00", `\`, `\q`, `\u12g4`, `"`, ``,
	}
	var d jsondoc.Doc
	for _, piece := range pieces {
		for before := range 150 {
			for _, after := range []int{0, 1, 7, 8, 30, 62, 63, 64, 65, 200} {
				doc := fmt.Sprintf(`["%s%s%s"]`, strings.Repeat("b", before), piece, strings.Repeat("a", after))
				check(t, &d, []byte(doc))
			}
		}
	}
}
