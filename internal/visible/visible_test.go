package visible_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/internal/visible"
)

func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"":                                "",
		"plain":                           "plain",
		`C:\new\tab`:                      `C:\new\tab`,
		"two\nlines\r\n\ta tab":           `two\nlines\r\n\ta tab`,
		"\x1b]52;c;aGk=\x07\x7f\x00":      `\u001b]52;c;aGk=\u0007\u007f\u0000`,
		"\u009d0;title\u009c":             `\u009d0;title\u009c`,
		"txt.\u202egpj.exe \u2066x\u2069": `txt.\u202egpj.exe \u2066x\u2069`,
		"a\u200bb\u200dc\ufeff\u00ad":     `a\u200bb\u200dc\ufeff\u00ad`,
		"\u2028\u2029\u180e\u3164\u115f":  `\u2028\u2029\u180e\u3164\u115f`,
		"\U000E0041\U000E0101":            `\udb40\udc41\udb40\udd01`,
		"caf\xe9 \xe2\x82":                `caf\xe9 \xe2\x82`,
		"日本語 😀 ❤\uFE0F é e\u0301 \u0600١": "日本語 😀 ❤\uFE0F é e\u0301 \u0600١",
		"\uFFFD": "\uFFFD",
	} {
		if got := visible.Line(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// FuzzVisible holds what is visible to one line of printable characters, which stay
// as they are when they are made visible once more.
func FuzzVisible(f *testing.F) {
	f.Add("\x1b[2J\u202e\xff\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := visible.Line(s)
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' {
				t.Fatalf("%q: %q is left in %q", s, r, got)
			}
		}
		if !utf8.ValidString(got) || visible.Line(got) != got {
			t.Fatalf("%q: got %q", s, got)
		}
	})
}

type name string

type place struct{ file string }

func (p place) String() string { return p.file }

func TestSprintf(t *testing.T) {
	bad := &fs.PathError{Op: "open", Path: "a\nb", Err: fs.ErrNotExist}
	two := errors.Join(bad, errors.New("c\x1bd"))
	for _, tt := range []struct{ got, want string }{
		{visible.Sprintf("%s: %d\n", "a\nb", 3), `a\nb: 3` + "\n"},
		{visible.Sprintf("%-6s|%*d|%c", name("a\n"), 4, 2, '\x1b'), `a\n    |   2|\u001b`},
		{visible.Sprintf("%s %v %q", place{"x\ty"}, []string{"\x1b"}, "z\n"), `x\ty [\u001b] "z\\n"`},
		{visible.Sprintf("%v after %s", bad, time.Second), `open a\nb: file does not exist after 1s`},
		{visible.Sprintf("%v", two), "open a\\nb: file does not exist\nc\\u001bd"},
		{visible.Sprintf("%v", fmt.Errorf("read x\n: %w\n; try", two)), "read x\\n: open a\\nb: file does not exist\nc\\u001bd\\n; try"},
		{visible.Sprintf("%v", several{"one\x1b", "two\n"}), "one\\u001b\ntwo\\n"},
		{visible.Sprintf("%v", error(nil)), "<nil>"},
	} {
		if tt.got != tt.want {
			t.Errorf("got  %q\nwant %q", tt.got, tt.want)
		}
	}
}

// several is an error of several lines.
type several []string

func (s several) Error() string   { return strings.Join(s, "\n") }
func (s several) Lines() []string { return []string(s) }
