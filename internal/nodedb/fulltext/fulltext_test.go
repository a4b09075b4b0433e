package fulltext_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
)

// TestParts takes the names in a text apart, each once, and nothing else.
func TestParts(t *testing.T) {
	for text, want := range map[string]string{
		"getUserName, newHTTPServer2.": "get User Name new HTTP Server 2",
		"(userId) userId=userId":       "user Id",
		"aB":                           "a B",
		"end in fooBar":                "foo Bar",
		"One two THREE four5 _x_Y":     "",
		"snake_Case a.bC":              "b C",
		"":                             "",
		"x":                            "",
		"größerAls":                    "er Als",
		"v2Beta":                       "",
		"v2BetaTwo":                    "v 2 Beta Two",
		strings.Repeat("aB", 32):       "a" + strings.Repeat(" Ba", 31) + " B",
		strings.Repeat("aB", 32) + "c": "",
	} {
		if got := fulltext.Parts(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestSpaced sets characters of scripts without spaces apart, and leaves other texts alone.
func TestSpaced(t *testing.T) {
	for text, want := range map[string]string{
		"plain":          "plain",
		"it’s → über 한국": "it’s → über 한국",
		"使用pnpm":         " 使  用 pnpm",
		"“ok” テ":         "“ok”  テ ",
		"\xff\xe2 \xe4":  "\xff\xe2 \xe4",
		"":               "",
	} {
		if got := fulltext.Spaced(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
