package record

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/memscribe/memscribe/testkit/script"
)

// editor is a window in which a person works with the tool.
type editor struct {
	session *session
	acts    io.Writer
	told    *bufio.Reader
	said    bytes.Buffer
	heard   map[script.Moment]int // how often the model had played a step when it was last looked for
}

// act is one order to the driver.
type act struct {
	Do     string `json:"do"`
	Text   string `json:"text,omitempty"`
	Folder string `json:"folder,omitempty"`
	Image  string `json:"image,omitempty"`
	Nth    int    `json:"nth,omitempty"`

	Args json.RawMessage `json:"args,omitempty"`
}

// sittings is how long a person works with one editor at most.
const sittings = 10 * time.Minute

// direct drives every process of the editor.
func (vscode) direct(ctx context.Context, s *session, run *script.Run) (done bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, max(s.job.Limit, sittings))
	defer cancel()
	cmd, err := s.command(ctx, *run)
	if err != nil {
		return true, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return true, fmt.Errorf("speak to driver: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return true, fmt.Errorf("listen to driver: %w", err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err = cmd.Start(); err != nil {
		return true, fmt.Errorf("start driver: %w", err)
	}
	e := &editor{session: s, acts: in, told: bufio.NewReader(out), heard: map[script.Moment]int{}}
	signal, err := e.drive(ctx, run)
	if err != nil || signal == "" {
		err = errors.Join(err, e.do(act{Do: "leave"}))
	}
	err = errors.Join(err, in.Close())
	ended := &exec.ExitError{}
	if again := cmd.Wait(); again != nil && !errors.As(again, &ended) {
		err = errors.Join(err, again)
	}
	s.ended(*run, cmd, signal)
	s.keep(fmt.Sprintf("run%d.stdout", len(s.runs)-1), e.said.Bytes())
	s.keep(fmt.Sprintf("run%d.stderr", len(s.runs)-1), stderr.Bytes())
	return true, err
}

// do has the driver do something, and waits until that is done.
func (e *editor) do(a act) error {
	if err := json.NewEncoder(e.acts).Encode(a); err != nil {
		return fmt.Errorf("speak to driver: %w", err)
	}
	for {
		line, err := e.told.ReadBytes('\n')
		e.said.Write(line)
		var told struct{ Done, Failed, Why string }
		switch {
		case err != nil:
			return fmt.Errorf("do %s: listen to driver: %w\n%.4000s", a.Do, err, e.said.Bytes())
		case json.Unmarshal(line, &told) != nil:
		case told.Failed != "":
			return fmt.Errorf("do %s %s: %s", a.Do, a.Text, told.Why)
		case told.Done != "":
			return nil
		}
	}
}

// drive is a sitting: what the run says is done in the editor. It returns the name of the
// signal with which it ended.
func (e *editor) drive(ctx context.Context, run *script.Run) (signal string, err error) {
	begin := []act{{Do: "start"}, {Do: "window", Folder: e.session.work}}
	switch run.Mode {
	case script.New, script.Stream, script.Terminal, script.Server:
	case script.Fork:
		begin = append(begin, act{Do: "reopen"}, act{Do: "fork"})
	case script.ResumeAt:
		begin = append(begin, act{Do: "reopen"}, act{Do: "restore"})
	default:
		begin = append(begin, act{Do: "reopen"})
	}
	for _, a := range begin {
		if err := e.do(a); err != nil {
			return "", err
		}
	}
	if run.Mode == script.Terminal {
		return "", e.play(ctx, run.Keys)
	}
	for _, turn := range run.Turns {
		if err := e.prompt(turn); err != nil {
			return "", err
		}
		at := run.Interrupt
		if run.Kill != nil {
			at = run.Kill
		}
		if at != nil && at.Turn == turn {
			return e.broken(ctx, run)
		}
		if err := e.answered(ctx, turn); err != nil {
			return "", err
		}
	}
	return "", nil
}

// broken stops the response at the moment of the run, or the editor with it.
func (e *editor) broken(ctx context.Context, run *script.Run) (signal string, err error) {
	if run.Kill != nil {
		err = errors.Join(e.session.server.Await(ctx, *run.Kill), pause(ctx, underWay))
		return "SIGKILL", errors.Join(err, e.do(act{Do: "kill"}))
	}
	err = errors.Join(e.session.server.Await(ctx, *run.Interrupt), pause(ctx, underWay))
	return "", errors.Join(err, e.do(act{Do: "command", Text: "workbench.action.chat.cancel"}), e.do(act{Do: "idle"}))
}

func (e *editor) prompt(turn int) error {
	t := &e.session.scenario.Turns[turn]
	a := act{Do: "prompt", Text: t.Prompt}
	if t.Image != nil {
		if err := writeAll(e.session.home, map[string]string{pictureName: string(t.Image)}); err != nil {
			return err
		}
		a.Image = filepath.Join(e.session.home, pictureName)
	}
	return e.do(a)
}

// answered waits for the end of the response to a turn. That the model is never asked
// for the last step is no fault: the editor may need nothing of it.
func (e *editor) answered(ctx context.Context, turn int) error {
	const unasked = 20 * time.Second
	waiting, cancel := context.WithTimeout(ctx, unasked)
	defer cancel()
	if err := e.session.server.Await(waiting, script.Moment{Turn: turn}); err != nil && ctx.Err() != nil {
		return err
	}
	return e.do(act{Do: "idle"})
}

// play does what a person's keys are.
func (e *editor) play(ctx context.Context, keys []script.Key) error {
	for i, k := range keys {
		err := e.key(ctx, k)
		if err == nil && k.Path != "" {
			err = e.session.server.ByHand(k.Path)
		}
		if err != nil {
			return fmt.Errorf("do %d, %s %s: %w", i, k.Do, k.Text, err)
		}
	}
	return nil
}

func (e *editor) key(ctx context.Context, k script.Key) error {
	switch k.Do {
	case script.Prompt:
		return errors.Join(e.prompt(k.Turn), e.answered(ctx, k.Turn))
	case script.Send:
		return e.prompt(k.Turn)
	case script.Played:
		at := script.Moment{Turn: k.Turn, Step: k.Step}
		return until(ctx, func() bool { return e.isPlayed(at) })
	case script.Again:
		e.session.server.Again(script.Moment{Turn: k.Turn, Step: k.Step})
		return nil
	case script.Quiet:
		return e.do(act{Do: "idle"})
	case script.Window:
		return e.do(act{Do: "window", Folder: map[bool]string{true: e.session.work}[k.Text == ""]})
	case script.Switch:
		return e.do(act{Do: "switch", Nth: k.Turn})
	case script.Menu:
		args := bytes.ReplaceAll(k.Args, []byte("{work}"), []byte(e.session.work))
		return e.do(act{Do: "command", Text: k.Text, Args: args})
	case script.Paste:
		return errors.New("no driver for it")
	default:
		return e.do(act{Do: string(k.Do), Text: k.Text})
	}
}

// isPlayed reports whether the model has played a step once more than when it was
// last asked.
func (e *editor) isPlayed(at script.Moment) bool {
	n := e.session.server.Played(at)
	more := n > e.heard[at]
	e.heard[at] = n
	return more
}

// until waits for something that can be looked for.
func until(ctx context.Context, holds func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !holds() {
		if err := pause(ctx, glance); err != nil {
			return err
		}
	}
	return nil
}
