package qwen_test

import "testing"

// measures is what the client measured of a prompt's answer or call.
func measures(event, prompt, more string) string {
	return `"type":"system","subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"qwen-code.` + event + `","prompt_id":` + quoted(prompt) + more + `}}`
}

// did is a measured call.
func did(prompt, name, args, more string) string {
	return measures("tool_call", prompt, `,"function_name":`+quoted(name)+`,"function_args":`+args+`,"decision":"auto_accept"`+more)
}

// answered is a measured answer, in the pieces in which it came.
func answered(prompt string, pieces ...string) string {
	text := ""
	for _, parts := range pieces {
		text += `,{"candidates":[{"content":{"parts":` + parts + `,"role":"model"}}]}`
	}
	return measures("api_response", prompt, `,"model":"m1","input_token_count":9,"output_token_count":3,"response_text":`+quoted("["+text[1:]+"]"))
}

// TestMeasured reads what a subagent without a file of its own did from what the
// client measured of it.
func TestMeasured(t *testing.T) {
	const (
		sends  = `{"subagent_type":"general-purpose","prompt":"Find it."}`
		prompt = "s#general-purpose-ell41u#0"
		ok     = `,"success":true`
		failed = `,"success":false`
		agent  = "general-purpose-ell41u: "
	)
	sent := func(args string) *log { return new(log).add(calls("c", "task", args)) }
	tests := []struct {
		name string
		log  *log
		want []string
	}{
		{
			"answers and calls", sent(sends).
				add(answered(prompt, `[{"text":"Look"}]`, `[{"text":"ing."}]`, `[{"functionCall":{"id":"e","name":"edit","args":`+replaces+`}},{"functionCall":{"id":"f","name":"edit","args":{}}}]`)).
				add(did(prompt, "edit", `{}`, failed)).add(did(prompt, "edit", replaces, ok)).
				add(answers("c", "task", "Done.", "success", "")),
			[]string{
				agent + "said Looking. [9 3 0 0]", agent + "call edit e", agent + "call edit f", agent + "result f failed", agent + "result e",
				agent + "edit edit /w/a.go modify +1 -1", "result c spawned general-purpose-ell41u",
			},
		},
		{"calls alone", sent(sends).add(did(prompt, "edit", replaces, ok)), []string{agent + "call edit r2", agent + "result r2", agent + "edit edit /w/a.go modify +1 -1"}},
		{"what was read", sent(sends).add(did(prompt, "read_file", `{"file_path":"/w/a.go"}`, ok)), []string{agent + "call read_file r2", agent + "result r2"}},
		{"refused", sent(sends).add(measures("tool_call", prompt, `,"function_name":"edit","function_args":{},"decision":"reject"`)), []string{agent + "call edit r2", agent + "result r2 failed rejected"}},
		{"with a file of its own", sent(sends).add(did("s#general-purpose-c#0", "edit", replaces, ok)), []string{"known system/ui_telemetry"}},
		{"a long name", sent(sends).add(did("s#general-purpose-call_DEErQISj#0", "edit", replaces, ok)), []string{"known system/ui_telemetry"}},
		{"in the background", sent(`{"subagent_type":"general-purpose","run_in_background":true}`).add(did(prompt, "edit", replaces, ok)), []string{"known system/ui_telemetry"}},
		{"of another kind", sent(`{"subagent_type":"Explore"}`).add(did(prompt, "edit", replaces, ok)), []string{"known system/ui_telemetry"}},
		{"the session itself", sent(sends).add(did("s########0", "edit", replaces, ok)), []string{"known system/ui_telemetry"}},
		{"something else", sent(sends).add(measures("api_error", prompt, "")), []string{"known system/ui_telemetry"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.log.check(t, append([]string{"said", "call task c"}, tt.want...)...)
		})
	}
}
