package console_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
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
		if got := console.Visible(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// FuzzVisible holds what is visible to one line of printable characters, which stay
// as they are when they are made visible once more.
func FuzzVisible(f *testing.F) {
	f.Add("\x1b[2J\u202e\xff\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := console.Visible(s)
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' {
				t.Fatalf("%q: %q is left in %q", s, r, got)
			}
		}
		if !utf8.ValidString(got) || console.Visible(got) != got {
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
		{console.Sprintf("%s: %d\n", "a\nb", 3), `a\nb: 3` + "\n"},
		{console.Sprintf("%-6s|%*d|%c", name("a\n"), 4, 2, '\x1b'), `a\n    |   2|\u001b`},
		{console.Sprintf("%s %v %q", place{"x\ty"}, []string{"\x1b"}, "z\n"), `x\ty [\u001b] "z\\n"`},
		{console.Sprintf("%v after %s", bad, time.Second), `open a\nb: file does not exist after 1s`},
		{console.Sprintf("%v", two), "open a\\nb: file does not exist\nc\\u001bd"},
		{console.Sprintf("%v", fmt.Errorf("read x\n: %w\n; try", two)), "read x\\n: open a\\nb: file does not exist\nc\\u001bd\\n; try"},
		{console.Sprintf("%v", several{"one\x1b", "two\n"}), "one\\u001b\ntwo\\n"},
		{console.Sprintf("%v", error(nil)), "<nil>"},
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

// TestText has a text keep its lines, and characters that come in parts stay whole.
func TestText(t *testing.T) {
	var out bytes.Buffer
	p := console.New(&out)
	for _, part := range []string{"é is \xc3", "\xa9\n", "\x1b]52;c\x07\t\xe2", "\x80", "\xae\n", "cut \xf0\x9f\x98"} {
		if n, err := p.Text().Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := p.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "é is é\n" + `\u001b]52;c\u0007` + "\t" + `\u202e` + "\n" + `cut \xf0\x9f\x98`; out.String() != want {
		t.Errorf("got  %q\nwant %q", &out, want)
	}
}

// TestJSON has JSON mean the same after it was made visible.
func TestJSON(t *testing.T) {
	const said = "\x1b \u009d \u202e \U000E0041 \x7f \u2028 é\n"
	var out bytes.Buffer
	p := console.New(&out)
	if err := json.NewEncoder(p.Text()).Encode(said); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != said || strings.ContainsAny(out.String(), said[:1]+"\u009d\u202e\x7f") {
		t.Errorf("%q becomes %q, %v", &out, back, err)
	}
}

// TestClean has secrets taken out before their lines are made visible, and messages
// as a whole.
func TestClean(t *testing.T) {
	var out strings.Builder
	p := console.New(&out)
	p.Clean = func(m []byte) []byte { return bytes.ReplaceAll(m, []byte("one\ntwo"), []byte("[REDACTED]")) }
	_, _ = p.Printf("a %s, %v\n", "one\ntwo", errors.New("one\ntwo\nx"))
	_, _ = p.Text().Write([]byte("one\ntwo\n"))
	if want := "a [REDACTED], [REDACTED]\\nx\n[REDACTED]\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// TestStatus has the line of progress give way to what is printed, and come back.
func TestStatus(t *testing.T) {
	var out strings.Builder
	p := console.New(&out)
	p.Status("1 of 2\r\x1b[K")
	p.Status("1 of 2\r\x1b[K") // the same
	_, _ = p.Printf("bad %s\n", "file")
	p.Status("2 of 2")
	_ = p.Heading("NAME\x1b", true)
	_ = p.Heading("NAME\x1b", false)
	p.Status("")
	p.Status("done")
	p.Status("")
	const clear = "\r\x1b[K"
	want := clear + `1 of 2\r\u001b[K` + clear + "bad file\n" + clear + "2 of 2" + clear + "\x1b[1mNAME\\u001b\x1b[0m\nNAME\\u001b\n" + clear + "done" + clear
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
}

// TestNullDevice: what is thrown away is not written for an eye, which costs a tenth of a replay.
func TestNullDevice(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	p := console.New(null)
	if p.IsTerminal() || p.Data() != io.Writer(null) {
		t.Error("the null device is taken for a terminal")
	}
}
