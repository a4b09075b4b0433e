package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// wrongBy is how far the clock of these tests is ahead for a while.
const wrongBy = 2 * 365 * 24 * time.Hour

// decided is a decision as query prints it.
type decided struct {
	Node struct {
		ID string `json:"id"`
	} `json:"node"`
	Annotations struct {
		Accepted, Rejected bool
		Title              string
	} `json:"annotations"`
}

// decisions are what query answers.
func (w *owner) decisions(t *testing.T) []decided {
	t.Helper()
	out, _ := w.run(t, cli.ExitDone, "query", "decisions", "--all", "--json")
	var answer struct{ Items []decided }
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(answer.Items) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	return answer.Items
}

// TestAnnotationsByWrongClock says something of a decision while the clock stands two years
// ahead, and takes it back when it is right: what was said last holds, also in a database
// that is made again out of the file of annotations, and after another clock that went back.
func TestAnnotationsByWrongClock(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-06-22")
	w.run(t, cli.ExitDone, "watch", "--once")
	id := w.decisions(t)[0].Node.ID
	w.now = w.now.Add(wrongBy)
	w.run(t, cli.ExitDone, "accept", id)
	w.run(t, cli.ExitDone, "edit", id, "wrong")
	w.now = w.now.Add(-wrongBy)
	w.run(t, cli.ExitDone, "edit", id, "right")
	w.run(t, cli.ExitDone, "reject", id)
	w.now = w.now.Add(-time.Hour)
	w.run(t, cli.ExitDone, "edit", id, "last")
	expect := func() {
		t.Helper()
		for _, d := range w.decisions(t) {
			if a := d.Annotations; d.Node.ID == id && (a.Accepted || !a.Rejected || a.Title != "last") {
				t.Errorf("it stands as %+v", a)
			}
		}
	}
	expect()
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(filepath.Join(w.home, ".local/share/memscribe/nodes.db"+end)) // not all of them are there
	}
	w.run(t, cli.ExitDone, "watch", "--once")
	expect()
}

// TestJournalsByWrongClock has a clock that stands two years ahead let go of no journal, also
// when something was pushed by that clock.
func TestJournalsByWrongClock(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}
	dir := filepath.Join(w.home, ".local/state/memscribe/journal/hooks/codex")
	push := func(name string, at time.Time) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	push("000001.jsonl", w.now.AddDate(0, 0, -3))
	push("000002.jsonl", w.now)
	w.now = w.now.Add(wrongBy)
	push("000003.jsonl", w.now)
	for range 2 {
		_, stderr := w.run(t, cli.ExitDone, "watch", "--once", "--keep-journals", "4w")
		if !strings.Contains(stderr, "far ahead of the last journal") {
			t.Errorf("watch says %q", stderr)
		}
	}
	for _, name := range []string{"000001.jsonl", "000002.jsonl", "000003.jsonl"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestForgetByWrongClock refuses to forget what is older than a time to come, also by a clock
// that is far ahead: what is captured until then would be left out in silence.
func TestForgetByWrongClock(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-06-22", "2026-06-10")
	w.run(t, cli.ExitDone, "watch", "--once")
	all := w.kept(t)["all"]
	w.run(t, cli.ExitUsage, "forget", "--before", "2026-09-01", "--yes")
	w.now = w.now.Add(wrongBy)
	for _, before := range []string{"30d", "yesterday", "2027-01-01"} {
		if _, stderr := w.run(t, cli.ExitUsage, "forget", "--before", before, "--yes"); !strings.Contains(stderr, "2026-06-22") {
			t.Errorf("forget says %q", stderr)
		}
	}
	expectKept(t, w, map[string]int{"all": all})
	w.run(t, cli.ExitDone, "forget", "--before", "2026-06-20", "--yes")
	expectKept(t, w, map[string]int{"all": all / 2})
}

// TestTimesBeyondTheYears captures sessions whose offset puts a time into the year 10000 or
// 1969: their nodes have no time, and a MemDB takes them.
func TestTimesBeyondTheYears(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}
	for name, at := range map[string]string{"late": "9999-12-31T23:59:59-05:00", "early": "1970-01-01T00:00:00+05:00"} {
		w.sessions(t, name)
		name = filepath.Join(w.home, ".claude", "projects", "-w", name+".jsonl")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = regexp.MustCompile(`"timestamp":"[^"]*"`).ReplaceAll(text, []byte(`"timestamp":"`+at+`"`))
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, _ := w.run(t, cli.ExitDone, "replay")
	if !strings.Contains(out, `"node":"decision"`) || strings.Contains(out, `"timestamp":"10000`) || strings.Contains(out, `"timestamp":"1969`) {
		t.Errorf("a time is beyond what RFC 3339 has, or nothing came:\n%s", out)
	}
	if _, stderr := w.run(t, cli.ExitDone, "replay", "--sink", "memdb"); strings.Contains(stderr, "refused") {
		t.Errorf("the memories are refused: %s", stderr)
	}
}
