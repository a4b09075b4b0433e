package claudecode_test

import "testing"

// TestResults reads what a call ended with, and what a person had to do with it.
func TestResults(t *testing.T) {
	const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "
	const stop = "STOP what you are doing and wait for the user to tell you how to proceed."
	const said = "To tell you how to proceed, the user said:\n"
	tests := []struct {
		name, tool, answer, want string
	}{
		{"done", "Bash", answers("toolu_1", `"ok"`, ""), "result toolu_1"},
		{"failed", "Bash", fails("toolu_1", "Exit code 1"), "result toolu_1 failed"},
		{"failed without the mark", "Bash", answers("toolu_1", `"<tool_use_error>x</tool_use_error>"`, ""), "result toolu_1 failed"},
		{"interrupted", "Bash", answers("toolu_1", `"[Request interrupted by user for tool use]"`, ""), "result toolu_1 failed"},
		{"refused", "Bash", fails("toolu_1", refused+stop), "result toolu_1 failed rejected"},
		{"refused with words", "Bash", fails("toolu_1", refused+said+"Use make.\nAlways."), "result toolu_1 failed rejected: Use make.\nAlways."},
		{"refused with words and a note", "Bash", fails("toolu_1", refused+said+"Use make.\n\nNote: The user's next message may contain a correction."), "result toolu_1 failed rejected: Use make."},
		{"nobody was asked", "Bash", fails("toolu_1", "Claude requested permissions to write to /w/a, but you haven't granted it yet."), "result toolu_1 failed"},
		{"granted by a person", "Bash", answers("toolu_1", `"ok"`, `,"permissionDecision":{"decision":"accept","source":"user_temporary"}`), "result toolu_1 approved"},
		{"granted by the configuration", "Bash", answers("toolu_1", `"ok"`, `,"permissionDecision":{"decision":"accept","source":"config"}`), "result toolu_1"},
		{"plan approved", "ExitPlanMode", answers("toolu_1", `"User has approved your plan."`, `,"toolUseResult":{"plan":"x"}`), "result toolu_1 approved"},
		{"plan refused with words", "ExitPlanMode", fails("toolu_1", refused+said+"Smaller steps."), "result toolu_1 failed rejected: Smaller steps."},
		{"plan taken into a cleared session", "ExitPlanMode", fails("toolu_1", refused+stop), "result toolu_1 failed"},
		{"nobody there to approve the plan", "ExitPlanMode", fails("toolu_1", "Exit plan mode?"), "result toolu_1 failed"},
		{"subagent", "Agent", answers("toolu_1", `"done"`, `,"toolUseResult":{"status":"completed","agentId":"a1"}`), "result toolu_1 spawned a1"},
		{"subagent in the background", "Task", answers("toolu_1", `"launched"`, `,"toolUseResult":{"isAsync":true,"agentId":"a1"}`), "result toolu_1 spawned a1"},
		{"subagent in a copy", "Task", answers("toolu_1", `[{"type":"text","text":"Done."},{"type":"text","text":"agentId: a068da5 (for resuming)"}]`, ""), "result toolu_1 spawned a068da5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			new(session).add(user("One.")).add(calls("toolu_1", tt.tool, `{"prompt":"x"}`)).add(tt.answer).check(t,
				"turn One.", "said", "call "+tt.tool+" toolu_1", tt.want)
		})
	}
}

// TestChoices reads the answers to the model's questions.
func TestChoices(t *testing.T) {
	const questions = `[{"question":"Which database?","header":"DB","options":[{"label":"Postgres"},{"label":"MySQL"}],"multiSelect":false},` +
		`{"question":"Which tools?","header":"Tools","options":[{"label":"vet"},{"label":"lint"},{"label":"test"}],"multiSelect":true}]`
	tests := []struct {
		name, answer, want string
	}{
		{
			"chosen", answers("toolu_1", `"x"`, `,"toolUseResult":{"questions":`+questions+`,"answers":{"Which database?":"Postgres","Which tools?":"vet, test"}}`),
			"{Which database? Postgres* MySQL|} {Which tools? vet* lint test*|}",
		},
		{
			"in their own words", answers("toolu_1", `"x"`, `,"toolUseResult":{"questions":`+questions+`,"answers":{"Which database?":"SQLite, it is enough"}}`),
			"{Which database? Postgres MySQL|SQLite, it is enough}",
		},
		{
			"with a note", answers("toolu_1", `"x"`, `,"toolUseResult":{"questions":`+questions+`,"answers":{"Which database?":"MySQL"},"annotations":{"Which database?":{"notes":"for now"}}}`),
			"{Which database? Postgres MySQL*|for now}",
		},
		{
			"a list", answers("toolu_1", `"x"`, `,"toolUseResult":{"questions":`+questions+`,"answers":{"Which tools?":["lint","test","bench"]}}`),
			"{Which tools? vet lint* test*|bench}",
		},
		{
			"from the text alone", answers("toolu_1", `"User has answered your questions: \"Which database?\"=\"Postgres\", \"Which tools?\"=\"vet, lint\". You can now continue."`, ""),
			"{Which database? Postgres* MySQL|} {Which tools? vet* lint* test|}",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			new(session).add(user("One.")).add(calls("toolu_1", "AskUserQuestion", `{"questions":`+questions+`}`)).add(tt.answer).check(t,
				"turn One.", "said", "call AskUserQuestion toolu_1", "result toolu_1 "+tt.want)
		})
	}
}

// TestUsage has the tokens of a response count once.
func TestUsage(t *testing.T) {
	response := func(id, text, usage string) string {
		return `"type":"assistant","message":{"id":"` + id + `","role":"assistant","model":"m1","content":[{"type":"text","text":"` + text + `"}],"usage":` + usage + `}`
	}
	new(session).add(user("One.")).
		add(response("msg_1", "a", `{"input_tokens":5,"output_tokens":1,"cache_read_input_tokens":7,"cache_creation_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":1}}`)).
		add(response("msg_1", "b", `{"input_tokens":5,"output_tokens":1,"cache_read_input_tokens":7,"cache_creation_input_tokens":4}`)).
		add(response("msg_2", "c", `{"input_tokens":9,"output_tokens":2}`)).
		add(response("msg_1", "d", `{"input_tokens":5,"output_tokens":61,"cache_read_input_tokens":7,"cache_creation_input_tokens":4}`)).check(t,
		"turn One.", "said a [5 1 7 4]", "said b", "said c [9 2 0 0]", "said d [0 60 0 0]")
}
