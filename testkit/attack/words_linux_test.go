package attack_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/testkit/attack"
)

// program builds the program.
func program(t *testing.T) string {
	t.Helper()
	p, err := attack.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSecretsInContext has the program write what it can of secrets that only their context gives
// away, and looks for them in every byte.
func TestSecretsInContext(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	secrets := make([]string, 3*len(attack.Sayings()))
	for i := range secrets {
		for range 18 {
			secrets[i] += string("abcdefghkmnpqrstuvwxyzABCDEFGHKMNPQRSTUVWXYZ23456789"[random.IntN(52)])
		}
	}
	memscribe, from, home := program(t), t.TempDir(), t.TempDir()
	path := filepath.Join(from, "session.jsonl")
	if err := attack.Told(path, secrets); err != nil {
		t.Fatal(err)
	}
	redacted := 0
	for _, args := range [][]string{
		{"replay"},
		{"replay", "--events"},
		{"parse"},
		{"redact"},
		{"verify"},
		{"replay", "--out", "nodes.db", "--sink", "sqlite"},
		{"replay", "--out", "nodes.ndjson"},
		{"replay", "--out", "memories.db", "--sink", "memdb"},
		{"watch", "--once", "--root"},
	} {
		spent, err := attack.Run(t.Context(), home, memscribe, append(args, path)...)
		if err != nil {
			t.Fatal(err)
		}
		holds := func(name string, data []byte) {
			redacted += bytes.Count(data, []byte("[REDACTED"))
			for _, secret := range secrets {
				if at := bytes.Index(data, []byte(secret)); at >= 0 {
					t.Errorf("%v: %s holds a secret: %.200q", args, name, data[max(0, at-150):])
				}
			}
		}
		holds("stderr", spent.Stderr)
		err = filepath.WalkDir(home, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			holds(filepath.Base(name), data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if redacted < 10*len(secrets) {
		t.Errorf("%d placeholders for %d secrets", redacted, len(secrets))
	}
}

// TestOrdersToTerminals runs what people read where files and words give orders to a terminal.
func TestOrdersToTerminals(t *testing.T) {
	memscribe, home := program(t), t.TempDir()
	if err := attack.Orders(home); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, ".claude", "projects", "-w", "s"+attack.Order+".jsonl")
	said := 0
	for _, args := range [][]string{
		{"replay", "-v", file, file + "x"},
		{"parse", file},
		{"verify", file},
		{"redact", file},
		{"watch", "--once", "-v"},
		{"doctor", "--deep"},
		{"query", "decisions"},
		{"search", "postgres"},
		{"sessions"},
		{"show", "5e550001"},
		{"rules"},
		{"stats"},
		{"export", "--format", "markdown", "--out", "x" + attack.Order},
	} {
		spent, err := attack.Run(t.Context(), home, memscribe, args...)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := os.ReadFile(spent.Stdout)
		if err != nil {
			t.Fatal(err)
		}
		if args[0] == "replay" || args[0] == "parse" {
			printed = nil // JSON for programs
		}
		text := string(printed) + string(spent.Stderr)
		said += len(text)
		for at, r := range text {
			isBroken := r == utf8.RuneError && !strings.HasPrefix(text[at:], "\uFFFD")
			if r != '\n' && r != '\t' && (isBroken || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Errorf("%q prints %q", args[0], text[max(0, at-60):min(len(text), at+60)])
				break
			}
		}
		if strings.Contains(text, "\nok all is well") {
			t.Errorf("%q prints a message that is not its own:\n%s", args[0], text)
		}
	}
	if said < 1000 {
		t.Errorf("%d bytes are printed in all", said)
	}
}

// TestForeignSchemas adds to databases what is not theirs: whoever writes to them, or checks them,
// names it and ends with 3.
func TestForeignSchemas(t *testing.T) {
	memscribe, from := program(t), t.TempDir()
	path := filepath.Join(from, "session.jsonl")
	if err := attack.Told(path, []string{"lavender"}); err != nil {
		t.Fatal(err)
	}
	for _, sink := range []struct{ name, table, verify string }{{"sqlite", "nodes", "query decisions"}, {"memdb", "versions", "memdb verify"}} {
		for name, statement := range map[string]string{
			"kept":   `CREATE TABLE kept (it TEXT)`,
			"shown":  fmt.Sprintf(`CREATE VIEW shown AS SELECT * FROM %s`, sink.table),
			"copies": fmt.Sprintf(`CREATE TRIGGER copies BEFORE DELETE ON %s BEGIN SELECT 1; END`, sink.table),
			"loses":  fmt.Sprintf(`CREATE TRIGGER loses BEFORE INSERT ON %s BEGIN SELECT RAISE(IGNORE); END`, sink.table),
		} {
			t.Run(sink.name+" "+name, func(t *testing.T) {
				home := t.TempDir()
				write := []string{"replay", "--sink", sink.name, "--out", "out.db", path}
				run := func(want int, args ...string) {
					t.Helper()
					spent, err := attack.Run(t.Context(), home, memscribe, args...)
					if err != nil {
						t.Fatal(err)
					}
					printed, err := os.ReadFile(spent.Stdout)
					if err != nil || spent.Code != want || want > 0 && !strings.Contains(string(printed)+string(spent.Stderr), name) {
						t.Errorf("%v ends with %d, want %d, and %s named: %s%s (%v)", args, spent.Code, want, name, printed, spent.Stderr, err)
					}
				}
				run(0, write...)
				db, err := sql.Open("sqlite", filepath.Join(home, "out.db"))
				if err != nil {
					t.Fatal(err)
				}
				_, err = db.ExecContext(t.Context(), statement)
				if failed := db.Close(); err != nil || failed != nil {
					t.Fatal(err, failed)
				}
				run(3, write...)
				run(3, append(strings.Fields(sink.verify), "--db", "out.db")...)
			})
		}
	}
}
