package record

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/memscribe/memscribe/testkit/script"
)

// remote drives a server of Codex: the app server, which its desktop app and the
// editors speak to, or the server of tools. Both speak JSON-RPC, a message a line.
func (s *session) remote(ctx context.Context, run script.Run, drive func(*rpc, context.Context, []script.Remote) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.job.Limit)
	defer cancel()
	cmd, err := s.command(ctx, run)
	if err != nil {
		return err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("speak to server: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("listen to server: %w", err)
	}
	if err = cmd.Start(); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	r := &rpc{in: in, from: make(chan rpcMessage), session: s}
	go r.read(out)
	err = drive(r, ctx, run.Ops)
	err = errors.Join(err, in.Close())
	for range r.from { // until it ends
	}
	s.rpcEnded(cmd, run)
	return err
}

func (s *session) rpcEnded(cmd *exec.Cmd, run script.Run) {
	_ = cmd.Wait() // how it ended is in the truth
	s.ended(run, cmd, "")
}

type rpc struct {
	in      io.Writer
	from    chan rpcMessage
	session *session
	last    int
	thread  string
	turns   []string
}

type rpcMessage struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Params struct {
		Turn struct {
			ID string `json:"id"`
		} `json:"turn"`
	} `json:"params"`
}

// read hands on what the server says, and closes the channel at the end.
func (r *rpc) read(out io.Reader) {
	defer close(r.from)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		var m rpcMessage
		if json.Unmarshal(line, &m) == nil {
			r.from <- m
		}
		if err != nil {
			return
		}
	}
}

// await returns the first message that is wanted, within a while.
func (r *rpc) await(ctx context.Context, wanted func(rpcMessage) bool) (rpcMessage, error) {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		select {
		case m, ok := <-r.from:
			if !ok {
				return m, errors.New("listen to server: it has ended")
			}
			if wanted(m) {
				return m, nil
			}
		case <-ctx.Done():
			return rpcMessage{}, fmt.Errorf("listen to server: %w", ctx.Err())
		}
	}
}

func (r *rpc) send(v any) error {
	if err := json.NewEncoder(r.in).Encode(v); err != nil {
		return fmt.Errorf("speak to server: %w", err)
	}
	return nil
}

// call makes a call and returns its result.
func (r *rpc) call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	r.last++
	id := r.last
	if err := r.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	m, err := r.await(ctx, func(m rpcMessage) bool { return m.ID == id && m.Method == "" })
	if err == nil && m.Error != nil {
		err = fmt.Errorf("call %s: %s", method, m.Error)
	}
	return m.Result, err
}

func (r *rpc) drive(ctx context.Context, ops []script.Remote) error {
	about := map[string]any{"name": "script", "title": "script", "version": "1.0.0"}
	if _, err := r.call(ctx, "initialize", map[string]any{"clientInfo": about, "capabilities": map[string]any{"experimentalApi": true}}); err != nil {
		return err
	}
	if err := r.send(map[string]any{"method": "initialized"}); err != nil {
		return err
	}
	if err := r.begin(ctx, "thread/start", r.permitted()); err != nil {
		return err
	}
	for _, op := range ops {
		if err := r.do(ctx, op); err != nil {
			return fmt.Errorf("do %s: %w", op.Do, err)
		}
	}
	return pause(ctx, time.Second)
}

// driveTool asks a server of tools: one of them takes a prompt, another one continues
// with what that began.
func (r *rpc) driveTool(ctx context.Context, ops []script.Remote) error {
	about := map[string]any{"name": "script", "title": "script", "version": "1.0.0"}
	params := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": about}
	if _, err := r.call(ctx, "initialize", params); err != nil {
		return err
	}
	if err := r.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return err
	}
	for i, op := range ops {
		if op.Do != "turn" {
			return fmt.Errorf("do %s: no driver for it", op.Do)
		}
		prompt := r.session.scenario.Turns[op.Turn].Prompt
		name, args := "codex", map[string]any{
			"prompt": prompt, "cwd": r.session.work, "approval-policy": "never", "sandbox": "danger-full-access",
		}
		if i > 0 {
			id := r.session.newest()
			name, args = "codex-reply", map[string]any{"prompt": prompt, "threadId": id, "conversationId": id}
		}
		if _, err := r.call(ctx, "tools/call", map[string]any{"name": name, "arguments": args}); err != nil {
			return err
		}
	}
	return pause(ctx, time.Second)
}

// permitted is where a thread works, and that it may do everything.
func (r *rpc) permitted() map[string]any {
	return map[string]any{"cwd": r.session.work, "approvalPolicy": "never", "sandbox": "danger-full-access"}
}

// begin makes a thread the one that is spoken in.
func (r *rpc) begin(ctx context.Context, method string, params map[string]any) error {
	result, err := r.call(ctx, method, params)
	if err != nil {
		params["sandbox"] = "dangerFullAccess" // as it was called at first (0.66)
		result, err = r.call(ctx, method, params)
	}
	if err != nil {
		return err
	}
	var made struct{ Thread struct{ ID string } }
	if err := json.Unmarshal(result, &made); err != nil {
		return fmt.Errorf("read thread: %w", err)
	}
	r.thread, r.session.id = made.Thread.ID, made.Thread.ID
	return nil
}

func (r *rpc) do(ctx context.Context, op script.Remote) error {
	var err error
	in := map[string]any{"threadId": r.thread}
	switch op.Do {
	case "turn":
		if err = r.start(ctx, op.Turn); err == nil {
			err = r.turnCompleted(ctx)
		}
	case "turn_interrupt":
		err = r.interrupt(ctx, op.Turn)
	case "rewind":
		err = r.rewind(ctx, op.Turns)
	case "compact":
		if _, err = r.call(ctx, "thread/compact/start", in); err == nil {
			err = r.completed(ctx)
		}
	case "name":
		in["name"] = op.Text
		_, err = r.call(ctx, "thread/name/set", in)
	case "fork":
		fork := r.permitted()
		fork["threadId"] = r.thread
		err = r.begin(ctx, "thread/fork", fork) // 0.87 does not take over what the first thread may do
	case "pack":
		if _, err = r.call(ctx, "rollout/compress", map[string]any{}); err == nil {
			err = r.session.packed(ctx)
		}
	case "shell", "compress":
		// Only some versions can: what they leave is no part of what is compared.
		in["command"] = op.Text
	default:
		err = errors.New("no driver for it")
	}
	return err
}

// turnCompleted waits for the end of the latest turn: a compaction may be one too,
// whose end comes late (0.117).
func (r *rpc) turnCompleted(ctx context.Context) error {
	last := r.turns[len(r.turns)-1]
	_, err := r.await(ctx, func(m rpcMessage) bool {
		return m.Method == "turn/completed" && (m.Params.Turn.ID == last || m.Params.Turn.ID == "")
	})
	return err
}

// completed waits for the end of a turn, or of a compaction. What is asked of one that
// is a turn itself, before that has ended, some versions never answer (0.98, 0.114).
func (r *rpc) completed(ctx context.Context) error {
	begun := false
	_, err := r.await(ctx, func(m rpcMessage) bool {
		begun = begun || m.Method == "turn/started"
		return m.Method == "turn/completed" || m.Method == "thread/compacted" && !begun
	})
	return err
}

func (r *rpc) start(ctx context.Context, turn int) error {
	text := map[string]any{"type": "text", "text": r.session.scenario.Turns[turn].Prompt, "text_elements": []any{}}
	result, err := r.call(ctx, "turn/start", map[string]any{"threadId": r.thread, "input": []any{text}})
	if err != nil {
		return err
	}
	var started struct{ Turn struct{ ID string } }
	if err := json.Unmarshal(result, &started); err != nil {
		return fmt.Errorf("read turn: %w", err)
	}
	r.turns = append(r.turns, started.Turn.ID)
	return nil
}

// interrupt breaks a turn off at its third step.
func (r *rpc) interrupt(ctx context.Context, turn int) error {
	if err := r.start(ctx, turn); err != nil {
		return err
	}
	// What the server says meanwhile must be read, or it waits.
	moment := make(chan error, 1)
	go func() {
		err := r.session.server.Await(ctx, script.Moment{Turn: turn, Step: 2})
		moment <- errors.Join(err, pause(ctx, underWay))
	}()
	for waiting := true; waiting; {
		select {
		case err := <-moment:
			if err != nil {
				return err
			}
			waiting = false
		case _, ok := <-r.from:
			if !ok {
				return errors.New("listen to server: it has ended")
			}
		}
	}
	last := r.turns[len(r.turns)-1]
	if _, err := r.call(ctx, "turn/interrupt", map[string]any{"threadId": r.thread, "turnId": last}); err != nil {
		return err
	}
	return r.completed(ctx)
}

// rewind takes turns back, by whichever call a version has for it.
func (r *rpc) rewind(ctx context.Context, turns int) error {
	_, err := r.call(ctx, "thread/rollback", map[string]any{"threadId": r.thread, "numTurns": turns})
	if err == nil {
		return nil
	}
	first := r.turns[len(r.turns)-turns]
	_, again := r.call(ctx, "thread/revert", map[string]any{"threadId": r.thread, "beforeTurnId": first})
	if again == nil {
		return nil
	}
	return errors.Join(err, again)
}
