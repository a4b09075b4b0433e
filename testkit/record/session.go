package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/modelserver"
	"github.com/memscribe/memscribe/testkit/script"
)

// session is one recording, inside.
type session struct {
	job      Job
	scenario *script.Scenario
	client   client
	program  []string
	home     string // of the tool
	work     string // the work tree
	model    string // the address of the scripted model
	server   *modelserver.Server
	http     *http.Server
	scratch  string // a folder that goes with the session
	watch    *watch
	base     string // the first commit

	mu   sync.Mutex // two processes may run at once
	id   string     // of the tool's session
	runs []process
}

// process is one process of the tool, as the truth tells of it.
type process struct {
	Mode    script.Mode `json:"mode"`
	Code    int         `json:"rc"`
	Signal  string      `json:"signal,omitempty"`
	Session string      `json:"session_id"`
}

func newSession(job Job) (*session, error) {
	s := &session{job: job, home: "/home/dev"}
	if job.Confine {
		if err := confine(&s.job); err != nil {
			return nil, err
		}
	} else {
		dir, err := os.MkdirTemp("", "record-")
		if err != nil {
			return nil, fmt.Errorf("make home: %w", err)
		}
		s.scratch, s.home = dir, filepath.Join(dir, "home")
	}
	s.work = filepath.Join(s.home, "work", "orders-service")
	var err error
	if s.scenario, err = script.Load(job.Scenario); err != nil {
		return nil, err
	}
	if s.client, err = clientOf(job.Tool, job.Version); err != nil {
		return nil, err
	}
	s.scenario.PlaceMemories(path.Join("../..", memories(job.Tool)))
	if job.Tool == core.Gemini || job.Tool == core.Qwen {
		s.scenario.FillWindow(920_000) // their models have room for a million, and refuse what nearly is that
	}
	s.program, err = s.client.program(s.job.Client)
	return s, err
}

// close ends what the session has begun.
func (s *session) close() error {
	var err error
	if s.http != nil {
		err = s.http.Close()
	}
	if s.scratch != "" {
		err = errors.Join(err, os.RemoveAll(s.scratch))
	}
	return err
}

func (s *session) play(ctx context.Context) error {
	if err := s.furnish(ctx); err != nil {
		return err
	}
	if err := s.serve(ctx); err != nil {
		return err
	}
	files, err := s.client.files(s)
	if err == nil {
		err = writeAll(s.home, files)
	}
	if err == nil {
		err = writeAll(s.home, s.scenario.Furniture())
	}
	if err == nil {
		err = s.introduce(ctx)
	}
	if err == nil {
		err = s.makeStores()
	}
	if err == nil && s.scenario.Recall {
		err = s.installRecall(ctx)
	}
	if err == nil {
		err = s.startWatch(ctx)
	}
	if err != nil {
		return err
	}
	for i := 0; i < len(s.scenario.Runs); i++ {
		err := s.remember(ctx, i)
		if err != nil {
			return errors.Join(err, s.stopWatch(ctx))
		}
		if i+1 < len(s.scenario.Runs) && s.scenario.Runs[i+1].Beside != nil {
			err = s.together(ctx, i, i+1)
			i++
		} else {
			err = s.run(ctx, i)
		}
		if err != nil {
			return errors.Join(err, s.stopWatch(ctx))
		}
	}
	if err := s.stopWatch(ctx); err != nil {
		return err
	}
	return s.collect(ctx)
}

// furnish makes the home and the work tree.
func (s *session) furnish(ctx context.Context) error {
	tree, err := s.scenario.WorkTree()
	if err != nil {
		return err
	}
	if err = writeAll(s.work, tree); err != nil {
		return err
	}
	const identity = "[user]\n\tname = Dev Example\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n"
	if err = writeAll(s.home, map[string]string{".gitconfig": identity}); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "Initial import"}} {
		if _, err = s.git(ctx, args...); err != nil {
			return err
		}
	}
	base, err := s.git(ctx, "rev-parse", "HEAD")
	s.base = strings.TrimSpace(string(base))
	return err
}

func (s *session) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = s.work, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "LANG=C.UTF-8"}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w: %s", args[0], err, stderr.Bytes())
	}
	return out, nil
}

// serve starts the scripted model.
func (s *session) serve(ctx context.Context) error {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the tool: %w", err)
	}
	s.model = "http://" + l.Addr().String()
	s.server = modelserver.New(s.scenario, s.work, strings.Join([]string{string(s.job.Tool), s.job.Version, s.job.Scenario}, "/"))
	s.http = &http.Server{Handler: s.states(s.server), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(l) }() // ends with close
	return nil
}

// env is all that a tool knows of the machine.
func (s *session) env() []string {
	env := []string{
		"HOME=" + s.home, "LANG=C.UTF-8", "TERM=xterm-256color", "USER=dev", "SHELL=/bin/bash", "TZ=UTC", "NO_COLOR=1",
	}
	path := "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
	if !s.job.Confine {
		path = os.Getenv("PATH")
		// Old versions of Claude Code ask the proxy for loopback too: it is for where
		// there is no better wall.
		env = append(env, "TMPDIR="+s.scratch, "HTTPS_PROXY="+s.model, "https_proxy="+s.model, "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost")
	}
	if node := nodePath(s.job.Client); node != "" {
		path = node + string(os.PathListSeparator) + path
	}
	return append(append(env, "PATH="+path), s.client.env(s)...)
}

// together runs two processes of the scenario, the second from its moment on.
func (s *session) together(ctx context.Context, first, second int) error {
	done := make(chan error, 1)
	go func() { done <- s.run(ctx, first) }()
	err := s.server.Await(ctx, *s.scenario.Runs[second].Beside)
	if err == nil {
		err = s.run(ctx, second)
	}
	return errors.Join(err, <-done)
}

// run runs one process of the scenario. A tool that takes one prompt a process is
// run once for each.
func (s *session) run(ctx context.Context, i int) error {
	run := s.scenario.Runs[i]
	if err := s.age(run.Idle); err != nil {
		return err
	}
	_, streams := s.client.(claude)
	if c, ok := s.client.(directed); ok {
		if done, err := c.direct(ctx, s, &run); done || err != nil {
			return err
		}
	}
	switch {
	case run.Mode == script.Server, run.Mode == script.AsTool:
		return s.client.(remoted).remote(ctx, s, run) // Plays has seen to it
	case run.Mode == script.Terminal:
		return s.atTerminal(ctx, run)
	case run.Mode != script.Stream || streams:
		return s.process(ctx, run)
	}
	for j, turn := range run.Turns {
		one := script.Run{Mode: script.Resume, Turns: []int{turn}}
		if j == 0 {
			one.Mode = script.New
		}
		if err := s.process(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// command is a process of the tool that is about to start.
func (s *session) command(ctx context.Context, run script.Run) (*exec.Cmd, error) {
	turn := new(script.Turn)
	if len(run.Turns) > 0 {
		turn = &s.scenario.Turns[run.Turns[0]]
	}
	if turn.Image != nil {
		if err := writeAll(s.home, map[string]string{pictureName: string(turn.Image)}); err != nil {
			return nil, err
		}
	}
	args, err := s.client.args(s, run, turn)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, s.program[0], append(s.program[1:], args...)...)
	cmd.Dir, cmd.Env = s.work, s.env()
	return cmd, nil
}

// process runs the tool until it ends.
func (s *session) process(ctx context.Context, run script.Run) error {
	ctx, cancel := context.WithTimeout(ctx, s.job.Limit)
	defer cancel()
	cmd, err := s.command(ctx, run)
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("listen to the tool: %w", err)
	}
	var prompts io.WriteCloser
	if run.Mode == script.Stream {
		if prompts, err = cmd.StdinPipe(); err != nil {
			return fmt.Errorf("speak to the tool: %w", err)
		}
	}
	if err = cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.job.Tool, err)
	}
	said, signal := s.attend(ctx, cmd, run, out, prompts)
	err = cmd.Wait()
	if id := hermesID(string(said) + "\n" + stderr.String()); id != "" && s.job.Tool == core.Hermes {
		s.id = id
	}
	at := s.ended(run, cmd, signal)
	s.keep(fmt.Sprintf("run%d.stdout", at), said)
	s.keep(fmt.Sprintf("run%d.stderr", at), stderr.Bytes())
	if ctx.Err() != nil {
		return fmt.Errorf("run %s: %w after %v\n%.2000s\n%.2000s", s.job.Tool, ctx.Err(), s.job.Limit, said, stderr.Bytes())
	}
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("run %s: %w", s.job.Tool, err)
	}
	if bytes.Contains(said, []byte("Unknown slash command: ")) {
		return fmt.Errorf("run %s: it looked for its commands, and gave up before it had found them; record it again", s.job.Tool)
	}
	return s.began(run, cmd.ProcessState.ExitCode(), stderr.Bytes())
}

// began holds a process to having asked the model at all: a version that does not
// know how to do what the run wants ends with an error at once.
func (s *session) began(run script.Run, code int, stderr []byte) error {
	log, err := s.server.Log()
	if err != nil {
		return err
	}
	if code > 0 && (len(run.Turns) == 0 || !slices.Contains(log.Starts, run.Turns[0])) {
		return fmt.Errorf("run %s: it ended with %d and never asked the model: %.1000s", s.job.Tool, code, stderr)
	}
	return nil
}

// keep puts what a process said beside the recording, for whoever wants to know.
func (s *session) keep(name string, data []byte) {
	_ = os.WriteFile(filepath.Join(s.job.Out, name), data, 0o644)
}

// ended notes how a process came to its end, and says which one it was.
func (s *session) ended(run script.Run, cmd *exec.Cmd, signal string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.id == "" {
		s.id = s.newest()
	}
	s.runs = append(s.runs, process{Mode: run.Mode, Code: cmd.ProcessState.ExitCode(), Signal: signal, Session: s.id})
	return len(s.runs) - 1
}

// introduce tells a tool of the model that has to be told.
func (s *session) introduce(ctx context.Context) error {
	c, ok := s.client.(introduced)
	if !ok {
		return nil
	}
	cmd := exec.CommandContext(ctx, s.program[0], append(s.program[1:], c.introduction(s)...)...)
	cmd.Dir, cmd.Env = s.work, s.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tell %s of the model: %w: %.500s", s.job.Tool, err, out)
	}
	return nil
}
