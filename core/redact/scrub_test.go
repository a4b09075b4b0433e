package redact_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// checkScrub holds one result to what the contract promises of all: the cuts,
// applied to the original, give the result, and the result stays as it is.
func checkScrub(t *testing.T, e *redact.Engine, f core.Field, s []byte) {
	t.Helper()
	original := bytes.Clone(s)
	clean, cuts, err := e.Scrub(f, s)
	if err != nil {
		t.Fatalf("scrub %q: %v", s, err) // so short a text is never too much work
	}
	if !bytes.Equal(s, original) {
		t.Fatalf("scrub wrote to its input: %q", original)
	}
	clean, cuts = bytes.Clone(clean), append([]core.Cut(nil), cuts...)
	var rebuilt []byte
	at, out := 0, 0
	for _, c := range cuts {
		if c.At < at || c.Len <= 0 || c.At+c.Len > len(s) {
			t.Fatalf("cut %+v of %q: out of order or place", c, s)
		}
		rebuilt = append(rebuilt, s[at:c.At]...)
		out += c.At - at
		rebuilt = append(rebuilt, clean[out:out+c.With]...)
		out += c.With
		at = c.At + c.Len
	}
	rebuilt = append(rebuilt, s[at:]...)
	if !bytes.Equal(rebuilt, clean) {
		t.Fatalf("cuts %+v of %q give %q, the result is %q", cuts, s, rebuilt, clean)
	}
	if utf8.Valid(s) && !utf8.Valid(clean) {
		t.Fatalf("scrub %q: %q is not UTF-8", s, clean)
	}
	again, more, err := e.Scrub(f, clean)
	if err != nil || len(more) > 0 || !bytes.Equal(again, clean) {
		t.Fatalf("scrub %q again: %q, %+v, %v", clean, again, more, err)
	}
}

func FuzzScrub(f *testing.F) {
	for _, name := range []string{"forms.txt", "readable.txt"} {
		for _, x := range readForms(f, name) {
			f.Add([]byte(x.text), byte(core.TextField))
		}
	}
	e := engine(f, redact.Options{DigestKey: []byte("k")})
	f.Fuzz(func(t *testing.T, s []byte, field byte) {
		checkScrub(t, e, core.Field(field%4), s)
	})
}

func TestScrubIsConsistent(t *testing.T) {
	e := engine(t, redact.Options{})
	for _, name := range []string{"forms.txt", "readable.txt"} {
		var all []byte
		for _, x := range readForms(t, name) {
			for f := core.IDField; f <= core.TextField; f++ {
				checkScrub(t, e, f, []byte(x.text))
			}
			all = append(append(all, x.text...), '\n')
		}
		checkScrub(t, e, core.TextField, all)
	}
}

func TestScrubAdjoining(t *testing.T) {
	e := engine(t, redact.Options{})
	pat := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	for _, s := range []string{
		pat + pat, pat + " " + pat, pat + "." + pat + "." + pat,
		"https://" + pat + "@host/" + pat,
		"password=[REDACTED:password]" + pat,
		"api_key: [REDACTED:token] token=" + pat,
		"[REDACTED:" + pat + "]",
		"[REDACTED:x][REDACTED:y] key=\"[REDACTED:z]\"",
	} {
		checkScrub(t, e, core.TextField, []byte(s))
	}
}

func TestPlaceholder(t *testing.T) {
	in := []byte("id " + "AKIA" + "Q3EGRT7WK2LMNB5X end")
	tests := []struct {
		name string
		opts redact.Options
		want string
	}{
		{"plain", redact.Options{}, "id [REDACTED:aws_access_key] end"},
		{"keyed", redact.Options{DigestKey: []byte("one")}, "id [REDACTED:aws_access_key:e19b] end"},
		{"another key", redact.Options{DigestKey: []byte("two")}, "id [REDACTED:aws_access_key:b67f] end"},
	}
	for _, tt := range tests {
		got, cuts, err := engine(t, tt.opts).Scrub(core.TextField, in)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
		want := []core.Cut{{At: 3, Len: 20, With: len(tt.want) - len("id  end")}}
		if d := cmp.Diff(want, cuts); d != "" {
			t.Errorf("%s: cuts: %s", tt.name, d)
		}
	}
}

func TestFields(t *testing.T) {
	e := engine(t, redact.Options{})
	token := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	hex := strings.Repeat("0f1e2d3c", 4)
	tests := []struct {
		field core.Field
		in    string
		cut   bool
	}{
		{core.IDField, hex, false},
		{core.IDField, "decision:" + hex, false},
		{core.IDField, "6b3f1c2e-58a7-4c1d-9e0f-1a2b3c4d5e6f", false},
		{core.IDField, "toolu_01Ab3dE6gH9kL2mN5pQ8rS1tU4", false},
		{core.IDField, "chatcmpl-2zAKQW0jonMI9sO8uV67TngHclTgV", false},
		{core.IDField, "token-" + hex, false},
		{core.NameField, "claude-opus-4-5-20251101", false},
		{core.NameField, "mcp__vault__get_secret_key", false},
		{core.IDField, "msg_68e1f2a3b4c5d6e7f8091a2b3c4d5e6f7081920a1b2c3d4e", false},
		{core.IDField, "call_Zx81kQmN3vB7tR5wY2uI0oPa", false},
		{core.IDField, "fc_0f1e2d3c4b5a69788796a5b4c3d2e1f0", false},
		{core.IDField, "01J9ZK3M5N7P8Q2R4S6T8V0W1X", false},
		{core.IDField, token, true},
		{core.IDField, "sk-" + "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6dE9fG2hJ5kL8", true},
		{core.NameField, "x " + token, true},
		{core.PathField, "/home/dev/secrets/api-key-service/token.txt", false},
		{core.PathField, "feature/rotate-api-key", false},
		{core.PathField, "/srv/" + token + "/x", true},
		{core.PathField, "https://bob:Tr0ub4dor@host/repo.git", true},
		{core.TextField, "api_key=" + hex, true},
	}
	for _, tt := range tests {
		clean, cuts, err := e.Scrub(tt.field, []byte(tt.in))
		if err != nil || len(cuts) > 0 != tt.cut {
			t.Errorf("field %d: %q becomes %q (%v)", tt.field, tt.in, clean, err)
		}
	}
}

func TestAliases(t *testing.T) {
	e := engine(t, redact.Options{})
	s := []byte("nothing to see, \x1b[31mnot even\x1b[0m \\\"here\\\"")
	clean, cuts, err := e.Scrub(core.TextField, s)
	if err != nil || len(cuts) > 0 || &clean[0] != &s[0] || len(clean) != len(s) {
		t.Errorf("with nothing to cut the result is not the input itself: %q, %v, %v", clean, cuts, err)
	}
}

func TestAllocations(t *testing.T) {
	e := engine(t, redact.Options{})
	var text []byte
	for _, x := range readForms(t, "readable.txt") {
		text = append(append(text, x.text...), '\n')
	}
	for _, s := range [][]byte{text, text[:200], []byte("x"), nil} {
		run := func() {
			if _, cuts, err := e.Scrub(core.TextField, s); err != nil || len(cuts) > 0 {
				t.Fatal(cuts, err)
			}
		}
		run()
		if n := testing.AllocsPerRun(50, run); n > 0 {
			t.Errorf("%d bytes with nothing to cut: %v allocations", len(s), n)
		}
	}
}

func TestFork(t *testing.T) {
	a := engine(t, redact.Options{DigestKey: []byte("k"), Allow: []redact.Allow{{Pattern: "none"}}})
	b, err := a.Fork()
	if err != nil {
		t.Fatal(err)
	}
	in := []byte("password = \"correct-horse\"")
	x, _, errA := a.Scrub(core.TextField, in)
	y, _, errB := b.Scrub(core.TextField, in)
	if errA != nil || errB != nil || !bytes.Equal(x, y) {
		t.Errorf("a fork differs: %q (%v), %q (%v)", x, errA, y, errB)
	}
}

func TestFind(t *testing.T) {
	e := engine(t, redact.Options{})
	s := "a\npassword = \"correct-horse\"\n"
	got, err := e.Find(core.TextField, []byte(s))
	want := []redact.Finding{{Rule: "assigned-password", Type: "password", Start: 14, End: 27}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Error(err, d)
	}
}
