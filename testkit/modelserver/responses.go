package modelserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// responses is OpenAI's Responses API, as Codex uses it.
type responses struct{ model string }

// item is a piece of the input.
type item struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content content         `json:"content"`
	CallID  string          `json:"call_id"`
	Output  json.RawMessage `json:"output"`
	Tools   []offered       `json:"tools"`
}

// offered is a tool, or a namespace with tools in it.
type offered struct {
	Type       string          `json:"type"`
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters"`
	Tools      []offered       `json:"tools"`
}

// input is what a request brings: a text, or items.
type input []item

// UnmarshalJSON reads a text as a person's message.
func (in *input) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*in = input{{Type: "message", Role: "user", Content: content{{Type: "input_text", Text: text}}}}
		return nil
	}
	var items []item
	if err := json.Unmarshal(b, &items); err != nil {
		return err
	}
	*in = items
	return nil
}

func (d *responses) read(body []byte) (*request, error) {
	var in struct {
		Model string
		Input input
		Tools []offered
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	d.model = in.Model
	r := &request{tools: map[string]tool{}, streamed: true}
	r.offer(in.Tools, "")
	for i := range in.Input {
		it := &in.Input[i]
		if it.Type == "additional_tools" || it.Type == "tool_search_output" {
			r.offer(it.Tools, "")
		}
		if m, ok := it.message(); ok {
			r.messages = append(r.messages, m)
		}
	}
	return r, nil
}

func (r *request) offer(tools []offered, namespace string) {
	for _, t := range tools {
		if t.Type == "namespace" {
			r.offer(t.Tools, t.Name)
			continue
		}
		name := t.Name
		if name == "" {
			name = t.Type
		}
		r.tools[name] = tool{kind: t.Type, namespace: namespace, properties: properties(t.Parameters)}
	}
}

func (it *item) message() (message, bool) {
	switch it.Type {
	case "message", "":
		m := message{role: other, text: it.Content.text()}
		switch it.Role {
		case "user":
			m.role = user
		case "assistant":
			m.role = assistant
		}
		return m, true
	case "agent_message":
		return message{role: user, text: it.Content.text()}, true
	case "function_call", "custom_tool_call", "local_shell_call", "tool_search_call":
		return message{role: assistant, calls: []string{it.CallID}}, true
	case "function_call_output", "custom_tool_call_output":
		text := it.outputText()
		return message{role: other, results: []result{{it.CallID, failedByItsText(text), text}}}, true
	case "tool_search_output":
		return message{role: other, results: []result{{call: it.CallID}}}, true
	default:
		return message{}, false
	}
}

func (it *item) outputText() string {
	var c content
	if json.Unmarshal(it.Output, &c) == nil {
		return c.text()
	}
	return string(it.Output)
}

// exitCode finds what a command ended with in what is said of it.
func exitCode() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:exit(?:ed with)? code:? |"exit_code":\s*)(-?\d+)`)
}

func failedByItsText(text string) bool {
	m := exitCode().FindStringSubmatch(text)
	return m != nil && m[1] != "0" || strings.Contains(text, "verification failed") || strings.HasPrefix(text, "execution error: ") ||
		strings.HasPrefix(text, "aborted by user") || strings.HasSuffix(text, `,"isError":true}`)
}

func (d *responses) aside(*request) string { return "OK." }

func (d *responses) refusal(op *script.Op) object {
	return object{"error": object{"message": op.Text, "type": op.Type, "code": nil}}
}

// items is the answer's output.
func (d *responses) items(a *answer, id func(string, int) string) []object {
	var all []object
	for _, t := range a.think {
		all = append(all, object{
			"type": "reasoning", "id": "rs_" + id(hexes, 48), "encrypted_content": "gAAAAAB" + id(letters, 300),
			"summary": []any{object{"type": "summary_text", "text": "**Thinking**\n\n" + t}},
		})
	}
	for _, t := range a.say {
		all = append(all, object{
			"type": "message", "id": "msg_" + id(hexes, 48), "role": "assistant", "status": "completed",
			"content": []any{object{"type": "output_text", "text": t, "annotations": []any{}}},
		})
	}
	for _, c := range a.calls {
		it := object{"id": "fc_" + id(hexes, 48), "call_id": c.id, "status": "completed"}
		maps.Copy(it, c.item)
		all = append(all, it)
	}
	return all
}

func (d *responses) write(w *stream, a *answer, id func(string, int) string) {
	items := d.items(a, id)
	in := a.tokens
	if in == 0 {
		in = a.req.size / 4
	}
	out := len(asText(items)) / 4
	base := func(more object) object {
		r := object{"object": "response", "model": d.model}
		maps.Copy(r, more)
		return r
	}
	respID := "resp_" + id(hexes, 48)
	w.event("response.created", object{"type": "response.created", "response": base(object{"id": respID, "status": "in_progress", "output": []any{}})})
	if a.over {
		for i, it := range items[:len(items)-1] {
			writeItem(w, i, it)
		}
		w.event("response.incomplete", object{"type": "response.incomplete", "response": base(object{
			"id": respID, "status": "incomplete", "incomplete_details": object{"reason": "max_output_tokens"},
		})})
		return
	}
	for i, it := range items {
		writeItem(w, i, it)
	}
	usage := object{
		"input_tokens": in, "input_tokens_details": object{"cached_tokens": in / 2}, "output_tokens": out,
		"output_tokens_details": object{"reasoning_tokens": 7}, "total_tokens": in + out,
	}
	w.event("response.completed", object{"type": "response.completed", "response": base(object{"id": respID, "status": "completed", "output": items, "usage": usage})})
}

// writeItem sends one item as it would be made.
func writeItem(w *stream, i int, it object) {
	at := func(more object) object {
		more["output_index"] = i
		return more
	}
	start := maps.Clone(it)
	switch it["type"] {
	case "message":
		start["content"], start["status"] = []any{}, "in_progress"
	case "reasoning":
		start["summary"] = []any{}
	}
	w.event("response.output_item.added", at(object{"type": "response.output_item.added", "item": start}))
	switch it["type"] {
	case "message":
		for _, p := range pieces(innerText(it["content"]), 60) {
			w.event("response.output_text.delta", at(object{"type": "response.output_text.delta", "item_id": it["id"], "content_index": 0, "delta": p}))
		}
	case "reasoning":
		part := object{"type": "summary_text", "text": ""}
		w.event("response.reasoning_summary_part.added", at(object{"type": "response.reasoning_summary_part.added", "item_id": it["id"], "summary_index": 0, "part": part}))
		w.event("response.reasoning_summary_text.delta", at(object{"type": "response.reasoning_summary_text.delta", "item_id": it["id"], "summary_index": 0, "delta": innerText(it["summary"])}))
	}
	w.event("response.output_item.done", at(object{"type": "response.output_item.done", "item": it}))
}

// innerText is the text of the first part of an item.
func innerText(parts any) string {
	if all, ok := parts.([]any); ok && len(all) > 0 {
		if p, ok := all[0].(object); ok {
			text, _ := p["text"].(string)
			return text
		}
	}
	return ""
}
