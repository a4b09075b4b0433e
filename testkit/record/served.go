package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/memscribe/memscribe/testkit/script"
)

// servedAt is the port at which a tool serves that must be told one.
const servedAt = "14096"

// served drives a tool that serves over HTTP: OpenCode, and what is built on it.
func (s *session) served(ctx context.Context, run script.Run, ops []script.Remote) error {
	ctx, cancel := context.WithTimeout(ctx, s.job.Limit)
	defer cancel()
	cmd, err := s.command(ctx, run)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err = cmd.Start(); err != nil {
		return fmt.Errorf("start server of %s: %w", s.job.Tool, err)
	}
	v := &visitor{session: s, base: "http://127.0.0.1:" + servedAt}
	err = v.drive(ctx, ops)
	if again := cmd.Process.Signal(syscall.SIGTERM); again != nil {
		err = errors.Join(err, fmt.Errorf("end server: %w", again))
	}
	ended := &exec.ExitError{}
	if again := cmd.Wait(); again != nil && !errors.As(again, &ended) {
		err = errors.Join(err, again)
	}
	s.ended(run, cmd, "")
	s.keep(fmt.Sprintf("run%d.stdout", len(s.runs)-1), said.Bytes())
	return err
}

// visitor speaks to such a server.
type visitor struct {
	session *session
	base    string
}

func (v *visitor) drive(ctx context.Context, ops []script.Remote) error {
	if err := v.ready(ctx); err != nil {
		return err
	}
	do := v.do
	if v.session.job.Variant == Entries {
		do = newcomer{v}.do
	}
	for _, op := range ops {
		if err := do(ctx, op); err != nil {
			return fmt.Errorf("do %s: %w", op.Do, err)
		}
	}
	return pause(ctx, time.Second)
}

// ready waits until the server answers: the first request of a fresh one may get
// no answer at all.
func (v *visitor) ready(ctx context.Context) error {
	const patience = 3 * time.Second
	for {
		asking, cancel := context.WithTimeout(ctx, patience)
		err := v.call(asking, http.MethodGet, "/session", nil, nil)
		cancel()
		if err == nil {
			return nil
		}
		if again := pause(ctx, look); again != nil {
			return errors.Join(err, again)
		}
	}
}

// call makes a request and reads its answer into a value, unless that is nil.
func (v *visitor) call(ctx context.Context, method, path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("write request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, method, v.base+path, bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("ask %s: %w", path, err)
	}
	answer, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("read answer of %s: %w", path, err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("ask %s: %s: %.300s", path, resp.Status, answer)
	}
	if into == nil {
		return nil
	}
	if err = json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("read answer of %s: %w", path, err)
	}
	return nil
}

// begin makes a session, unless there is one already.
func (v *visitor) begin(ctx context.Context) error {
	if v.session.id != "" {
		return nil
	}
	var made struct{ ID string }
	err := v.call(ctx, http.MethodPost, "/session", map[string]any{}, &made)
	v.session.id = made.ID
	return err
}

func (v *visitor) do(ctx context.Context, op script.Remote) error {
	if err := v.begin(ctx); err != nil {
		return err
	}
	at := "/session/" + v.session.id
	model := map[string]any{"providerID": scripted, "modelID": modelOf(v.session)}
	switch op.Do {
	case "turn":
		return v.turn(ctx, op.Turn)
	case "command":
		return v.command(ctx, op)
	case "turn_interrupt":
		return v.interrupt(ctx, op.Turn)
	case "rewind":
		return v.rewind(ctx, op.Turns)
	case "unrewind":
		return v.call(ctx, http.MethodPost, at+"/unrevert", map[string]any{}, nil)
	case "compact":
		return v.call(ctx, http.MethodPost, at+"/summarize", model, nil)
	case "name":
		return v.call(ctx, http.MethodPatch, at, map[string]any{"title": op.Text}, nil)
	case "fork":
		var made struct{ ID string }
		err := v.call(ctx, http.MethodPost, at+"/fork", map[string]any{}, &made)
		v.session.id = made.ID
		return err
	case "shell", "compress":
		return nil // what they leave is no part of what is compared
	default:
		return errors.New("no driver for it")
	}
}

// turn takes a turn to its end, and answers what the tool asks meanwhile.
func (v *visitor) turn(ctx context.Context, turn int) error {
	ended := make(chan error, 1)
	go func() { ended <- v.ask(ctx, turn) }()
	answer := v.session.scenario.Turns[turn].Answer
	for answer != "" && len(ended) == 0 {
		if err := errors.Join(v.answer(ctx, answer), pause(ctx, look)); err != nil {
			return err
		}
	}
	return <-ended
}

// answer answers every question that is open.
func (v *visitor) answer(ctx context.Context, with string) error {
	var open []struct{ ID string }
	if err := v.call(ctx, http.MethodGet, "/question", nil, &open); err != nil {
		return err
	}
	for _, q := range open {
		reply := map[string]any{"answers": [][]string{{with}}}
		if err := v.call(ctx, http.MethodPost, "/question/"+q.ID+"/reply", reply, nil); err != nil {
			return err
		}
	}
	return nil
}

// ask sends a prompt, and returns when the turn is over.
func (v *visitor) ask(ctx context.Context, turn int) error {
	return v.call(ctx, http.MethodPost, "/session/"+v.session.id+"/message", map[string]any{
		"model":      map[string]any{"providerID": scripted, "modelID": modelOf(v.session)},
		"providerID": scripted, "modelID": modelOf(v.session), // where old versions look
		"parts": []any{map[string]any{"type": "text", "text": v.session.scenario.Turns[turn].Prompt}},
	}, nil)
}

// command gives a command of the tool's own, with a prompt as its argument.
func (v *visitor) command(ctx context.Context, op script.Remote) error {
	return v.call(ctx, http.MethodPost, "/session/"+v.session.id+"/command", map[string]any{
		"command": op.Text, "arguments": v.session.scenario.Turns[op.Turn].Prompt, "model": scripted + "/" + modelOf(v.session),
	}, nil)
}

// interrupt breaks a turn off at its third step.
func (v *visitor) interrupt(ctx context.Context, turn int) error {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = v.turn(ctx, turn) // with an error or without: it is broken off
	}()
	if err := v.session.server.Await(ctx, script.Moment{Turn: turn, Step: 2}); err != nil {
		return err
	}
	if err := pause(ctx, underWay); err != nil {
		return err
	}
	if err := v.call(ctx, http.MethodPost, "/session/"+v.session.id+"/abort", map[string]any{}, nil); err != nil {
		return err
	}
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// rewind takes the last turns back.
func (v *visitor) rewind(ctx context.Context, turns int) error {
	at := "/session/" + v.session.id
	var said []struct {
		Info  struct{ ID, Role string }
		Parts []struct{ Text string }
	}
	if err := v.call(ctx, http.MethodGet, at+"/message", nil, &said); err != nil {
		return err
	}
	for _, m := range slices.Backward(said) {
		if m.Info.Role != "user" || len(m.Parts) == 0 || strings.TrimSpace(m.Parts[0].Text) == "" {
			continue
		}
		if turns--; turns == 0 {
			return v.call(ctx, http.MethodPost, at+"/revert", map[string]any{"messageID": m.Info.ID}, nil)
		}
	}
	return errors.New("there are not so many turns")
}
