package capture_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

var errKilled = errors.New("killed")

// mortal is a sink that has what it was given when the program is killed in the
// middle of its Flush.
type mortal struct {
	*held

	dies bool
}

func (m *mortal) Flush(ctx context.Context) error {
	if m.dies {
		return errKilled
	}
	return m.held.Flush(ctx)
}

// TestFileThatIsGoneBeforeTheNotesKnewOfIt has a file repeat what another one
// says, and better; the program ends when the sink has that and the notes need
// not. At the next start the file is gone, and what it said with it.
func TestFileThatIsGoneBeforeTheNotesKnewOfIt(t *testing.T) {
	for name, flushed := range map[string]bool{"killed in the flush": false, "power lost after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, notes := t.TempDir(), filepath.Join(t.TempDir(), "notes")
			out := &mortal{held: &held{lines: map[string]string{}}}
			write(t, filepath.Join(dir, "a"), `{"edit":"1"}`+"\n"+`{"edit":"2"}`+"\n")
			store, err := catchUp(t, dir, notes, out)
			if err = errors.Join(err, store.Close()); err != nil {
				t.Fatal(err)
			}
			better := filepath.Join(dir, "0") // by its name
			write(t, better, `{"edit":"1"}`+"\n")
			out.dies = !flushed
			if store, err = catchUp(t, dir, notes, out); errors.Is(err, errKilled) == flushed {
				t.Fatal(err)
			}
			told := maps.Clone(out.lines)
			if flushed {
				err = os.Truncate(notes, store.Durable())
			} else {
				err = nil
			}
			if err = errors.Join(err, os.Remove(better)); err != nil {
				t.Fatal(err)
			}
			out.dies = false
			if _, err = catchUp(t, dir, notes, out); err != nil {
				t.Fatal(err)
			}
			want := &mortal{held: &held{lines: map[string]string{}}}
			if _, err = catchUp(t, dir, filepath.Join(t.TempDir(), "notes"), want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.lines, out.lines); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if cmp.Equal(told, out.lines) {
				t.Error("the file has said nothing better")
			}
		})
	}
}

// catchUp runs the program once.
func catchUp(t *testing.T, dir, notes string, out *mortal) (*checkpoint.Store, error) {
	t.Helper()
	store, err := checkpoint.Open(notes, "")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, func(_ *rig, o *capture.Options) { o.Sink = out })
	source := &tail.Source{Roots: []discover.Root{discover.Everything(dir)}, Report: func(string, error) {}, Log: slog.New(slog.DiscardHandler)}
	store.Each(source.Resume)
	f := capture.NewFollower(capture.FollowerOptions{Capture: r.Capture, Files: source, Judge: byHead, Store: store})
	return store, source.Once(t.Context(), f)
}
