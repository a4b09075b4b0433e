package record

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// Entries is the variant of OpenCode in which all is asked of the later sessions
// of its server, which keep a message with all that belongs to it as one entry.
const Entries = "entries"

// newcomer speaks to a server of OpenCode about sessions of the later kind.
type newcomer struct{ *visitor }

// model is what the later sessions call a model.
func (n newcomer) model() map[string]any {
	return map[string]any{"providerID": scripted, "id": modelOf(n.session)}
}

func (n newcomer) at(what string) string { return "/api/session/" + n.session.id + what }

// begin makes a session, unless there is one already.
func (n newcomer) begin(ctx context.Context) error {
	if n.session.id != "" {
		return nil
	}
	var made struct{ Data struct{ ID string } }
	err := n.call(ctx, http.MethodPost, "/api/session", map[string]any{
		"model": n.model(), "location": map[string]any{"directory": n.session.work},
	}, &made)
	n.session.id = made.Data.ID
	return err
}

func (n newcomer) do(ctx context.Context, op script.Remote) error {
	if err := n.begin(ctx); err != nil {
		return err
	}
	switch op.Do {
	case "turn":
		return n.turn(ctx, op.Turn)
	case "turn_interrupt":
		return n.interrupt(ctx, op.Turn)
	case "rewind":
		return n.rewind(ctx, op.Turns)
	case "unrewind":
		return n.call(ctx, http.MethodPost, n.at("/revert/clear"), map[string]any{}, nil)
	case "compact":
		if err := n.call(ctx, http.MethodPost, n.at("/compact"), map[string]any{}, nil); err != nil {
			return err
		}
		return n.idle(ctx)
	default:
		return errors.New("no driver for it")
	}
}

// turn takes a turn to its end, and answers what the tool asks meanwhile.
func (n newcomer) turn(ctx context.Context, turn int) error {
	t := n.session.scenario.Turns[turn]
	prompt := map[string]any{"prompt": map[string]any{"text": t.Prompt}}
	if err := n.call(ctx, http.MethodPost, n.at("/prompt"), prompt, nil); err != nil {
		return err
	}
	return n.idle(ctx)
}

// idle waits until nothing is done in the session any more.
func (n newcomer) idle(ctx context.Context) error {
	for quiet := 0; quiet < 3; {
		if err := pause(ctx, look); err != nil {
			return err
		}
		var active struct{ Data map[string]any }
		if err := n.call(ctx, http.MethodGet, "/api/session/active", nil, &active); err != nil {
			return err
		}
		quiet++
		if _, busy := active.Data[n.session.id]; busy {
			quiet = 0
		}
	}
	return nil
}

// interrupt breaks a turn off at its third step.
func (n newcomer) interrupt(ctx context.Context, turn int) error {
	prompt := map[string]any{"prompt": map[string]any{"text": n.session.scenario.Turns[turn].Prompt}}
	if err := n.call(ctx, http.MethodPost, n.at("/prompt"), prompt, nil); err != nil {
		return err
	}
	if err := n.session.server.Await(ctx, script.Moment{Turn: turn, Step: 2}); err != nil {
		return err
	}
	if err := pause(ctx, underWay); err != nil {
		return err
	}
	if err := n.call(ctx, http.MethodPost, n.at("/interrupt"), map[string]any{}, nil); err != nil {
		return err
	}
	return n.idle(ctx)
}

// rewind takes the last turns back.
func (n newcomer) rewind(ctx context.Context, turns int) error {
	var said struct {
		Data []struct{ ID, Type string }
	}
	if err := n.call(ctx, http.MethodGet, n.at("/message?order=asc&limit=200"), nil, &said); err != nil {
		return err
	}
	for _, m := range slices.Backward(said.Data) {
		if m.Type != "user" {
			continue
		}
		if turns--; turns == 0 {
			return n.call(ctx, http.MethodPost, n.at("/revert/stage"), map[string]any{"messageID": m.ID, "files": true}, nil)
		}
	}
	return errors.New("there are not so many turns")
}

// entries are what a run comes to when all is asked of the later sessions.
func (s *session) entries(run script.Run) ([]script.Remote, error) {
	if run.Mode == script.Server {
		return run.Ops, nil
	}
	if run.Mode == script.Fork || run.Interrupt != nil || run.Kill != nil || run.Keys != nil {
		return nil, fmt.Errorf("play run: later sessions have nothing like %s", run.Mode)
	}
	var ops []script.Remote
	for _, turn := range run.Turns {
		op := script.Remote{Do: "turn", Turn: turn}
		if strings.HasPrefix(s.scenario.Turns[turn].Prompt, "/compact") {
			op = script.Remote{Do: "compact"}
		}
		ops = append(ops, op)
	}
	return ops, nil
}
