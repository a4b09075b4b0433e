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
	catchUp = 3 * time.Minute // a scan that nothing has called for comes after two
	look    = 100 * time.Millisecond
	drain   = 5 * time.Second
)

func (s *session) startWatch(ctx context.Context) error {
	if s.job.Program == "" {
		return nil
	}
	if err := s.installHooks(ctx); err != nil {
		return err
	}
	stderr, err := os.Create(filepath.Join(s.job.Out, WatchLog))
	if err != nil {
		return fmt.Errorf("keep what watch says: %w", err)
	}
	args := []string{"watch", "--home", s.home, "--sink", "ndjson", "--out", s.watched(), "--state-dir", s.state()}
	if s.job.Pushed {
		args = append(args, "--otlp-http", receiver)
	}
	cmd := exec.CommandContext(ctx, s.job.Program, args...)
	cmd.Stderr, cmd.Env = stderr, []string{"HOME=" + s.home, "TZ=UTC"}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start watch: %w", err)
	}
	s.watch = &watch{cmd: cmd, ended: make(chan error, 1), stderr: stderr}
	go func() { s.watch.ended <- cmd.Wait() }()
	return nil
}

// state is the folder that watch has for itself.
func (s *session) state() string {
	if s.scratch != "" {
		return filepath.Join(s.scratch, "state")
	}
	return filepath.Join(s.home, ".watch")
}

// receiver is where watch listens for telemetry.
const receiver = "127.0.0.1:4318"

// pushing has the hooks of Claude Code find the state folder, and it send all
// telemetry that it can, without delay.
func (s *session) pushing() []string {
	return []string{
		"MEMSCRIBE_STATE_DIR=" + s.state(),
		"CLAUDE_CODE_ENABLE_TELEMETRY=1", "OTEL_LOGS_EXPORTER=otlp", "OTEL_METRICS_EXPORTER=none", "OTEL_EXPORTER_OTLP_PROTOCOL=http/json",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://" + receiver, "OTEL_LOGS_EXPORT_INTERVAL=500", "OTEL_LOG_USER_PROMPTS=1", "OTEL_LOG_TOOL_DETAILS=1",
	}
}

// installHooks has the tool run the hooks of the program, if that is wanted.
func (s *session) installHooks(ctx context.Context) error {
	if !s.job.Pushed {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(s.home, ".claude"), 0o755); err != nil {
		return fmt.Errorf("make settings: %w", err)
	}
	cmd := exec.CommandContext(ctx, s.job.Program, "hooks", "install", string(s.job.Tool), "--home", s.home, "--state-dir", s.state())
	cmd.Env = []string{"HOME=" + s.home}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("install hooks: %w: %s", err, out)
	}
	return nil
}

// keepJournal puts what was pushed beside the recording.
func (s *session) keepJournal() error {
	if !s.job.Pushed {
		return nil
	}
	if err := os.CopyFS(filepath.Join(s.job.Out, Journal), os.DirFS(filepath.Join(s.state(), "journal"))); err != nil {
		return fmt.Errorf("keep journal: %w", err)
	}
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
	return errors.Join(s.watch.stderr.Close(), s.keepJournal())
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
