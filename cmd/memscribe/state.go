package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/sink/patient"
)

// state is what is noted between runs. Nodes that go to standard output or to a
// pipe are not kept by anybody, so that there is nothing to note.
type state struct {
	lock  *checkpoint.Lock
	store *checkpoint.Store
	alone lock.File // beside a database: no other watch writes to it
}

// awaitState is openState that waits for what passes.
func (a *app) awaitState(ctx context.Context, o watchOptions, to target) (*state, error) {
	said := ""
	for {
		s, err := a.openState(o, to)
		if err == nil || !to.waits || !to.passes(err) {
			return s, err
		}
		if said != err.Error() {
			said = err.Error()
			a.Logger().Error("cannot use the state folder; waiting until it works", slog.Any("error", err))
			if a.Board != nil {
				a.Board.Waiting(said)
			}
		}
		if end := wait(ctx, stateWait); end != nil {
			return nil, fmt.Errorf("%w: %w", end, err)
		}
	}
}

// stateWait is how long to wait before the state folder is tried again.
const stateWait = 5 * time.Second

// openState locks the state folder and reads what was noted about a target.
func (a *app) openState(o watchOptions, to target) (*state, error) {
	if !isKept(to.out) {
		return &state{store: checkpoint.InMemory()}, nil
	}
	dir, err := a.StateDir(o.stateDir)
	if err != nil {
		return nil, fmt.Errorf("find state folder: %w", err)
	}
	if err = a.Private(to.out, dir); err != nil {
		return nil, err
	}
	s := &state{}
	if s.lock, err = checkpoint.Acquire(dir); err != nil {
		return nil, err
	}
	if s.alone, err = to.claim(); err == nil {
		s.store, err = a.openStore(dir, o, to)
	}
	if err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// claim keeps other watches away from a database, which other programs may write to
// meanwhile. A log keeps everybody else away by itself.
func (t target) claim() (lock.File, error) {
	if t.stream {
		return lock.File{}, nil
	}
	if err := durable.Create(filepath.Dir(t.out)); err != nil {
		return lock.File{}, fmt.Errorf("create folder of output: %w", err)
	}
	f, err := lock.Acquire(t.out + ".lock")
	if err != nil {
		return f, fmt.Errorf("lock output %s: %w", t.out, err)
	}
	return f, nil
}

// passes reports whether to wait until an error has passed. What was used by this
// process, another one that has it now may give back.
func (t target) passes(err error) bool {
	return patient.Passes(err) || t.again && errors.Is(err, lock.ErrTaken)
}

// isKept reports whether what is written to a name stays there.
func isKept(out string) bool {
	if out == "-" {
		return false
	}
	info, err := os.Stat(out)
	return err != nil || info.Mode().IsRegular()
}

// openStore opens the notes about one target: each has its own file. They hold
// for the program, the settings and the folders under which they were made.
func (a *app) openStore(dir string, o watchOptions, to target) (*checkpoint.Store, error) {
	out, err := filepath.Abs(to.out)
	if err != nil {
		return nil, err
	}
	binding := sha256.Sum256([]byte(strings.Join([]string{
		cli.Version(), programStamp(), a.settingsSum(),
		fmt.Sprint(o.noContent, o.digest, o.exclude, o.echoes, o.home, o.tools, o.roots), to.name, out,
	}, "\n")))
	store, err := checkpoint.Open(notesAbout(dir, to.name, out), hex.EncodeToString(binding[:]))
	if err != nil {
		return nil, err
	}
	engine, err := redact.New(a.Rules.Redaction)
	if err != nil {
		return nil, err
	}
	store.Withheld = func(path string) bool { return hasSecret(engine, path) }
	return store, nil
}

// notesAbout is the file of what was noted about a target.
func notesAbout(dir, kind, out string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + out))
	return filepath.Join(dir, "done-"+hex.EncodeToString(sum[:8]))
}

// hasSecret reports whether a path says what must not be written down.
func hasSecret(engine *redact.Engine, path string) bool {
	_, cuts, err := engine.Scrub(core.PathField, []byte(path))
	return err != nil || len(cuts) > 0
}

// programStamp tells one build of the program from another.
func programStamp() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// settingsSum tells one file of settings from another: its rules make nodes.
func (a *app) settingsSum() string {
	if a.Settings.File == nil {
		return ""
	}
	data, err := os.ReadFile(a.Settings.File.Name)
	if err != nil {
		return err.Error()
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// check has everything read again if the sink does not hold what was noted, or is
// not to be trusted to.
func (s *state) check(out sink.Sink, distrust bool, log *slog.Logger) {
	if s.store.Len() == 0 {
		return
	}
	if m, ok := out.(sink.Marker); ok && !distrust && m.Holds(s.store.Mark()) {
		return
	}
	log.Warn("the sink does not hold what was delivered to it; reading everything again")
	s.store.Clear()
}

// lost says why the state folder, or the lock beside the output, is no longer this
// process's.
func (s *state) lost() error {
	if s.lock == nil {
		return nil
	}
	if err := s.lock.Lost(); err != nil {
		return fmt.Errorf("the state folder was removed or replaced: %w", err)
	}
	if s.alone.File != nil {
		return s.alone.Lost()
	}
	return nil
}

// close writes what was noted, unless the folder may be another's by now.
func (s *state) close() error {
	var err error
	if s.lost() == nil {
		err = s.store.Close()
	} else {
		s.store.Abandon()
	}
	return errors.Join(err, s.release())
}

func (s *state) release() error {
	var err error
	if s.alone.File != nil {
		err = s.alone.Close()
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Release())
	}
	return err
}

// open opens a sink.
type openSink func(context.Context) (sink.Sink, error)

// patiently opens a sink that is waited for when it cannot be written to, and has
// use deliver to it.
func (a *app) patiently(ctx context.Context, to target, open openSink, use func(sink.Sink) error) error {
	log := a.Logger()
	o := patient.Options{
		Open: open, Wait: wait,
		Failed: func(err error) {
			log.Error("cannot deliver; waiting until it works", slog.Any("error", err))
			a.Board.Waiting(err.Error())
		},
		Works: func() {
			log.Info("delivering again")
			a.Board.Waiting("")
		},
	}
	if to.waits {
		o.Passes = to.passes
	}
	s, err := patient.Open(ctx, o)
	if err != nil && to.waits && cli.WasTerminated(ctx) {
		return nil // nothing was read yet
	}
	if err != nil {
		return err
	}
	return deliver(s, use)
}

// wait waits for so long, or until ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
