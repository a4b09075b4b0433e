package redact_test

import (
	"bufio"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// form is a text of testdata, expanded.
type form struct {
	line  int
	text  string
	spans [][2]int // what must be cut
	part  bool     // more may be cut
}

// TestForms wants exactly the marked part of each form to be cut.
func TestForms(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, f := range readForms(t, "forms.txt") {
		clean, cuts, err := e.Scrub(core.TextField, []byte(f.text))
		if err != nil {
			t.Errorf("line %d: %v", f.line, err)
			continue
		}
		gone := make([]bool, len(f.text))
		for _, c := range cuts {
			for i := range c.Len {
				gone[c.At+i] = true
			}
		}
		for i, g := range gone {
			if secret := f.isSecret(i); secret && !g || !secret && g && !f.part {
				t.Errorf("line %d: at %d: %q becomes %q", f.line, i, f.text, clean)
				break
			}
		}
	}
}

// isSecret reports whether a byte stands in a marked part.
func (f form) isSecret(i int) bool {
	for _, s := range f.spans {
		if i >= s[0] && i < s[1] {
			return true
		}
	}
	return false
}

// TestReadable wants nothing to be cut.
func TestReadable(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, f := range readForms(t, "readable.txt") {
		if clean, cuts, err := e.Scrub(core.TextField, []byte(f.text)); err != nil || len(cuts) > 0 {
			t.Errorf("line %d: %q becomes %q (%v)", f.line, f.text, clean, err)
		}
	}
}

func readForms(t testing.TB, name string) []form {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rnd := rand.New(rand.NewPCG(7, 11))
	var all []form
	sc := bufio.NewScanner(file)
	for n := 1; sc.Scan(); n++ {
		if line := sc.Text(); line != "" && line[0] != '#' {
			all = append(all, readForm(n, line, rnd))
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// readForm expands what is drawn and takes the marks out.
func readForm(n int, line string, rnd *rand.Rand) form {
	line, part := strings.CutSuffix(line, " @part")
	f := form{line: n, part: part}
	var b strings.Builder
	for i := 0; i < len(line); {
		switch rest := line[i:]; {
		case strings.HasPrefix(rest, "«"):
			f.spans = append(f.spans, [2]int{b.Len(), 0})
			i += len("«")
		case strings.HasPrefix(rest, "»"):
			f.spans[len(f.spans)-1][1] = b.Len()
			i += len("»")
		case strings.HasPrefix(rest, `\\`):
			b.WriteByte('\\')
			i += 2
		case strings.HasPrefix(rest, `\n`):
			b.WriteByte('\n')
			i += 2
		case strings.HasPrefix(rest, `\e`):
			b.WriteByte(0x1b)
			i += 2
		case rest[0] == '{' && drawn(rest, rnd) != "":
			s := drawn(rest, rnd)
			b.WriteString(s)
			i += strings.IndexByte(rest, '}') + 1
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	f.text = b.String()
	return f
}

// drawn expands {kind:n} at the start of s; "" is anything else.
func drawn(s string, rnd *rand.Rand) string {
	const (
		digits = "0123456789"
		lower  = "abcdefghijklmnopqrstuvwxyz"
		upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	)
	end := strings.IndexByte(s, '}')
	if end < 0 {
		return ""
	}
	kind, count, _ := strings.Cut(s[1:end], ":")
	n, _ := strconv.Atoi(count)
	from := func(set string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(set[rnd.IntN(len(set))])
		}
		return b.String()
	}
	switch kind {
	case "b62":
		return from(digits+lower+upper, n)
	case "b62a":
		return from(lower+upper, n)
	case "lower":
		return from(digits+lower, n)
	case "upper":
		return from("234567"+upper, n)
	case "digits":
		return from(digits, n)
	case "hex":
		return from("0123456789abcdef", n)
	case "b64":
		return from(digits+lower+upper+"+/", n)
	case "b64url":
		return from(digits+lower+upper+"-_", n)
	case "chosen":
		return from("BFHLMNPRT", 1) + "arlow" + from("2468", 4)
	case "uuid":
		h := "0123456789abcdef"
		return from(h, 8) + "-" + from(h, 4) + "-4" + from(h, 3) + "-9" + from(h, 3) + "-" + from(h, 12)
	case "pass":
		return from(upper, 1) + from(lower, 6) + from("!#%", 1) + from(digits, 3)
	}
	return ""
}

// TestInSentence has passwords with other words between them and the word that says what
// they are, and such words without a password.
func TestInSentence(t *testing.T) {
	e := engine(t, redact.Options{})
	const other = "Qk39dkeLLq02mfTz1"
	for text, n := range map[string]int{
		"Which password shall staging have: " + somePassword + "?":                            1,
		"What password should staging have, " + somePassword + " or " + other + "?":           2,
		"Shall the password be `" + somePassword + "`?":                                       1,
		"Is " + somePassword + " the password of staging?":                                    1,
		"Is " + somePassword + ", by chance, the password?":                                   1,
		"The password of staging is " + somePassword + ".":                                    1,
		"the password\n" + somePassword:                                                       0, // another line
		"The password is read from config/passwords2024.yaml and checked by usePasswordReset": 0,
		"Passwords are hashed (sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6)": 0,
		"the password of request 6ba7b810-9dad-11d1-80b4-00c04fd430c8 is wrong":               0,
	} {
		clean, cuts, err := e.Scrub(core.TextField, []byte(text))
		if err != nil || len(cuts) != n {
			t.Errorf("%q becomes %q with %d cuts, want %d (%v)", text, clean, len(cuts), n, err)
		}
		for _, secret := range []string{somePassword, other} {
			if n > 0 && strings.Contains(string(clean), secret) {
				t.Errorf("%q keeps a password: %q", text, clean)
			}
		}
	}
}
