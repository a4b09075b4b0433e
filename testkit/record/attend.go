package record

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"os/exec"
	"regexp"
	"syscall"
	"time"

	"github.com/memscribe/memscribe/testkit/script"
)

// attend reads what the tool says until it says no more; it gives it the prompts
// and the signals of the run.
func (s *session) attend(ctx context.Context, cmd *exec.Cmd, run script.Run, out io.Reader, prompts io.WriteCloser) ([]byte, string) {
	signalled := make(chan string, 1)
	go func() { signalled <- s.signal(ctx, cmd, run) }()
	next := s.prompts(run, prompts)
	next()
	var said bytes.Buffer
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		said.Write(line)
		if s.hear(line) == "result" {
			next()
		}
		if err != nil {
			break
		}
	}
	if run.Interrupt == nil && run.Kill == nil {
		return said.Bytes(), ""
	}
	return said.Bytes(), <-signalled
}

// prompts returns what gives a process its next prompt, and ends its input after
// the last one.
func (s *session) prompts(run script.Run, to io.WriteCloser) func() {
	left := run.Turns
	return func() {
		if to == nil {
			return
		}
		if len(left) == 0 {
			_ = to.Close()
			to = nil
			return
		}
		turn := &s.scenario.Turns[left[0]]
		left = left[1:]
		var content any = turn.Prompt
		if turn.Image != nil {
			image := map[string]any{"type": "base64", "media_type": "image/png", "data": base64.StdEncoding.EncodeToString(turn.Image)}
			content = []any{map[string]any{"type": "text", "text": turn.Prompt}, map[string]any{"type": "image", "source": image}}
		}
		_ = json.NewEncoder(to).Encode(map[string]any{
			"type": "user", "message": map[string]any{"role": "user", "content": content}, "parent_tool_use_id": nil, "session_id": s.id,
		})
	}
}

// underWay is how long a command is given to be really running before the tool is
// signalled.
const underWay = 3 * time.Second

// signal sends the signal of a run at its moment, and returns the signal's name.
func (s *session) signal(ctx context.Context, cmd *exec.Cmd, run script.Run) string {
	at, sig, name := run.Interrupt, syscall.SIGINT, "SIGINT"
	if run.Kill != nil {
		at, sig, name = run.Kill, syscall.SIGKILL, "SIGKILL"
	}
	if at == nil || s.server.Await(ctx, *at) != nil || pause(ctx, underWay) != nil {
		return ""
	}
	_ = cmd.Process.Signal(sig)
	return name
}

// pause waits for a while.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hear takes in a line that the tool said: it may name the session. It returns
// the line's type.
func (s *session) hear(line []byte) string {
	var said struct {
		Type     string `json:"type"`
		Session  string `json:"session_id"`
		ThreadID string `json:"thread_id"`
		Open     string `json:"sessionID"` // of OpenCode, in every line
	}
	if json.Unmarshal(line, &said) != nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if said.Open != "" {
		s.id = said.Open
	}
	if id := said.Session + said.ThreadID; id != "" && regexp.MustCompile(`^(system|thread\.started|init|result)$`).MatchString(said.Type) {
		s.id = id
	}
	return said.Type
}
