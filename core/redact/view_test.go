package redact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

func TestView(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"plain", "plain"},
		{"\x1b[31mred\x1b[0m", "red"},
		{"a\x1b[38;5;81;1mb\x1b[Kc", "abc"},
		{"\x1b]8;;https://host\x07link\x1b]8;;\x1b\\.", "8;;https://host\x07link8;;."},
		{"\x1b[REDACTED:x]", "[REDACTED:x]"},
		{"\x1b(Bx\x1b7y\x1bMz", "xyz"},
		{`say \"x\"`, `say "x"`},
		{`say \\\"x\\\"`, `say "x"`},
		{`a\nb\\nc\td\/e`, "a\nb\nc d/e"},
		{"a \\\nb", "a  b"},
		{`\u003d\u0026\x41\u00e9\xe9`, `=&Aé\xe9`},
		{`a\u200bb\u00adc\uff21\ud83d`, `abcA\ud83d`},
		{"a\\\nb c \\\n d", "ab c   d"},
		{`a\\\nb c\nd`, "ab c\nd"},
		{"+a\\\n+b", "+ab"},
		{"-a\\\n-b", "-ab"},
		{`\u001b[31mred\u001b[0m \x1b[1mx \033[0my \e[2mz`, "red x y z"},
		{`C:\dir \d+ \s*`, `C:\dir \d+ \s*`},
		{`\\\\`, `\\\\`},
		{`end\`, `end\`},
		{"end\x1b", "end"},
		{"end\x1b[", "end["},
		{`\u00`, `\u00`},
		{"a%3Db%5fc%20d%0Ae%253Df%25253D", "a=b_c d\ne=f="},
		{"a=b%2Cc%28d%20e%26f%3D", "a=b%2Cc%28d%20e%26f="},
		{"%7B%22a%22%3A%20%22b%22%2C%22c", `{"a": "b","c`},
		{"100% 5%d %s %zz %e9 %", "100% 5%d %s %zz %e9 %"},
	}
	for _, tt := range tests {
		text, at := redact.MapView([]byte(tt.raw))
		if string(text) != tt.want {
			t.Errorf("%q is seen as %q, want %q", tt.raw, text, tt.want)
		}
		checkMap(t, tt.raw, text, at)
	}
}

// checkMap wants each byte of a view to come from a place of its own, in order,
// and each that is no escape to be the original's.
func checkMap(t *testing.T, raw string, text []byte, at [][2]int) {
	t.Helper()
	end := 0
	for i, c := range text {
		from, to := at[i][0], at[i][1]
		if one := i > 0 && at[i] == at[i-1]; one && c >= utf8.RuneSelf {
			continue // of one character beyond ASCII
		}
		if from < end || to <= from || to > len(raw) {
			t.Fatalf("%q: byte %d of %q comes from %d-%d", raw, i, text, from, to)
		}
		if to == from+1 && raw[from] != c {
			t.Fatalf("%q: byte %d of %q is not that at %d", raw, i, text, from)
		}
		end = to
	}
}

func FuzzView(f *testing.F) {
	f.Add("a\x1b[31mb\\\\\\\"c\\u003d\\n\x1b]8;;x\x07y")
	f.Add("a\u200bb\u00adc&#8203;d&lowbar;e&amp;#95;\"f\" + \"g\" +\n+ 'h'ｉ\\\nj")
	f.Fuzz(func(t *testing.T, raw string) {
		text, at := redact.MapView([]byte(raw))
		checkMap(t, raw, text, at)
		if !strings.ContainsAny(raw, "\\\x1b&+%\u00ad") && strings.IndexByte(raw, 0xe2) < 0 && strings.IndexByte(raw, 0xef) < 0 && string(text) != raw {
			t.Fatalf("%q is seen as %q", raw, text)
		}
	})
}

// hidden are things inside a word of which a reader sees nothing.
func hidden() []string {
	return []string{"\u200b", "\u00ad", "\ufeff", "\x1b[1m", "&#8203;", "&shy;", "\\\n", `" + "`, `"+"`, "\\u001b[0m", "\u2060"}
}

// FuzzHidden puts a token with hidden things in it between two texts. What is found
// must map back to a place in the source that holds the whole token, and with
// everything hidden taken out of the result no part of the token may appear.
func FuzzHidden(f *testing.F) {
	f.Add("use ", " here", []byte{0, 12, 3, 20})
	f.Add("x = \"", "\";", []byte{7, 9, 1, 30, 5, 31})
	f.Add("\u200b&amp;\\", "&#49;+\"", []byte{6, 10, 2, 39})
	e := engine(f, redact.Options{})
	f.Fuzz(func(t *testing.T, before, after string, where []byte) {
		var token strings.Builder
		last := 0
		for i := 0; i+1 < len(where) && i < 16; i += 2 {
			at := int(where[i+1]) % len(someToken)
			if at <= last || !utf8.ValidString(before+after) {
				continue
			}
			token.WriteString(someToken[last:at])
			token.WriteString(hidden()[int(where[i])%len(hidden())])
			last = at
		}
		token.WriteString(someToken[last:])
		raw := before + " " + token.String() + " " + after
		found, err := e.Find(core.TextField, []byte(raw))
		if err != nil {
			t.Skip(err)
		}
		from, covered := len(before)+1, false
		for _, x := range found {
			if x.Start < 0 || x.End > len(raw) || x.Start >= x.End {
				t.Fatalf("%q: %s at %d-%d of %d bytes", raw, x.Rule, x.Start, x.End, len(raw))
			}
			covered = covered || x.Start <= from && x.End >= from+token.Len()
		}
		if !covered {
			t.Fatalf("%q: the token is not found: %+v", raw, found)
		}
		clean, _, err := e.Scrub(core.TextField, []byte(raw))
		if err != nil {
			t.Skip(err)
		}
		text, _ := redact.MapView(clean)
		for k := 4; k+12 <= len(someToken); k++ {
			if strings.Contains(string(text), someToken[k:k+12]) && !strings.Contains(before+after, someToken[k:k+12]) {
				t.Fatalf("%q becomes %q, which is seen as %q", raw, clean, text)
			}
		}
	})
}

// TestSpecialBytes holds the two ways to know a special byte to each other: a short
// text that has one is not taken for one that has none.
func TestSpecialBytes(t *testing.T) {
	for _, s := range []string{`\"`, "\x1b[0m", "&lt;", "\u00ad", "\u200b", "\ufeff", "１", `a" + "b`} {
		text, _ := redact.MapView([]byte("some" + s + "text"))
		if string(text) == "some"+s+"text" {
			t.Errorf("%q is not seen through in a short text", s)
		}
	}
}
