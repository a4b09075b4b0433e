package modelserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// gemini is Google's generateContent.
type gemini struct{ streamed bool }

func (d *gemini) read(body []byte) (*request, error) {
	var in struct {
		SystemInstruction struct{ Parts []geminiPart }
		Contents          []struct {
			Role  string
			Parts []geminiPart
		}
		Tools []struct {
			FunctionDeclarations []struct {
				Name                             string
				Parameters, ParametersJSONSchema json.RawMessage
			}
		}
		GenerationConfig struct {
			ResponseJSONSchema, ResponseSchema json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	r := &request{tools: map[string]tool{}, streamed: d.streamed}
	for _, t := range in.Tools {
		for _, f := range t.FunctionDeclarations {
			r.tools[f.Name] = tool{properties: properties(orElse(f.ParametersJSONSchema, f.Parameters))}
		}
	}
	for _, p := range in.SystemInstruction.Parts {
		r.system += p.Text
	}
	for i, c := range in.Contents {
		m := message{role: user}
		if c.Role == "model" {
			m.role = assistant
		}
		for _, p := range c.Parts {
			p.into(&m, i == len(in.Contents)-1)
		}
		r.messages = append(r.messages, m)
	}
	if schema := orElse(in.GenerationConfig.ResponseJSONSchema, in.GenerationConfig.ResponseSchema); schema != nil {
		r.aux = asText(filled(properties(schema), r.messages))
	}
	if len(r.tools) > 0 {
		r.system = "" // the standing instructions speak of summaries too
	}
	return r, nil
}

func orElse(a, b json.RawMessage) json.RawMessage {
	if a != nil {
		return a
	}
	return b
}

type geminiPart struct {
	Text             string          `json:"text"`
	Thought          bool            `json:"thought"`
	FunctionCall     json.RawMessage `json:"functionCall"`
	FunctionResponse *struct {
		Response object `json:"response"`
	} `json:"functionResponse"`
}

// into adds a part to a message. The client gives its calls ids of its own, so
// only the results that are new are of use: they answer the calls in order.
func (p *geminiPart) into(m *message, latest bool) {
	switch {
	case p.FunctionCall != nil:
		m.calls = append(m.calls, "")
	case p.FunctionResponse != nil && latest:
		text, failed := p.FunctionResponse.Response["error"]
		if !failed {
			text = p.FunctionResponse.Response["output"]
		}
		m.results = append(m.results, result{failed: failed, text: fmt.Sprint(text)})
	case !p.Thought && p.Text != "":
		m.text = strings.TrimPrefix(m.text+"\n"+p.Text, "\n")
	}
}

// fenced is the last text between fences in a request: what the client wants
// corrected.
func fenced(all []message) string {
	const fence = "```"
	text := ""
	for _, m := range all {
		if m.role == user {
			text = m.text
		}
	}
	end := strings.LastIndex(text, "\n"+fence)
	if end < 0 {
		return ""
	}
	begin := strings.LastIndex(text[:end], fence+"\n")
	if begin < 0 {
		return ""
	}
	return text[begin+len(fence+"\n") : end]
}

// filled answers a schema with what stops the client's own machinery; what is to be
// corrected is right as it is.
func filled(all map[string]property, asked []message) object {
	out := object{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		switch kind := strings.ToLower(fmt.Sprint(p.Type)); {
		case strings.HasPrefix(name, "corrected_") && name != "corrected_target_snippet": // that one is to fail
			out[name] = fenced(asked)
		case name == "next_speaker":
			out[name] = "user"
		case name == "model_choice":
			out[name] = "pro"
		case kind == "number", kind == "integer":
			out[name] = 80
		case kind == "boolean":
			out[name] = false
		case kind == "array":
			out[name] = []any{}
		default:
			out[name] = oneOf(p.Enum, "OK")
		}
	}
	return out
}

func (d *gemini) calls(v *vocabulary, op *script.Op) []call { return v.calls(op) }

func (d *gemini) aside(*request) string { return "OK." }

func (d *gemini) refusal(op *script.Op) object {
	status := "INVALID_ARGUMENT"
	if op.Status >= http.StatusInternalServerError {
		status = "UNAVAILABLE"
	}
	return object{"error": object{"code": op.Status, "message": op.Text, "status": status}}
}

func (d *gemini) write(w *stream, a *answer, id func(string, int) string) {
	var parts []object
	for _, t := range a.think {
		parts = append(parts, object{"text": "**Planning the change**\n\n" + t, "thought": true})
	}
	for _, t := range a.say {
		parts = append(parts, object{"text": t})
	}
	finish := "STOP"
	if a.over {
		finish, a.calls = "MAX_TOKENS", a.calls[:len(a.calls)-1]
	}
	for _, c := range a.calls {
		parts = append(parts, object{"functionCall": object{"name": c.name, "args": c.input}, "thoughtSignature": "Ck" + id(letters, 80)})
	}
	in := a.tokens
	if in == 0 {
		in = a.req.size / 4
	}
	usage := object{
		"promptTokenCount": in, "candidatesTokenCount": 40, "totalTokenCount": in + 60, "thoughtsTokenCount": 20,
		"cachedContentTokenCount": min(in, 1000) / 2,
	}
	wrap := func(parts []object, last bool) object {
		c := object{"content": object{"role": "model", "parts": parts}, "index": 0}
		if last {
			c["finishReason"] = finish
		}
		return object{"candidates": []any{c}, "usageMetadata": usage, "modelVersion": "gemini-2.5-pro", "responseId": id(letters, 22)}
	}
	if !d.streamed {
		writeJSON(w.w, http.StatusOK, wrap(parts, true))
		return
	}
	for i, p := range parts {
		w.event("", wrap([]object{p}, i == len(parts)-1))
	}
}
