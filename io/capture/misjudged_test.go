package capture_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

// other is a tool with the records of script, whose edits are in another folder.
type other struct{ script }

func (other) Tool() core.Tool                       { return "other" }
func (other) NewParser(core.StreamInfo) core.Parser { return other{} }
func (other) Parse(r core.Record, emit func(*core.Event)) {
	script{}.Parse(r, func(ev *core.Event) {
		if e, ok := ev.Body.(*core.FileEdit); ok {
			e.Diff.Path = "other/" + e.Diff.Path
		}
		emit(ev)
	})
}

// byHead takes a transcript for that of other once "other" stands in its head.
func byHead(_ string, head []byte, _ bool, _ core.Adapter) (core.Adapter, core.Framing) {
	if bytes.Contains(head, []byte("other")) {
		return other{}, core.Lines
	}
	return script{}, core.Lines
}

// TestShortFileIsJudgedAnew lets files grow of which the first lines say less
// than the next ones: what comes out is what a replay of the whole head gives.
func TestShortFileIsJudgedAnew(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat(`{"edit":"filler"}`+"\n", 40<<10) // more than a chunk
	file := filepath.Join(dir, "f")
	begin := `{"edit":"a"}` + "\n"
	rest := `{"is":"other"}` + "\n" + `{"edit":"b"}` + "\n" + long
	write(t, file, begin)
	r := newRig(t, nil)
	wake := make(chan time.Time)
	source := &tail.Source{Roots: []discover.Root{discover.Everything(dir)}, Report: func(string, error) {}, Log: slog.New(slog.DiscardHandler), Wake: wake}
	settled := make(chan struct{}, 8) // more than there are
	f := &told{capture.NewFollower(capture.FollowerOptions{Capture: r.Capture, Files: source, Judge: byHead}), settled}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- source.Run(ctx, f) }()
	<-settled
	if got := r.paths(); got != "a" {
		t.Errorf("at first: %q", got)
	}
	write(t, file, begin+rest)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`{"edit":"p"}` + "\n" + rest)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "g.gz"), packed.String())
	wake <- time.Time{}
	<-settled
	for _, want := range []string{"other/a", "other/b", "other/filler", "other/p"} {
		if got := r.paths(); !strings.Contains(" "+got+" ", " "+want+" ") {
			t.Errorf("no %s among %q", want, got)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// told is a follower that says when it is idle.
type told struct {
	tail.Consumer

	settled chan<- struct{}
}

func (c *told) Settle(ctx context.Context, idle bool) error {
	err := c.Consumer.Settle(ctx, idle)
	if idle && err == nil {
		select {
		case c.settled <- struct{}{}:
		case <-ctx.Done():
		}
	}
	return err
}

func write(t *testing.T, name, data string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}
