package modelserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// messages is Anthropic's Messages API.
type messages struct {
	model    string
	thinking bool
	whole    string // what the answer to an aside depends on
}

// content is what a message holds: a text, or parts.
type content []part

type part struct {
	Type      string  `json:"type"`
	Text      string  `json:"text"`
	ID        string  `json:"id"`
	ToolUseID string  `json:"tool_use_id"`
	IsError   bool    `json:"is_error"`
	Content   content `json:"content"`
}

// UnmarshalJSON reads a text as one part.
func (c *content) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	var parts []part
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	*c = parts
	return nil
}

// text is what of the content is text, a line a part.
func (c content) text() string {
	var lines []string
	for _, p := range c {
		switch {
		case strings.Contains(p.Type, "image"):
		case p.Text != "":
			lines = append(lines, p.Text)
		case len(p.Content) > 0 && p.Type != "tool_result":
			lines = append(lines, p.Content.text())
		}
	}
	return strings.Join(lines, "\n")
}

func (d *messages) read(body []byte) (*request, error) {
	var in struct {
		Model    string
		Stream   bool
		System   content
		Thinking *struct{ Type string }
		Messages []struct {
			Role    string
			Content content
		}
		Tools []struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"input_schema"`
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	d.model, d.whole = in.Model, string(body)
	d.thinking = in.Thinking != nil && in.Thinking.Type != "disabled"
	r := &request{system: in.System.text(), tools: map[string]tool{}, streamed: in.Stream}
	for _, t := range in.Tools {
		r.tools[t.Name] = tool{properties: properties(t.InputSchema)}
	}
	for _, m := range in.Messages {
		out := message{role: user, text: m.Content.text()}
		switch m.Role {
		case "assistant":
			out.role = assistant
		case "system": // notes of the client, which may come last
			out.role = other
		}
		for _, p := range m.Content {
			switch p.Type {
			case "tool_use":
				out.calls = append(out.calls, p.ID)
			case "tool_result":
				out.results = append(out.results, result{p.ToolUseID, p.IsError, p.Content.text()})
			}
		}
		r.messages = append(r.messages, out)
	}
	return r, nil
}

func (d *messages) calls(v *vocabulary, op *script.Op) []call { return v.calls(op) }

// aside answers the client's questions beside the conversation: what it is to be
// called, which files a command touched, and the like.
func (d *messages) aside(*request) string {
	for _, a := range []struct{ about, answer string }{
		{"isNewTopic", `{"isNewTopic": true, "title": "` + title + `"}`},
		{`"json_schema"`, `{"title": "` + title + `", "branch": "claude/orders-service-change"}`},
		{"title", title},
		{"quota", "ok"},
		{"filepaths", "<is_displaying_contents>\nfalse\n</is_displaying_contents>\n\n<filepaths>\n</filepaths>"},
		{"command_injection_detected", "none"},
	} {
		if strings.Contains(d.whole, a.about) {
			return a.answer
		}
	}
	return "OK."
}

func (d *messages) refusal(op *script.Op) object {
	return object{"type": "error", "error": object{"type": op.Type, "message": op.Text}}
}

// blocks is the answer's content.
func (d *messages) blocks(a *answer, id func(string, int) string) []object {
	var all []object
	for _, t := range a.think {
		if d.thinking {
			all = append(all, object{"type": "thinking", "thinking": t, "signature": "EqoB" + id(letters, 160) + "=="})
		}
	}
	for _, t := range a.say {
		all = append(all, object{"type": "text", "text": t})
	}
	for _, c := range a.calls {
		all = append(all, object{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input})
	}
	return all
}

func (d *messages) write(w *stream, a *answer, id func(string, int) string) {
	blocks := d.blocks(a, id)
	stop := "end_turn"
	if len(a.calls) > 0 {
		stop = "tool_use"
	}
	size := a.req.size / 4
	input := max(a.tokens, 4)
	written := len(asText(blocks)) / 4
	usage := object{
		"input_tokens": input, "cache_creation_input_tokens": size%997 + 200, "cache_read_input_tokens": max(0, min(size, 20000)-1000),
		"output_tokens": 1, "service_tier": "standard",
	}
	head := object{
		"id": "msg_01" + id(letters, 22), "type": "message", "role": "assistant", "model": d.model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}
	if !a.req.streamed {
		usage["output_tokens"] = written
		head["content"], head["stop_reason"] = blocks, stop
		writeJSON(w.w, http.StatusOK, head)
		return
	}
	w.event("message_start", object{"type": "message_start", "message": head})
	w.event("ping", object{"type": "ping"})
	for i, b := range blocks {
		if a.over && i == len(blocks)-1 {
			overrun(w, i, b)
			stop = "max_tokens"
			continue
		}
		writeBlock(w, i, b)
	}
	final := object{"input_tokens": input, "output_tokens": written}
	for _, k := range []string{"cache_creation_input_tokens", "cache_read_input_tokens"} {
		final[k] = usage[k]
	}
	w.event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": final})
	w.event("message_stop", object{"type": "message_stop"})
}

// overrun sends the first half of a call.
func overrun(w *stream, i int, b object) {
	input := asText(b["input"])
	start := object{"type": b["type"], "id": b["id"], "name": b["name"], "input": object{}}
	w.event("content_block_start", object{"type": "content_block_start", "index": i, "content_block": start})
	delta := object{"type": "input_json_delta", "partial_json": input[:len(input)/2]}
	w.event("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": delta})
	w.event("content_block_stop", object{"type": "content_block_stop", "index": i})
}

// writeBlock sends one block as it would be made.
func writeBlock(w *stream, i int, b object) {
	start := object{"type": b["type"]}
	var deltas []object
	switch b["type"] {
	case "thinking":
		start["thinking"], start["signature"] = "", ""
		deltas = []object{{"type": "thinking_delta", "thinking": b["thinking"]}, {"type": "signature_delta", "signature": b["signature"]}}
	case "tool_use":
		start["id"], start["name"], start["input"] = b["id"], b["name"], object{}
		for _, p := range pieces(asText(b["input"]), 400) {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": p})
		}
	default:
		start["text"] = ""
		for _, p := range pieces(fmt.Sprint(b["text"]), 60) {
			deltas = append(deltas, object{"type": "text_delta", "text": p})
		}
	}
	w.event("content_block_start", object{"type": "content_block_start", "index": i, "content_block": start})
	for _, delta := range deltas {
		w.event("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": delta})
	}
	w.event("content_block_stop", object{"type": "content_block_stop", "index": i})
}
