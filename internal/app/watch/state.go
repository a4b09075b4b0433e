package watch

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

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/buildinfo"
	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/checkpoint"
)

// state is what is noted between runs: which files were dealt with, and the mark of the
// last node that the sink has confirmed. For output to standard output or a pipe it is
// in memory only, because what went there is gone.
//
// Two locks protect it. lock keeps a second watch out of the state folder; alone,
// beside the output, keeps a watch with another state folder away from the same
// database.
type state struct {
	lock  *checkpoint.Lock
	store *checkpoint.Store
	alone lock.File // beside a database: no other watch writes to it
}

// awaitState is openState that waits for what passes.
func (w *watch) awaitState(ctx context.Context, to target.Target) (*state, error) {
	said := ""
	for {
		s, err := w.openState(to)
		if err == nil || !to.Waits || !to.Passes(err) {
			return s, err
		}
		if said != err.Error() {
			said = err.Error()
			w.setup.Logger().Error("cannot use the state folder; waiting until it works", slog.Any("error", err))
			if w.board != nil {
				w.board.Waiting(said)
			}
		}
		if end := interrupt.Wait(ctx, stateWait); end != nil {
			return nil, fmt.Errorf("%w: %w", end, err)
		}
	}
}

// stateWait is how long to wait before the state folder is tried again.
const stateWait = 5 * time.Second

// openState locks the state folder and reads what was noted about a target.
func (w *watch) openState(to target.Target) (*state, error) {
	if !target.IsKept(to.Out) {
		return &state{store: checkpoint.InMemory()}, nil
	}
	dir, err := w.setup.StateDir(w.StateDir)
	if err != nil {
		return nil, fmt.Errorf("find state folder: %w", err)
	}
	if err = w.setup.Private(w.setup.Logger(), to.Out, dir); err != nil {
		return nil, err
	}
	s := &state{}
	if s.lock, err = checkpoint.Acquire(dir); err != nil {
		return nil, err
	}
	if s.alone, err = claim(to); err == nil {
		s.store, err = w.openStore(dir, to)
	}
	if err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// claim keeps other watches away from a database, which other programs may write to
// meanwhile. A log keeps everybody else away by itself.
func claim(to target.Target) (lock.File, error) {
	if to.Streams() {
		return lock.File{}, nil
	}
	if err := durable.Create(filepath.Dir(to.Out)); err != nil {
		return lock.File{}, fmt.Errorf("create folder of output: %w", err)
	}
	f, err := lock.Beside(to.Out)
	if err != nil {
		return f, fmt.Errorf("lock output %s: %w", to.Out, err)
	}
	return f, nil
}

// openStore opens the notes about one target: each has its own file. They hold
// for the program, the settings and the folders under which they were made.
//
// The notes hold for one binding: a hash of the version and build of the program, the
// settings file, and the flags that decide what becomes a node. If any of these
// changes, everything is read again, since the nodes may differ.
func (w *watch) openStore(dir string, to target.Target) (*checkpoint.Store, error) {
	out, err := filepath.Abs(to.Out)
	if err != nil {
		return nil, err
	}
	p, at := &w.Privacy, &w.Places
	binding := sha256.Sum256([]byte(strings.Join([]string{
		buildinfo.Version(), programStamp(), settingsSum(w.setup.Settings.File),
		fmt.Sprint(p.NoContent, p.Digest, p.Exclude, p.Echoes, at.Home, at.Tools, at.Roots), to.Name(), out,
	}, "\n")))
	store, err := checkpoint.Open(NotesAbout(dir, to.Name(), out), hex.EncodeToString(binding[:]))
	if err != nil {
		return nil, err
	}
	engine, err := redact.New(w.setup.Rules.Redaction)
	if err != nil {
		return nil, err
	}
	store.Withheld = func(path string) bool { return hasSecret(engine, path) }
	return store, nil
}

// NotesAbout returns the file of what was noted about a target.
func NotesAbout(dir, kind, out string) string {
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
func settingsSum(file *config.Document) string {
	if file == nil {
		return ""
	}
	data, err := os.ReadFile(file.Name)
	if err != nil {
		return err.Error()
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// check has everything read again if the sink does not hold what was noted, or is
// not to be trusted to.
//
// A sink proves it by finding the mark, the digest of the last node, in what it holds.
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

// release gives up the locks on the output and on the state folder.
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
