package adaptertest

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/shape"
	"github.com/memscribe/memscribe/io/store"
)

// Database makes a database of a script, named name, and reads it as its tool's.
// It returns the events of each conversation as lines that a test can be read
// by: what was said by whom, the calls, the edits with their diffs. What carries
// nothing that was said or done is left out. Behind them stands what is in no
// table of the tool's shapes.
func Database(t testing.TB, a core.DatabaseAdapter, name, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = db.ExecContext(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	if err = db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(path, func(path string, s core.Schema) (core.Adapter, core.Layout) {
		layout, fit := a.Layout(filepath.ToSlash(path), s)
		if fit == core.NoFit {
			return nil, layout
		}
		return a, layout
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	set, err := pipeline.NewSet(pipeline.Options{Shapes: true})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for c, err := range s.Changes(t.Context()) {
		if errors.Is(err, store.ErrIncomplete) {
			fmt.Fprintln(&out, err)
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "# %s\n", strings.ReplaceAll(c.Key, "\n", `\n`))
		stream := set.Open(a, core.StreamInfo{Path: filepath.ToSlash(path)}, name)
		stream.OnEvent(func(ev *core.Event) { out.WriteString(Line(ev)) })
		for _, r := range c.Rows {
			stream.Row(r.JSON, r.At)
		}
		unseen(&out, stream)
		stream.Close()
	}
	return out.String()
}

// Tale reads a file and returns its events as [Database] does.
func Tale(t testing.TB, a core.Adapter, path string, data []byte) string {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{Shapes: true})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	stream := set.Open(a, core.StreamInfo{Path: filepath.ToSlash(path)}, path)
	stream.OnEvent(func(ev *core.Event) { out.WriteString(Line(ev)) })
	Lines(a, path, data, stream.Line)
	unseen(&out, stream)
	return out.String()
}

// unseen lists what is in no table of the tool's shapes.
func unseen(out *strings.Builder, stream *pipeline.Stream) {
	for _, u := range slices.SortedFunc(maps.Keys(stream.Stats().Unseen), shape.Unseen.Compare) {
		if u.What != "version" { // scripts make them up
			fmt.Fprintf(out, "unseen %s\n", u)
		}
	}
}

// Line says what an event says, in a line or, of an edit, in several; nothing of
// bookkeeping.
func Line(ev *core.Event) string {
	who := ""
	if ev.Thread != "" {
		who = ev.Thread + ": "
	}
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		return fmt.Sprintf("%sstart %s %s %s\n", who, ev.Session, b.Cwd, b.Model)
	case *core.UserTurn:
		kind := "user"
		if ev.Injected {
			kind = "put"
		}
		return fmt.Sprintf("%s%s %q%s\n", who, kind, b.Text.String(), copied(ev))
	case *core.AssistantTurn:
		if b.Text.IsEmpty() && b.Thinking.IsEmpty() {
			return ""
		}
		verb := "says"
		if b.Unfinished {
			verb = "is saying"
		}
		return fmt.Sprintf("%s%s %q thinking %q\n", who, verb, b.Text.String(), b.Thinking.String())
	case *core.ToolCall:
		return fmt.Sprintf("%scall %q %s%s\n", who, b.CallID, b.Name, copied(ev))
	case *core.ToolResult:
		line := fmt.Sprintf("%sresult %q %t", who, b.CallID, b.OK)
		if len(b.AlsoSpawned) > 0 {
			line += fmt.Sprintf(" spawned %q", append([]string{b.Spawned}, b.AlsoSpawned...))
		}
		return line + "\n"
	case *core.FileEdit:
		return fmt.Sprintf("%s%s %s by %q\n%s", who, b.Diff.Change, b.Diff.Path, b.CallID, b.Diff.Unified)
	case *core.Compaction:
		return fmt.Sprintf("%scompaction %d-%d %q\n", who, b.Start, b.End, b.Summary.String())
	case *core.Rewind:
		return fmt.Sprintf("%srewind to %s\n", who, b.ToEvent)
	case *core.SessionEnd:
		return who + "end " + b.Reason + "\n"
	case *core.Unknown:
		if b.Bookkeeping {
			return ""
		}
		return fmt.Sprintf("%sunknown %s %s\n", who, b.RawType, b.Reason)
	}
	return "?\n"
}

func copied(ev *core.Event) string {
	if ev.CopyOf == "" {
		return ""
	}
	return " copy of " + ev.CopyOf
}
