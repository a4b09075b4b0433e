package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/memscribe/memscribe/testkit/script"
)

// terminal is a terminal of tmux in which the tool runs: tmux answers what a tool
// asks of a terminal, and knows what a person would see.
type terminal struct {
	session *session
	env     []string
	screens *os.File
	screen  string
	heard   map[script.Moment]int // how often the model had played a step when it was last looked for
}

// How long a person waits.
const (
	glance   = 200 * time.Millisecond
	still    = time.Second // a screen that stays so long is quiet
	patience = time.Minute
	again    = 5 * time.Second // then a key is pressed again
)

// atTerminal runs the tool in a terminal and plays a person's keys to it.
func (s *session) atTerminal(ctx context.Context, run script.Run) error {
	ctx, cancel := context.WithTimeout(ctx, s.job.Limit)
	defer cancel()
	cmd, err := s.command(ctx, run)
	if err != nil {
		return err
	}
	screens, err := os.Create(filepath.Join(s.job.Out, fmt.Sprintf("run%d.screens", len(s.runs))))
	if err != nil {
		return fmt.Errorf("keep screens: %w", err)
	}
	defer func() { _ = screens.Close() }()
	sockets, err := os.MkdirTemp("", "terminal-")
	if err != nil {
		return fmt.Errorf("make folder of terminal: %w", err)
	}
	t := &terminal{session: s, env: append(cmd.Env, "TMUX_TMPDIR="+sockets), screens: screens, heard: map[script.Moment]int{}}
	start := []string{"-f", "/dev/null", "start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";", "new-session", "-d", "-s", "main", "-x", "100", "-y", "60", "-c", s.work, "--"}
	if _, err = t.tmux(ctx, append(start, cmd.Args...)...); err != nil {
		return err
	}
	for i, k := range run.Keys {
		err = t.do(ctx, k)
		if err == nil && k.Path != "" {
			err = s.server.ByHand(k.Path)
		}
		if err != nil {
			err = fmt.Errorf("do %d, %s %s: %w\n%s", i, k.Do, k.Text, err, t.screen)
			break
		}
	}
	_, _ = t.tmux(ctx, "kill-server") // it may have ended by itself
	err = errors.Join(err, pause(ctx, still), os.RemoveAll(sockets))
	s.leftTerminal(run)
	return err
}

func (s *session) leftTerminal(run script.Run) {
	if s.id == "" {
		s.id = s.newest()
	}
	s.runs = append(s.runs, process{Mode: run.Mode, Session: s.id})
}

func (t *terminal) tmux(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-L", "record"}, args...)...)
	cmd.Dir, cmd.Env = t.session.work, t.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("run tmux %s: %w: %.500s", args[0], err, out)
	}
	return string(out), nil
}

// look takes in what is on the screen.
func (t *terminal) look(ctx context.Context) error {
	screen, err := t.tmux(ctx, "capture-pane", "-p", "-t", "main")
	if err != nil {
		return err
	}
	if screen = strings.TrimRight(screen, "\n "); screen != t.screen {
		_, _ = fmt.Fprintf(t.screens, "%s\n-----\n", screen)
	}
	t.screen = screen
	return nil
}

func (t *terminal) keys(ctx context.Context, args ...string) error {
	_, err := t.tmux(ctx, append([]string{"send-keys", "-t", "main"}, args...)...)
	return errors.Join(err, pause(ctx, glance))
}

func (t *terminal) do(ctx context.Context, k script.Key) error {
	at := script.Moment{Turn: k.Turn, Step: k.Step}
	switch k.Do {
	case script.Prompt:
		return t.prompt(ctx, k.Turn)
	case script.Type:
		return t.keys(ctx, "-l", "--", k.Text)
	case script.Press:
		return t.press(ctx, strings.Fields(k.Text))
	case script.Paste:
		return t.paste(ctx, k.Text)
	case script.Played:
		return t.until(ctx, patience, func() bool { return t.isPlayed(at) })
	case script.See:
		return t.see(ctx, regexp.MustCompile(k.Text))
	case script.Quiet:
		return t.quiet(ctx)
	case script.Again:
		t.session.server.Again(at)
		return nil
	case script.Rest:
		return errors.Join(pause(ctx, still), t.look(ctx))
	default:
		return errors.New("no driver for it")
	}
}

// see waits until the screen shows something. If the tool asks before whether to go
// over to a newer model (Codex, 0.98 to 0.125), the answer is to keep the one it has.
func (t *terminal) see(ctx context.Context, wanted *regexp.Regexp) error {
	asks := func() bool { return strings.Contains(t.screen, "2. Use existing model") }
	err := t.until(ctx, patience, func() bool { return wanted.MatchString(t.screen) || asks() })
	if err == nil && asks() {
		err = t.press(ctx, []string{"Down", "Enter"})
		err = errors.Join(err, t.until(ctx, patience, func() bool { return wanted.MatchString(t.screen) && !asks() }))
	}
	return err
}

func (t *terminal) press(ctx context.Context, names []string) error {
	for _, name := range names {
		if err := t.keys(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (t *terminal) paste(ctx context.Context, text string) error {
	if _, err := t.tmux(ctx, "set-buffer", "--", text); err != nil {
		return err
	}
	_, err := t.tmux(ctx, "paste-buffer", "-p", "-t", "main")
	return errors.Join(err, pause(ctx, still))
}

// prompt types a prompt and sends it, until the model has heard of it.
func (t *terminal) prompt(ctx context.Context, turn int) error {
	if err := t.typed(ctx, t.session.scenario.Turns[turn].Prompt); err != nil {
		return err
	}
	var err error
	for range 3 {
		if err = t.keys(ctx, "Enter"); err != nil {
			return err
		}
		if err = t.until(ctx, again, func() bool { return t.isPlayed(script.Moment{Turn: turn}) }); err == nil {
			return nil
		}
	}
	return err
}

// typed types a text, again if the tool was not listening yet.
func (t *terminal) typed(ctx context.Context, text string) error {
	for range 2 {
		if err := t.keys(ctx, "-l", "--", text); err != nil {
			return err
		}
		isShown := func() bool { return strings.Contains(t.screen, text[max(0, len(text)-8):]) }
		_ = t.until(ctx, again, isShown)
		if err := t.quiet(ctx); err != nil || isShown() { // a slow tool may show it by now
			return err
		}
	}
	return nil
}

// isPlayed reports whether the model has played a step once more than when it was
// last asked.
func (t *terminal) isPlayed(at script.Moment) bool {
	n := t.session.server.Played(at)
	more := n > t.heard[at]
	t.heard[at] = n
	return more
}

// until waits for something that can be looked for.
func (t *terminal) until(ctx context.Context, limit time.Duration, holds func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		if err := t.look(ctx); err != nil {
			return err
		}
		if holds() {
			return nil
		}
		if err := pause(ctx, glance); err != nil {
			return err
		}
	}
}

// quiet waits until the screen stays as it is.
func (t *terminal) quiet(ctx context.Context) error {
	last, same := "", 0
	return t.until(ctx, patience, func() bool {
		if same++; t.screen != last {
			last, same = t.screen, 0
		}
		return time.Duration(same)*glance >= still
	})
}
