package modelserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// chat is OpenAI's Chat Completions API, as Qwen Code and many others use it.
type chat struct{ model string }

func (d *chat) read(body []byte) (*request, error) {
	var in struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role       string                `json:"role"`
			Content    content               `json:"content"`
			ToolCallID string                `json:"tool_call_id"`
			ToolCalls  []struct{ ID string } `json:"tool_calls"`
		}
		Tools []struct {
			Function struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	d.model = in.Model
	r := &request{tools: map[string]tool{}, streamed: in.Stream}
	for _, t := range in.Tools {
		r.tools[t.Function.Name] = tool{properties: properties(t.Function.Parameters)}
	}
	for _, m := range in.Messages {
		out := message{role: other, text: m.Content.text()}
		switch m.Role {
		case "user":
			out.role = user
		case "assistant":
			out.role = assistant
		case "system", "developer":
			r.system += out.text
		case "tool":
			low := strings.ToLower(strings.TrimSpace(out.text))
			failed := slices.ContainsFunc(failures(), func(mark string) bool { return strings.HasPrefix(low, mark) }) ||
				strings.Contains(low, "failed to edit") || strings.Contains(low, "reported tool error") || strings.Contains(low, " the text must be unique") ||
				strings.Contains(low, "<system>error: ") || saysFailed(out.text)
			out.results, out.text = []result{{m.ToolCallID, failed, out.text}}, ""
		}
		for _, c := range m.ToolCalls {
			out.calls = append(out.calls, c.ID)
		}
		r.messages = append(r.messages, out)
	}
	return r, nil
}

// failures are how the results of calls that failed begin; of the last rows, two
// are Copilot CLI's, one Continue's, and one Qwen Code's, of servers.
func failures() []string {
	return []string{
		"error", "file not found",
		"ambiguous match for", "multiple matches found", "no match found", "multiple validation errors", "failed to execute", "mcp server '", "parent directory ",
		"edit at index", "could not find ", "you must use the read tool",
		"found multiple exact matches", "unable to ", "no changes to apply", "tool execution failed",
		"params/", "mcp tool execution may have completed before", "oldstring not found in content",
	}
}

// saysFailed reads a result that is an object, as Hermes Agent's are: also one
// that comes from a server, between marks.
func saysFailed(text string) bool {
	if strings.HasPrefix(text, "<untrusted_tool_result") {
		_, text, _ = strings.Cut(text, "\n\n")
	}
	var r struct {
		Error   string `json:"error"`
		Success *bool  `json:"success"`
		Code    int    `json:"exit_code"`
	}
	err := json.NewDecoder(strings.NewReader(text)).Decode(&r)
	return err == nil && (r.Error != "" || r.Success != nil && !*r.Success || r.Code != 0)
}

func (d *chat) calls(v *vocabulary, op *script.Op) []call { return v.calls(op) }

func (d *chat) aside(r *request) string {
	for _, m := range r.messages {
		if strings.Contains(m.text, "next_speaker") {
			return `{"reasoning":"done","next_speaker":"user"}`
		}
	}
	return "OK."
}

func (d *chat) refusal(op *script.Op) object {
	return object{"error": object{"message": op.Text, "type": op.Type}}
}

func (d *chat) write(w *stream, a *answer, id func(string, int) string) {
	in := a.tokens
	if in == 0 {
		in = a.req.size / 4
	}
	usage := object{"prompt_tokens": in, "completion_tokens": 50, "total_tokens": in + 50, "prompt_tokens_details": object{"cached_tokens": in / 2}}
	finish, text, reasons := "stop", strings.Join(a.say, "\n\n"), strings.Join(a.think, "\n")
	var calls []object
	for i, c := range a.calls {
		finish = "tool_calls"
		calls = append(calls, object{"index": i, "id": c.id, "type": "function", "function": object{"name": c.name, "arguments": asText(c.input)}})
	}
	head := func(kind string, choices []any) object {
		return object{"object": kind, "created": 1700000000, "model": d.model, "choices": choices}
	}
	respID := "chatcmpl-" + id(letters, 24)
	if !a.req.streamed {
		m := object{"role": "assistant", "content": text}
		if len(calls) > 0 {
			m["tool_calls"] = calls
		}
		out := head("chat.completion", []any{object{"index": 0, "message": m, "finish_reason": finish, "logprobs": nil}})
		out["id"], out["usage"] = respID, usage
		writeJSON(w.w, http.StatusOK, out)
		return
	}
	chunk := func(delta object, finish any) {
		out := head("chat.completion.chunk", []any{object{"index": 0, "delta": delta, "finish_reason": finish}})
		out["id"] = respID
		w.event("", out)
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	if reasons != "" {
		chunk(object{"reasoning_content": reasons}, nil)
	}
	for _, p := range pieces(text, 60) {
		chunk(object{"content": p}, nil)
	}
	for i, c := range a.calls {
		chunk(object{"tool_calls": []any{object{"index": i, "id": c.id, "type": "function", "function": object{"name": c.name, "arguments": ""}}}}, nil)
		input := asText(c.input)
		if a.over && i == len(a.calls)-1 {
			input, finish = input[:len(input)/2], "length"
		}
		for _, p := range pieces(input, 400) {
			chunk(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": p}}}}, nil)
		}
	}
	chunk(object{}, finish)
	last := head("chat.completion.chunk", []any{})
	last["id"], last["usage"] = respID, usage
	w.event("", last)
	w.done()
}

// done ends a stream the way that this API does.
func (s *stream) done() {
	if s.err == nil {
		_, s.err = fmt.Fprint(s.w, "data: [DONE]\n\n")
	}
}
