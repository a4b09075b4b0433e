package forget_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/sink"
)

func now() time.Time { return time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC) }

func stone(t *testing.T, w forget.What) forget.Tombstone {
	t.Helper()
	s, err := forget.New(w, now())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func node(id, session, root, cwd, at string) string {
	return fmt.Sprintf(`{"id":%q,"session_id":%q,"timestamp":%q,"project":{"cwd":%q,"repo_root":%q}}`, id, session, at, cwd, root)
}

// TestLine holds tombstones to lines that they cover, and to such as look alike.
func TestLine(t *testing.T) {
	t.Parallel()
	const early, late = "2026-08-01T00:00:00Z", "2026-08-03T00:00:00Z"
	for name, c := range map[string]struct {
		what      forget.What
		gone, not []string
	}{
		"project": {
			forget.What{Projects: []string{"/w/shop", "/w/web/"}},
			[]string{
				node("a", "s", "/w/shop", "/w/shop/src", early), node("a", "s", "", "/w/shop/src", early),
				node("a", "s", "/w/web", "/w/web", ""), node("a", "s", "", `\w\shop\src`, ""),
			},
			[]string{node("a", "s", "/w/shopping", "/w/shopping", early), node("a", "s", "/w", "/w", early), node("a", "s", "", "", "")},
		},
		"session": {
			forget.What{Session: "s"},
			[]string{node("a", "s", "/w", "/w", ""), `{"id":"b","session_id":"t","prov":{"used_session":"s"}}`},
			[]string{node("a", "t", "/w", "/w", ""), `{"id":"b"}`},
		},
		"node": {
			forget.What{IDs: []string{"decision:1"}},
			[]string{node("decision:1", "s", "/w", "/w", ""), `{"id":"binding:1","from":"decision:1","to":"episode:1"}`},
			[]string{node("decision:10", "s", "/w", "/w", ""), `{"id":"binding:1","from":"decision:2"}`},
		},
		"before": {
			forget.What{Before: now()},
			[]string{node("a", "s", "/w", "/w", early)},
			[]string{node("a", "s", "/w", "/w", late), node("a", "s", "/w", "/w", "")},
		},
		"project before": {
			forget.What{Projects: []string{"/w"}, Before: now()},
			[]string{node("a", "s", "/w", "/w", early)},
			[]string{node("a", "s", "/w", "/w", late), node("a", "s", "/v", "/v", early)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "d", forget.FileName)
			if err := forget.Write(file, []forget.Tombstone{stone(t, c.what)}); err != nil {
				t.Fatal(err)
			}
			book, err := forget.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range slices.Concat(c.gone, c.not) {
				if gone, err := book.Line([]byte(line)); err != nil || gone != (i < len(c.gone)) {
					t.Errorf("%s: gone %t, %v", line, gone, err)
				}
			}
		})
	}
}

// TestProject leaves out projects that are forgotten whole, and no others.
func TestProject(t *testing.T) {
	t.Parallel()
	book := forget.Of(stone(t, forget.What{Projects: []string{"/w/shop"}}), stone(t, forget.What{Projects: []string{"/v"}, Before: now()}))
	for dir, want := range map[string]bool{"/w/shop/src": true, "/w": false, "/v": false, "": false} {
		if got := book.Project(&core.Project{Cwd: dir}); got != want {
			t.Errorf("%s: %t", dir, got)
		}
	}
}

// TestSecretive holds a tombstone to saying nothing of what it stands for.
func TestSecretive(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), forget.FileName)
	if err := forget.Write(file, []forget.Tombstone{stone(t, forget.What{Projects: []string{"/w/shop"}, Session: "5e550001"})}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"shop", "5e550001"} {
		if strings.Contains(string(text), word) {
			t.Errorf("it says %s: %s", word, text)
		}
	}
}

// taken is a sink that keeps the ids of what it is given.
type taken struct{ ids []string }

func (s *taken) Apply(_ context.Context, lines []sink.Line) error {
	for i := range lines {
		s.ids = append(s.ids, lines[i].ID)
	}
	return nil
}
func (*taken) Flush(context.Context) error { return nil }
func (*taken) Close() error                { return nil }

// TestKeep forgets while a sink is in use: from the next delivery on it is kept out. A
// file that cannot be read lets nothing through.
func TestKeep(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), forget.FileName)
	var to taken
	s, err := forget.Keep(&to, file)
	if err != nil {
		t.Fatal(err)
	}
	lines := []sink.Line{{ID: "a", JSON: []byte(node("a", "s", "/w", "/w", ""))}, {ID: "b", JSON: []byte(node("b", "t", "/w", "/w", ""))}}
	apply := func() error { return s.Apply(t.Context(), lines) }
	if err := apply(); err != nil {
		t.Fatal(err)
	}
	if err := forget.Write(file, []forget.Tombstone{stone(t, forget.What{Session: "s"})}); err != nil {
		t.Fatal(err)
	}
	if err := apply(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(to.ids, []string{"a", "b", "b"}) || s.LeftOut() != 1 {
		t.Errorf("taken is %q, left out are %d", to.ids, s.LeftOut())
	}
	if err := os.WriteFile(file, []byte("no tombstone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := apply(); err == nil {
		t.Error("what may be forgotten is let through")
	}
}

// TestLines takes lines out of a file, and does not touch one of which nothing goes.
func TestLines(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(name, []byte("a\nb\r\n\nc"), 0o600); err != nil {
		t.Fatal(err)
	}
	was, _ := os.Stat(name)
	for _, c := range []struct {
		gone, want string
		dry        bool
		n          int
	}{{"x", "a\nb\r\n\nc", false, 0}, {"b", "a\nb\r\n\nc", true, 1}, {"b", "a\n\nc", false, 1}, {"c", "a\n\n", false, 1}} {
		n, err := forget.Lines(name, c.dry, func(line []byte) (bool, error) { return string(line) == c.gone, nil })
		text, _ := os.ReadFile(name)
		if err != nil || n != c.n || string(text) != c.want {
			t.Errorf("without %s: %d, %v, %q", c.gone, n, err, text)
		}
		if is, _ := os.Stat(name); c.n == 0 && !os.SameFile(was, is) {
			t.Error("a file of which nothing goes was replaced")
		}
	}
}

// TestHoleInLog takes lines out of a log that a crash has left a hole of gigabytes in: it is
// named with its line, the log stays as it is, and no such line is held in memory.
func TestHoleInLog(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a hole takes room")
	}
	name := filepath.Join(t.TempDir(), "log")
	const size = 16 << 30
	if err := errors.Join(os.WriteFile(name, []byte("one\n"), 0o600), os.Truncate(name, size)); err != nil {
		t.Fatal(err)
	}
	n, err := forget.Lines(name, false, func(line []byte) (bool, error) { return string(line) == "one", nil })
	if err == nil || !strings.Contains(err.Error(), name+": line 2: it is longer than 256 MiB") {
		t.Errorf("got %d, %v", n, err)
	}
	if info, err := os.Stat(name); err != nil || info.Size() != size {
		t.Errorf("the log is not what it was: %v, %v", info, err)
	}
}
