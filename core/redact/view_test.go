package redact_test

import (
	"strings"
	"testing"

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
		{`\u003d\u0026\x41\u00e9`, `=&A\u00e9`},
		{`\u001b[31mred\u001b[0m \x1b[1mx \033[0my \e[2mz`, "red x y z"},
		{`C:\dir \d+ \s*`, `C:\dir \d+ \s*`},
		{`\\\\`, `\\\\`},
		{`end\`, `end\`},
		{"end\x1b", "end"},
		{"end\x1b[", "end["},
		{`\u00`, `\u00`},
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
	f.Fuzz(func(t *testing.T, raw string) {
		text, at := redact.MapView([]byte(raw))
		checkMap(t, raw, text, at)
		if !strings.ContainsAny(raw, "\\\x1b") && string(text) != raw {
			t.Fatalf("%q is seen as %q", raw, text)
		}
	})
}
