package codex_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
)

// rollout composes a transcript, a record a call, a tenth of a second apart.
type rollout struct {
	text strings.Builder
	ms   int
}

// Ids of version 7, in the order of their moments.
const (
	oldThread = "019a0000-0000-7000-8000-000000000001"
	oldTurn   = "019a0000-1000-7000-8000-000000000002"
	newThread = "019a0001-0000-7000-8000-000000000003"
	newTurn   = "019a0001-1000-7000-8000-000000000004"
)

func (r *rollout) add(kind string, payload any) *rollout {
	r.ms += 100
	b, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(&r.text, `{"timestamp":"2026-01-02T03:%02d:%02d.%03dZ","type":%q,"payload":%s}`+"\n",
		r.ms/60000, r.ms/1000%60, r.ms%1000, kind, b)
	return r
}

type obj = map[string]any

func started(id string) *rollout {
	return new(rollout).add("session_meta", obj{"id": id, "cwd": "/w", "cli_version": "0.99.0", "source": "cli"})
}

func (r *rollout) item(o obj) *rollout  { return r.add("response_item", o) }
func (r *rollout) event(o obj) *rollout { return r.add("event_msg", o) }
func (r *rollout) pause(ms int) *rollout {
	r.ms += ms
	return r
}

func (r *rollout) turn(id string) *rollout {
	return r.event(obj{"type": "task_started", "turn_id": id})
}

// user is a person's turn, told twice.
func (r *rollout) user(text string) *rollout {
	return r.message("user", text).event(obj{"type": "user_message", "message": text, "images": []string{}})
}

// says is a turn of the model, told twice.
func (r *rollout) says(text string) *rollout {
	return r.event(obj{"type": "agent_message", "message": text}).message("assistant", text)
}

func (r *rollout) message(role, text string) *rollout {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return r.item(obj{"type": "message", "role": role, "content": []obj{{"type": kind, "text": text}}})
}

func (r *rollout) call(id, name string, args any) *rollout {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return r.item(obj{"type": "function_call", "name": name, "arguments": string(b), "call_id": id})
}

func (r *rollout) custom(id, name, input string) *rollout {
	return r.item(obj{"type": "custom_tool_call", "name": name, "input": input, "call_id": id})
}

func (r *rollout) output(id string, output any) *rollout {
	return r.item(obj{"type": "function_call_output", "call_id": id, "output": output})
}

func (r *rollout) String() string { return r.text.String() }

// summary writes events so that a test can be read, without those that carry
// nothing.
func summary(t testing.TB, path, data string) string {
	t.Helper()
	var b strings.Builder
	one(t, path, data, func(ev *core.Event) {
		line := describe(ev)
		if line == "" {
			return
		}
		if ev.Injected {
			line += " (injected)"
		}
		if ev.CopyOf != "" {
			line += " (copy)"
		}
		b.WriteString(line + "\n")
	})
	return b.String()
}

func describe(ev *core.Event) string {
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		return "start " + ev.Session + " " + ev.Thread
	case *core.UserTurn:
		return "user " + b.Text.String() + pictures(b.Parts)
	case *core.AssistantTurn:
		if !b.Thinking.IsEmpty() {
			return "thinks " + b.Thinking.String()
		}
		if b.Usage != nil {
			return "" // see TestUsage
		}
		return "says " + b.Text.String()
	case *core.ToolCall:
		return "call " + b.CallID + " " + b.Name
	case *core.ToolResult:
		return fmt.Sprintf("result %s ok=%v%s", b.CallID, b.OK, more(b))
	case *core.FileEdit:
		d := b.Diff
		return fmt.Sprintf("edit %s %s %s %s%s +%d -%d", b.CallID, b.Tool, d.Change, d.OldPath, d.Path, d.Added, d.Removed)
	case *core.Compaction:
		return "compaction " + b.Summary.String()
	case *core.Rewind:
		return fmt.Sprintf("rewind to %d", b.ToSeq)
	case *core.Unknown:
		if !b.Bookkeeping {
			return "unknown " + b.RawType + b.Reason
		}
	}
	return ""
}

func pictures(parts []core.Part) string {
	s := ""
	for _, p := range parts {
		if p.Kind == core.ImagePart {
			s += " [" + p.MediaType + "]"
		}
	}
	return s
}

func more(b *core.ToolResult) string {
	s := ""
	if b.Verdict == core.Rejected {
		s += " rejected"
	}
	if b.Spawned != "" {
		s += " spawned " + b.Spawned
	}
	for _, c := range b.Choices {
		s += fmt.Sprintf(" %s:", c.Question)
		for _, o := range c.Options {
			if o.Chosen {
				s += " " + o.Text
			}
		}
		if c.Answer != "" {
			s += fmt.Sprintf(" %q", c.Answer)
		}
	}
	return s
}
