package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// owner runs the program for the owner of a home folder, on a day.
type owner struct {
	home string
	now  time.Time
}

func (w *owner) run(t *testing.T, code int, args ...string) (out, stderr string) {
	t.Helper()
	got, out, stderr := w.runs(args)
	if got != code {
		t.Fatalf("memscribe %s ended with %d: %s", strings.Join(args, " "), got, stderr)
	}
	return out, stderr
}

// runs is the exit code of a command, and what it prints.
func (w *owner) runs(args []string) (code int, out, stderr string) {
	var o, e bytes.Buffer
	code = run(args, cli.Env{
		Stdin: strings.NewReader(""), Stdout: &o, Stderr: &e,
		Machine: host.Machine{
			OS: "linux",
			Getenv: func(name string) string {
				return map[string]string{"HOME": w.home, "XDG_CONFIG_HOME": filepath.Join(w.home, ".config")}[name]
			},
			Environ: func() []string { return nil },
			Home:    func() (string, error) { return w.home, nil },
			Now:     func() time.Time { return w.now },
		},
	})
	return code, o.String(), e.String()
}

// sessions puts sessions of some days into the home folder.
func (w *owner) sessions(t *testing.T, days ...string) {
	t.Helper()
	dir := filepath.Join(w.home, ".claude", "projects", "-w")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	session, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range days {
		text := strings.ReplaceAll(string(session), "2026-08-01", d)
		for _, id := range []string{"5e550001-", "aaaaaaaa-", "toolu_", "req_", "msg_"} {
			text = strings.ReplaceAll(text, id, strings.ReplaceAll(d, "-", "")+id[len(id)-1:])
		}
		if err := os.WriteFile(filepath.Join(dir, d+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// kept counts the nodes in the database, by kind.
func (w *owner) kept(t *testing.T) map[string]int {
	t.Helper()
	counts := map[string]int{}
	r, err := nodedb.Open(t.Context(), filepath.Join(w.home, ".local/share/memscribe/nodes.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = r.Each(t.Context(), func(_ string, node []byte) error {
		var n struct{ Node string }
		counts["all"]++
		err := json.Unmarshal(node, &n)
		counts[n.Node]++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func expectKept(t *testing.T, w *owner, want map[string]int) {
	t.Helper()
	got := w.kept(t)
	for kind, n := range want {
		if got[kind] != n {
			t.Errorf("%d of %s are kept, want %d", got[kind], kind, n)
		}
	}
}

// TestRetention has watch let go of what is older than the settings say, day by
// day: it does not come back, also when everything is read again, doctor takes it
// for what it is, and a replay brings it once that is asked for.
func TestRetention(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-06-22", "2026-06-10", "2026-04-01")
	w.run(t, cli.ExitDone, "watch", "--once")
	each := w.kept(t)["all"] / 3
	if each < 3 {
		t.Fatalf("a session has %d nodes", each)
	}
	config := filepath.Join(w.home, ".config/memscribe/memscribe.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[retention]\nconversations = \"30d\"\ndecisions = \"30d\"\nedits = \"30d\"\n")

	out, _ := w.run(t, cli.ExitDone, "prune", "--dry-run")
	if !strings.Contains(out, "nothing was changed") {
		t.Errorf("a dry run says\n%s", out)
	}
	expectKept(t, w, map[string]int{"all": 3 * each})
	_, stderr := w.run(t, cli.ExitDone, "watch", "--once") // other settings: all is read again
	if !strings.Contains(stderr, "let go of old nodes") {
		t.Errorf("watch says %q", stderr)
	}
	expectKept(t, w, map[string]int{"all": 2 * each})

	w.now = w.now.AddDate(0, 0, 12) // the 10th of June is too old by now
	w.run(t, cli.ExitDone, "watch", "--once")
	expectKept(t, w, map[string]int{"all": each})
	if err := os.RemoveAll(filepath.Join(w.home, ".local/state")); err != nil { // what watch knows of the transcripts
		t.Fatal(err)
	}
	write("[retention]\n") // for ever, from now on
	w.run(t, cli.ExitDone, "watch", "--once")
	expectKept(t, w, map[string]int{"all": each})
	out, _ = w.run(t, cli.ExitDone, "doctor", "--deep")
	for _, says := range []string{"conversations from 2026-06-13 on", "byte for byte"} {
		if !strings.Contains(out, says) {
			t.Errorf("doctor does not say %q:\n%s", says, out)
		}
	}
	if strings.Contains(out, "not in the database yet") {
		t.Errorf("doctor misses what was let go:\n%s", out)
	}

	_, stderr = w.run(t, cli.ExitDone, "replay", "--sink", "sqlite")
	if !strings.Contains(stderr, "left out what is older") {
		t.Errorf("replay says %q", stderr)
	}
	expectKept(t, w, map[string]int{"all": each})
	w.run(t, cli.ExitDone, "prune", "--readmit")
	w.run(t, cli.ExitDone, "replay", "--sink", "sqlite")
	expectKept(t, w, map[string]int{"all": 3 * each})
}

// TestRetentionClock has a clock that stands two years ahead let go of nothing, also
// when a session was captured with its times.
func TestRetentionClock(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-06-22", "2026-06-10", "2026-06-01")
	w.run(t, cli.ExitDone, "watch", "--once")
	all := w.kept(t)["all"]
	keep := []string{"watch", "--once", "--keep-conversations", "30d", "--keep-decisions", "30d", "--keep-edits", "30d"}
	w.now = w.now.AddDate(2, 0, 0)
	w.sessions(t, "2028-07-01")
	for range 2 {
		_, stderr := w.run(t, cli.ExitDone, keep...)
		if !strings.Contains(stderr, "the clock is far ahead of what has been captured") || !strings.Contains(stderr, "2026-06-22") {
			t.Errorf("watch says %q", stderr)
		}
		expectKept(t, w, map[string]int{"all": all + all/3})
	}
	w.now = w.now.AddDate(-2, 0, 14) // the clock is right again
	w.run(t, cli.ExitDone, keep...)
	expectKept(t, w, map[string]int{"all": 2 * all / 3}) // of the 22nd of June, and of 2028
}

// TestPruneByHand lets go of one kind and keeps the others.
func TestPruneByHand(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}
	w.run(t, cli.ExitIncomplete, "prune", "--keep-edits", "1w") // there is no database
	w.sessions(t, "2026-06-22", "2026-04-01")
	w.run(t, cli.ExitDone, "watch", "--once")
	before := w.kept(t)
	out, _ := w.run(t, cli.ExitDone, "prune", "--keep-edits", "4w", "--json")
	var report retention.Pruned
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	after := w.kept(t)
	if report.Edits != 1 || after["episode"] != 1 || after["decision"] != before["decision"] || after["conversation"] != before["conversation"] {
		t.Errorf("%v before, %v after, and it says %s", before, after, out)
	}
	if int(report.Bindings) != before["binding"]-after["binding"] || report.Bindings == 0 {
		t.Errorf("%v before, %v after, and it says %s", before, after, out)
	}
	for _, wrong := range []string{"soon", "3h", "0d", "", "-4d", "36500000000000000w"} {
		w.run(t, cli.ExitUsage, "prune", "--keep-edits", wrong)
	}
	w.run(t, cli.ExitUsage, "prune")
}

// TestJournalsKept has watch let go of what hooks have passed on, once it was
// read.
func TestJournalsKept(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}
	dir := filepath.Join(w.home, ".local/state/memscribe/journal/hooks/codex")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, days := range map[string]int{"000001.jsonl": 40, "000002.jsonl": 3} {
		at := w.now.AddDate(0, 0, -days)
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	w.run(t, cli.ExitDone, "watch", "--once")
	w.run(t, cli.ExitDone, "watch", "--once", "--keep-journals", "4w")
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range left {
		if strings.HasSuffix(e.Name(), ".jsonl") {
			names = append(names, e.Name())
		}
	}
	if len(names) != 1 || names[0] != "000002.jsonl" {
		t.Errorf("left are %v", names)
	}
}

func (w *owner) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
