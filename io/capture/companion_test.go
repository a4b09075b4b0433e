package capture_test

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

// indexed is a tool whose index, beside its log, says where an edit was made.
type indexed struct {
	core.Adapter

	begun *int // how often a log was read from its start
}

func (indexed) Tool() core.Tool { return "indexed" }

func (indexed) Companions(path string) (work string, files []string) {
	if filepath.Base(path) == "log" {
		return "work", []string{"index"}
	}
	return "work", nil
}

func (a indexed) NewParser(info core.StreamInfo) core.Parser {
	if filepath.Base(info.Path) == "log" {
		*a.begun++
	}
	p := &indexedParser{asked: map[string]string{}}
	p.index = bytes.Clone(info.Sidecars["index"])
	return p
}

type indexedParser struct {
	index []byte
	asked map[string]string
}

func (p *indexedParser) at(name string) string {
	var doc jsondoc.Doc
	if _, err := doc.Parse(p.index); err != nil {
		return name
	}
	return name + doc.Root().Get(name).Str()
}

func (p *indexedParser) Parse(r core.Record, emit func(*core.Event)) {
	script{}.Parse(r, func(ev *core.Event) {
		if e, ok := ev.Body.(*core.FileEdit); ok {
			name := e.Diff.Path
			e.Diff.Path = p.at(name)
			p.asked[name] = e.Diff.Path
		}
		emit(ev)
	})
}

// Renew implements [core.Refresher].
func (p *indexedParser) Renew(changed map[string][]byte, _ []string) bool {
	p.index = bytes.Clone(changed["index"])
	for name, was := range p.asked { // order does not matter: all have to be the same
		if p.at(name) != was {
			return false
		}
	}
	return true
}

// TestCompanionGrows has the index of a log change in every way: the log is read
// again where what was said of it is not true any more, and then only.
func TestCompanionGrows(t *testing.T) {
	const one, two, three = `{"edit":"a"}` + "\n", `{"edit":"b"}` + "\n", `{"edit":"c"}` + "\n"
	for name, tt := range map[string]struct {
		index, log string
		paths      string // also those of nodes that stay
		begun      int    // how often the log is read from its start by then
		last       int    // and when the index has changed once more
	}{
		"both grow":           {`{"a":"1","b":"2"}`, one + two, "a1 b2", 1, 1},
		"only the log":        {`{"a":"1"}`, one + two, "a1 b", 1, 2},
		"only the index":      {`{"a":"1","b":"2"}`, one, "a1", 1, 1},
		"the index corrects":  {`{"a":"9","b":"2"}`, one + two, "a1 a9 b2", 2, 3},
		"it is being written": {`{"a":"1","b":`, one + two, "a a1 b", 2, 3},
		"the log is another":  {`{"a":"1","c":"3"}`, three + two + two, "a1 b c3", 2, 3},
		"it says something":   {`{"edit":"i","a":"1"}`, one, "a1 i", 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, begun := t.TempDir(), 0
			log, index := filepath.Join(dir, "log"), filepath.Join(dir, "index")
			write(t, index, `{"a":"1"}`)
			write(t, log, one)
			look, paths := follow(t, dir, indexed{begun: &begun})
			look()
			if got := paths(); got != "a1" || begun != 1 {
				t.Fatalf("at first: %q, begun %d times", got, begun)
			}
			write(t, index, tt.index)
			write(t, log, tt.log)
			look()
			if got := paths(); got != tt.paths || begun != tt.begun {
				t.Errorf("got %q, want %q; begun %d times, want %d", got, tt.paths, begun, tt.begun)
			}
			write(t, index, `{"a":"1","b":"2","d":"4"}`)
			if look(); begun != tt.last {
				t.Errorf("at last begun %d times, want %d", begun, tt.last)
			}
		})
	}
}

// placed is a tool that says in a small file beside its log where a session works.
type placed struct {
	core.Adapter

	begun *int // how often a log was read from its start
}

func (placed) Tool() core.Tool { return "placed" }

func (placed) Sidecars(string) []string { return []string{"never", "where"} }

func (a placed) NewParser(info core.StreamInfo) core.Parser {
	if filepath.Base(info.Path) == "log" {
		*a.begun++
	}
	return placedParser(info.Sidecars["where"])
}

type placedParser string

func (p placedParser) Parse(r core.Record, emit func(*core.Event)) {
	script{}.Parse(r, func(ev *core.Event) {
		if e, ok := ev.Body.(*core.FileEdit); ok {
			e.Diff.Path += string(p)
		}
		emit(ev)
	})
}

// TestSidecarComesLater has a client write the small file beside a log when the log is there
// already: the log is read once more, as a replay would.
func TestSidecarComesLater(t *testing.T) {
	const one, two, three = `{"edit":"a"}` + "\n", `{"edit":"b"}` + "\n", `{"edit":"c"}` + "\n"
	dir, begun := t.TempDir(), 0
	log, where := filepath.Join(dir, "log"), filepath.Join(dir, "where")
	write(t, log, one)
	look, paths := follow(t, dir, placed{begun: &begun})
	look()
	write(t, log, one+two)
	look()
	if got := paths(); got != "a b" || begun != 1 {
		t.Fatalf("without the file: %q, begun %d times", got, begun)
	}
	write(t, where, "1")
	write(t, log, one+two+three)
	look()
	if got := paths(); got != "a a1 b b1 c1" || begun != 2 {
		t.Errorf("with the file: %q, begun %d times", got, begun)
	}
	write(t, log, one+two+three+one)
	if look(); begun != 2 {
		t.Errorf("begun %d times, though the file has been read", begun)
	}
}

// follow follows a folder in which every file is a tool's; look returns when all has
// been seen that is there.
func follow(t *testing.T, dir string, a core.Adapter) (look func(), paths func() string) {
	t.Helper()
	r := newRig(t, nil)
	wake, settled := make(chan time.Time), make(chan struct{}, 8) // more than there are
	source := &tail.Source{Roots: []discover.Root{discover.Everything(dir)}, Report: func(string, error) {}, Log: slog.New(slog.DiscardHandler), Wake: wake}
	judge := func(path string, _ []byte, _ bool, _ core.Adapter) (core.Adapter, core.Framing) {
		if filepath.Base(path) == "log" {
			return a, core.Lines
		}
		return a, core.Document
	}
	f := &told{capture.NewFollower(capture.FollowerOptions{Capture: r.Capture, Files: source, Judge: judge}), settled}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- source.Run(ctx, f) }()
	<-settled
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return func() { wake <- time.Time{}; <-settled }, r.paths
}
