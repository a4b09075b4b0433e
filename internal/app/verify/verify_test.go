package verify_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/verify"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/input"
)

// still shows no progress.
type still struct{}

func (still) Of(*input.Options)             {}
func (still) Over(*input.Plan) (end func()) { return func() {} }

// user is a setup with a home of its own; said is what the command says.
func user(t *testing.T) (s *setup.Setup, said *strings.Builder) {
	t.Helper()
	home := filepath.Join(t.TempDir(), "waldemar")
	said = new(strings.Builder)
	s = &setup.Setup{
		Machine: host.Machine{
			OS:     "linux",
			Getenv: func(string) string { return "" },
			Home:   func() (string, error) { return home, nil },
		},
		Logger:   func() *slog.Logger { return slog.New(slog.DiscardHandler) },
		Say:      func(format string, args ...any) { fmt.Fprintf(said, format, args...) },
		Progress: func(bool) setup.Progress { return still{} },
	}
	s.Rules = s.BuiltIn()
	return s, said
}

// session writes a session of Claude Code into the home of the user and returns its name.
func session(t *testing.T, s *setup.Setup, more string) string {
	t.Helper()
	home, err := s.Home()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "cmd", "memscribe", "testdata", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(home, ".claude", "projects", "-w", "s.jsonl")
	if err = os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err = os.WriteFile(name, append(text, more...), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRun: a good session keeps every promise; a record that no adapter knows is counted;
// a file that cannot be read is named, and the rest has a verdict.
func TestRun(t *testing.T) {
	s, said := user(t)
	name := session(t, s, `{"type":"hologram","uuid":"x"}`+"\n")
	none := filepath.Join(t.TempDir(), "none.jsonl")
	v, err := verify.Run(t.Context(), s, verify.Options{}, []string{name, none})
	if !errors.Is(err, report.ErrIncomplete) || !strings.HasPrefix(said.String(), none) {
		t.Errorf("%v, said %q", err, said)
	}
	if v == nil || v.Transcripts != 1 || v.Nodes == 0 || len(v.Broken) != 0 || v.Drift["claude_code hologram"] != 1 {
		t.Errorf("%+v", v)
	}
}

// TestRunInTwoFiles: Codex continues a thread that went back in a further file, which begins with
// the rewind. What that goes back to is in the first one.
func TestRunInTwoFiles(t *testing.T) {
	s, _ := user(t)
	v, err := verify.Run(t.Context(), s, verify.Options{}, []string{filepath.Join("..", "..", "..", "fixtures", "codex", "0.166.0", "terminal_backtrack", "home")})
	if err != nil || v.Transcripts != 2 || len(v.Broken) != 0 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestRunDatabase names what is wrong with a database.
func TestRunDatabase(t *testing.T) {
	s, _ := user(t)
	name := filepath.Join(t.TempDir(), "nodes.db")
	if err := os.WriteFile(name, append([]byte("SQLite format 3\x00"), make([]byte, 4096)...), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := verify.Run(t.Context(), s, verify.Options{}, []string{name})
	if err != nil || v.Databases != 1 || len(v.Broken) == 0 || v.Broken[0].File != name {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestAdd writes a session without the name of its user, once.
func TestAdd(t *testing.T) {
	s, _ := user(t)
	name := session(t, s, `{"type":"summary","summary":"waldemar@corp.example in /home/waldemar","leafUuid":"x"}`+"\n")
	o := verify.AddOptions{File: name, As: "claude_code", Name: "happy_path", Corpus: t.TempDir()}
	at, err := verify.Add(s, o)
	if err != nil {
		t.Fatal(err)
	}
	if rest, err := filepath.Rel(o.Corpus, at); err != nil || !strings.HasPrefix(filepath.ToSlash(rest), "claude_code/") || !strings.HasSuffix(filepath.ToSlash(rest), "/happy_path/home/.claude/projects/-w/s.jsonl") {
		t.Errorf("written is %s, %v", at, err)
	}
	if text, err := os.ReadFile(at); err != nil || strings.Contains(string(text), "waldemar") || !strings.Contains(string(text), "dev@example.com in /home/dev") {
		t.Errorf("the name is left, or the text is gone: %v", err)
	}
	for want, change := range map[string]func(*verify.AddOptions){
		"is there already": func(*verify.AddOptions) {},
		"--as":             func(o *verify.AddOptions) { o.As = "" },
		"--name":           func(o *verify.AddOptions) { o.Name = "../x" },
	} {
		again := o
		change(&again)
		if _, err := verify.Add(s, again); !usage.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
