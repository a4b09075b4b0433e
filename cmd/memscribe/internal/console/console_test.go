package console_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
)

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
