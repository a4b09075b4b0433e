package secrets_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/secrets"
	"github.com/memscribe/memscribe/internal/app/setup"
)

const token = "ghp_" + "q7Xb2Lr9Kd4Wn6Ye1Ts8Vu3Zm5Ph0Jc7Ga2F"

// user is a setup; said is what the command says.
func user() (s *setup.Setup, said *strings.Builder) {
	said = new(strings.Builder)
	return &setup.Setup{
		Logger: func() *slog.Logger { return slog.New(slog.DiscardHandler) },
		Say:    func(format string, args ...any) { fmt.Fprintf(said, format, args...) },
	}, said
}

// search returns what is found in files and in stdin.
func search(t *testing.T, s *setup.Setup, stdin string, names ...string) (all []secrets.Finding, err error) {
	t.Helper()
	err = secrets.Search(t.Context(), s, strings.NewReader(stdin), names, func(f secrets.Finding) error {
		all = append(all, f)
		return nil
	})
	return all, err
}

// TestSearch finds secrets at their places, in stdin and in what is compressed, and shows
// none.
func TestSearch(t *testing.T) {
	s, _ := user()
	text := "first\n  token " + token + " end\n"
	name := filepath.Join(t.TempDir(), "notes.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err = z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	all, err := search(t, s, text, "-", name)
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, f := range all {
		if f.Line != 2 || f.Column != 9 || f.Bytes != len(token) || strings.Contains(f.Masked+f.Stays, token) || !strings.Contains(f.Stays, "REDACTED") {
			t.Errorf("%+v", f)
		}
	}
}

// TestSearchAcrossPieces finds a secret wherever it lies against the pieces that a long
// text is searched in, once, at its line and column.
func TestSearchAcrossPieces(t *testing.T) {
	s, _ := user()
	const piece, overlap = 4 << 20, 64 << 10
	line := strings.Repeat("x ", 49) + "\n" // 99 bytes
	for _, at := range []int{piece - overlap - 10, piece - overlap, piece - 10, piece, piece + 5} {
		before := strings.Repeat(line, at/len(line)) + strings.Repeat(" ", at%len(line))
		all, err := search(t, s, before+token+"\n"+line, "-")
		if err != nil || len(all) != 1 || all[0].Line != at/len(line)+1 || all[0].Column != at%len(line)+1 {
			t.Errorf("at %d: %+v, %v", at, all, err)
		}
	}
}

// TestSearchErrors: a file that cannot be read is named and the others are searched; an
// error of the caller ends the search.
func TestSearchErrors(t *testing.T) {
	s, said := user()
	none := filepath.Join(t.TempDir(), "none")
	all, err := search(t, s, token, none, "-")
	if !errors.Is(err, report.ErrIncomplete) || len(all) != 1 || !strings.HasPrefix(said.String(), none+": ") {
		t.Errorf("%+v, %v, said %q", all, err, said)
	}
	enough := errors.New("enough")
	count := 0
	err = secrets.Search(t.Context(), s, strings.NewReader(token+"\n"+token), []string{"-"}, func(secrets.Finding) error {
		count++
		return enough
	})
	if !errors.Is(err, enough) || count != 1 {
		t.Errorf("after %d findings: %v", count, err)
	}
}
