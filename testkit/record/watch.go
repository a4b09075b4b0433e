package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// watch is a memscribe that follows while the tool works.
type watch struct {
	cmd    *exec.Cmd
	ended  chan error
	stderr *os.File
}

// How long watch may take to catch up when the tool has ended, and to end.
const (
	catchUp = 20 * time.Second
	look    = 100 * time.Millisecond
	drain   = 5 * time.Second
)

func (s *session) startWatch(ctx context.Context) error {
	if s.job.Program == "" {
		return nil
	}
	state := filepath.Join(s.home, ".watch")
	if s.scratch != "" {
		state = filepath.Join(s.scratch, "state")
	}
	stderr, err := os.Create(filepath.Join(s.job.Out, WatchLog))
	if err != nil {
		return fmt.Errorf("keep what watch says: %w", err)
	}
	cmd := exec.CommandContext(ctx, s.job.Program, "watch", "--home", s.home, "--sink", "ndjson", "--out", s.watched(), "--state-dir", state)
	cmd.Stderr, cmd.Env = stderr, []string{"HOME=" + s.home, "TZ=UTC"}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start watch: %w", err)
	}
	s.watch = &watch{cmd: cmd, ended: make(chan error, 1), stderr: stderr}
	go func() { s.watch.ended <- cmd.Wait() }()
	return nil
}

func (s *session) watched() string { return filepath.Join(s.job.Out, Watched) }

// stopWatch lets watch catch up, ends it and says whether it ended well. That it
// caught up shows in that it wrote what a replay gives; if it never does, whoever
// compares the two will see it.
func (s *session) stopWatch(ctx context.Context) error {
	if s.watch == nil {
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, catchUp)
	defer cancel()
	for {
		same, err := s.caughtUp(ctx)
		if err != nil {
			return err
		}
		if same || pause(waiting, look) != nil {
			break
		}
	}
	if err := s.watch.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("end watch: %w", errors.Join(err, <-s.watch.ended))
	}
	ending, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	select {
	case err := <-s.watch.ended:
		if err != nil {
			return fmt.Errorf("end watch: %w", err)
		}
	case <-ending.Done():
		_ = s.watch.cmd.Process.Kill()
		return fmt.Errorf("end watch: it took longer than %v", drain)
	}
	return s.watch.stderr.Close()
}

// Replayed is what a cold replay gives of the tool's home, a node a line.
const Replayed = "replayed.ndjson"

func (s *session) caughtUp(ctx context.Context) (bool, error) {
	cmd := exec.CommandContext(ctx, s.job.Program, "replay", "--home", s.home)
	cmd.Env = []string{"HOME=" + s.home, "TZ=UTC"}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cold, err := cmd.Output()
	if err != nil {
		return false, fmt.Errorf("replay: %w: %s", err, stderr.Bytes())
	}
	if err = os.WriteFile(filepath.Join(s.job.Out, Replayed), cold, 0o644); err != nil {
		return false, fmt.Errorf("keep replay: %w", err)
	}
	live, err := os.ReadFile(s.watched())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, fmt.Errorf("read what watch wrote: %w", err)
	}
	return maps.Equal(Folded(cold), Folded(live)), nil
}

// Folded is a log of upserts by its nodes' ids: of each, the last line.
func Folded(log []byte) map[string]string {
	nodes := map[string]string{}
	for line := range bytes.Lines(log) {
		var head struct{ ID string }
		if json.Unmarshal(line, &head) == nil {
			nodes[head.ID] = string(bytes.TrimSuffix(line, []byte("\n")))
		}
	}
	return nodes
}

// Departures lists where two folded logs are not the same, by the nodes' ids.
func Departures(a, b map[string]string) []string {
	var ids []string
	for id := range a {
		if b[id] != a[id] {
			ids = append(ids, id)
		}
	}
	for id := range b {
		if _, ok := a[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
