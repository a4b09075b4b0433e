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

// state is what a watch remembers between runs: the finished files, and the mark of the last node
// that the sink has confirmed. For standard output or a pipe it is in memory only, since output
// there cannot be checked later.
//
// There are two locks. lock keeps a second watch out of the state folder. alone, a file beside
// the output, keeps a watch with another state folder from writing to the same database.
type state struct {
	lock  *checkpoint.Lock
	store *checkpoint.Store
	alone lock.File // for databases only
}

// awaitState is openState that waits for errors that may pass.
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

// stateWait is the time between two attempts to open the state folder.
const stateWait = 5 * time.Second

// openState locks the state folder and opens the checkpoint of a target.
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

// claim locks a database against other watches; other programs may still write to it. A log of
// lines is locked by its sink.
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

// openStore opens the checkpoint of a target. Each target has a file of its own.
//
// A checkpoint is valid for one binding: a hash of the version and build of the program, the
// settings file, the folders, and the flags that affect nodes. If any of these changes, everything
// is read again, since the nodes may differ.
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

// NotesAbout returns the path of the checkpoint of a target.
func NotesAbout(dir, kind, out string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + out))
	return filepath.Join(dir, "done-"+hex.EncodeToString(sum[:8]))
}

// hasSecret reports whether a path contains a secret, so that it must not be written to the
// checkpoint.
func hasSecret(engine *redact.Engine, path string) bool {
	_, cuts, err := engine.Scrub(core.PathField, []byte(path))
	return err != nil || len(cuts) > 0
}

// programStamp returns a text that differs between builds of the program.
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

// settingsSum returns a hash of the settings file, since its rules affect nodes.
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

// check clears the checkpoint if the sink does not hold what was delivered, or if distrust is
// set, so that everything is read again.
//
// The sink holds it if it finds the mark, the digest of the last node.
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

// lost returns an error if the state folder, or the lock beside the output, no longer belongs to
// this process.
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

// close writes the checkpoint, unless the folder may belong to another process, and releases the
// locks.
func (s *state) close() error {
	var err error
	if s.lost() == nil {
		err = s.store.Close()
	} else {
		s.store.Abandon()
	}
	return errors.Join(err, s.release())
}

// release releases the locks of the output and of the state folder.
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
