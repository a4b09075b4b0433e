package meta

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/input"
	journals "github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/io/tail"
)

// errKilled is what a program that is killed does not live to see.
var errKilled = errors.New("killed")

// program is what runs, as the command watch puts it together.
type program struct {
	wake    chan time.Time
	settled chan struct{}
	stop    context.CancelFunc
	done    chan error
	source  *tail.Source
	notes   *checkpoint.Store
	killed  atomic.Bool
}

// settings are what a run of the program has from its schedule.
type settings struct {
	root   string
	notes  string
	sink   *disk
	rng    *rand.Rand
	limits capture.Limits
	steps  int // after so many calls it is killed; negative: never

	noContent bool // one of the settings of a user's
}

// journals is the folder of the journals.
func (s *settings) journals() string { return filepath.Join(s.root, journalsDir) }

// named are the transcripts that hooks have named and that lie elsewhere.
func (s *settings) named() ([]string, error) {
	var paths []string
	err := journals.Transcripts(s.journals(), func(path string) {
		if !strings.HasPrefix(path, s.root+string(filepath.Separator)) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	})
	return paths, err
}

// consumer is a follower that is killed at some call, or says when it is idle.
type consumer struct {
	tail.Consumer

	steps   int
	settled chan<- struct{}
	killed  *atomic.Bool
}

func (c *consumer) step() error {
	if c.steps == 0 || c.killed.Load() {
		return errKilled
	}
	c.steps--
	return nil
}

// Take implements [tail.Consumer].
func (c *consumer) Take(ctx context.Context, chunk tail.Chunk) error {
	if err := c.step(); err != nil {
		return err
	}
	return c.Consumer.Take(ctx, chunk)
}

// Settle implements [tail.Consumer].
func (c *consumer) Settle(ctx context.Context, idle bool) error {
	if err := c.step(); err != nil {
		return err
	}
	if err := c.Consumer.Settle(ctx, idle); err != nil {
		return err
	}
	if err := c.step(); err != nil || !idle {
		return err
	}
	select {
	case c.settled <- struct{}{}:
	case <-ctx.Done():
	}
	return nil
}

func start(ctx context.Context, s settings) (*program, error) {
	store, err := checkpoint.Open(s.notes, fmt.Sprint("meta ", s.noContent))
	if err != nil {
		return nil, err
	}
	if !s.sink.Holds(store.Mark()) {
		store.Clear()
	}
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		return nil, err
	}
	named, err := s.named()
	if err != nil {
		return nil, err
	}
	c := capture.New(capture.Options{Set: set, Encoder: &encode.Encoder{NoContent: s.noContent}, Sink: s.sink, Report: func(capture.Problem) {}})
	ctx, stop := context.WithCancel(ctx)
	p := &program{
		wake: make(chan time.Time), settled: make(chan struct{}, 1), stop: stop, done: make(chan error, 1), notes: store,
		source: &tail.Source{Roots: []discover.Root{discover.Everything(s.root)}, Report: func(string, error) {}, Log: slog.New(slog.DiscardHandler)},
	}
	p.source.Wake = p.wake
	for _, path := range named {
		p.source.Roots = discover.Include(p.source.Roots, discover.Named(path))
	}
	store.Each(p.source.Resume)
	f := capture.NewFollower(capture.FollowerOptions{
		Capture: c, Judge: judge, Files: p.source, Store: store, Mark: s.sink.Mark, Limits: s.limits,
	})
	p.source.Keeper = capture.NewKeeper(f, capture.KeeperOptions{Layout: adapters.Layout})
	listening := &journals.Names{Consumer: f, Dir: s.journals(), Found: func(path string) {
		if !strings.HasPrefix(path, s.root+string(filepath.Separator)) && !slices.Contains(named, path) {
			p.source.Add(discover.Named(path))
		}
	}}
	go func() { p.done <- p.source.Run(ctx, &consumer{listening, s.steps, p.settled, &p.killed}) }()
	return p, nil
}

// look has the program look at everything, and waits until it is idle.
func (p *program) look() error {
	select {
	case p.wake <- time.Time{}:
	case err := <-p.done:
		return err
	}
	return p.idle()
}

func (p *program) idle() error {
	select {
	case <-p.settled:
		return nil
	case err := <-p.done:
		return err
	}
}

// kill ends the program at its next step: it is idle, so that this is its last.
func (p *program) kill() error {
	p.killed.Store(true)
	return p.end()
}

// end stops the program as a signal does.
func (p *program) end() error {
	p.stop()
	return <-p.done
}

func judge(path string, head []byte, whole bool, place core.Adapter) (core.Adapter, core.Framing) {
	s := input.Sample(path, head, whole)
	a := input.Judge(adapters.Detect, s, place)
	if a == nil {
		return nil, core.Lines
	}
	return a, input.Framing(a, s)
}

// tear takes away the end of what was noted, as far as it was not synced.
func tear(notes string, durable int64, rng *rand.Rand) error {
	info, err := os.Stat(notes)
	if err != nil {
		return nil //nolint:nilerr // there is none
	}
	return os.Truncate(notes, durable+rng.Int64N(info.Size()-durable+1))
}

// replay reads everything once.
func replay(ctx context.Context, settings *settings) (map[string]string, error) {
	named, err := settings.named()
	if err != nil {
		return nil, err
	}
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		return nil, err
	}
	out := newDisk()
	c := capture.New(capture.Options{Set: set, Encoder: &encode.Encoder{NoContent: settings.noContent}, Sink: out, Report: func(capture.Problem) {}})
	o := input.Options{Detect: adapters.Detect, Layout: adapters.Layout, Limits: archive.Standard()}
	for t, err := range o.Paths(append([]string{settings.root}, named...)).Transcripts(ctx) {
		if err != nil {
			continue // what cannot be read, watch cannot read either
		}
		s := c.Open(capture.Transcript{Adapter: t.Adapter, Info: t.Info, Framing: t.Framing, File: t.File, Key: t.Key})
		if t.Rows != nil {
			err = s.Rows(ctx, t.Rows)
		} else {
			err = s.Read(ctx, t.Body)
		}
		if err != nil {
			return nil, err
		}
		if _, err := s.Close(ctx); err != nil {
			return nil, err
		}
	}
	return out.durable, c.Settle(ctx)
}

var _ sink.Marker = (*disk)(nil)

func notesIn(dir string) string { return filepath.Join(dir, "notes") }
