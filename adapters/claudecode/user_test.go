package claudecode_test

import "testing"

// TestVoices tells a person's words from the client's.
func TestVoices(t *testing.T) {
	tests := []struct {
		name, record string
		want         []string
	}{
		{"typed", user("Use Postgres."), []string{"turn Use Postgres."}},
		{"sent by a program", user("Use Postgres.") + `,"promptSource":"sdk"`, []string{"turn Use Postgres."}},
		{"typed, and the record says so", user("Use Postgres.") + `,"promptSource":"typed","origin":{"kind":"human"}`, []string{"turn Use Postgres."}},
		{"meta", user("Use Postgres.") + `,"isMeta":true`, []string{"put Use Postgres."}},
		{"a notice about a task", user("Done.") + `,"promptSource":"sdk","origin":{"kind":"task-notification"}`, []string{"put Done."}},
		{"from the system", user("Done.") + `,"promptSource":"system"`, []string{"put Done."}},
		{"text of a skill", user("Do it so.") + `,"sourceToolUseID":"toolu_1"`, []string{"put Do it so."}},
		{"visible in the transcript only", user("x") + `,"isVisibleInTranscriptOnly":true`, []string{"put x"}},
		{"output of a command", user("<local-command-stdout>x</local-command-stdout>"), []string{"put <local-command-stdout>x</local-command-stdout>"}},
		{"a command of the client", user("<command-name>/compact</command-name>\n            <command-message>compact</command-message>\n            <command-args>keep this</command-args>"), []string{
			"put <command-name>/compact</command-name>\n            <command-message>compact</command-message>\n            <command-args>keep this</command-args>",
		}},
		{"a command that is a prompt", user("<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>the login page</command-args>"), []string{
			"turn the login page", "put <command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>the login page</command-args>",
		}},
		{"a command that is a prompt, alone", user("<command-message>fix</command-message>\n<command-name>/fix</command-name>"), []string{
			"put <command-message>fix</command-message>\n<command-name>/fix</command-name>",
		}},
		{"a shell command", user("<bash-input>ls</bash-input>"), []string{"put <bash-input>ls</bash-input>"}},
		{"a shell command as typed", user("!git status --short"), []string{"put !git status --short"}},
		{"an exclamation", user("!! Never do that"), []string{"turn !! Never do that"}},
		{"interrupted", user("[Request interrupted by user for tool use]"), []string{"put [Request interrupted by user for tool use]"}},
		{"an approved plan", user("Implement the following plan:\n\n# Plan"), []string{"put Implement the following plan:\n\n# Plan"}},
		{"a reminder", user("<system-reminder>\nx\n</system-reminder>"), []string{"put <system-reminder>\nx\n</system-reminder>"}},
		{"a reminder before the prompt", user("<system-reminder>x</system-reminder>\nUse Postgres."), []string{"turn Use Postgres.", "put <system-reminder>x</system-reminder>"}},
		{"a reminder after the prompt", user("Use Postgres.\n\n<system-reminder>x</system-reminder>\n"), []string{"turn Use Postgres.", "put <system-reminder>x</system-reminder>"}},
		{"an open file before the prompt", user("<ide_opened_file>a.go</ide_opened_file>\nUse Postgres."), []string{"turn Use Postgres.", "put <ide_opened_file>a.go</ide_opened_file>"}},
		{"an open file alone", user("<ide_opened_file>a.go</ide_opened_file>"), []string{"put <ide_opened_file>a.go</ide_opened_file>"}},
		{"a tag without an end", user("<ide_selection>a.go"), []string{"put <ide_selection>a.go"}},
		{"a memory", user("<user-memory-input>Always use tabs.</user-memory-input>"), []string{"turn Always use tabs."}},
		{"words around what was pasted", user("From the wiki: \n\n<pasted_content id=\"f457\">\nOne.\n\nTwo.\n</pasted_content id=\"f457\">\n\n Do it."), []string{"turn From the wiki: One.\n\nTwo. Do it."}},
		{"markup of the person's", user("<div>is wrong</div>"), []string{"turn <div>is wrong</div>"}},
		{
			"blocks", `"type":"user","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"One."},{"type":"text","text":"Two."},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}]}`,
			[]string{"turn One.\n\nTwo. <image/png>", "put <system-reminder>x</system-reminder>"},
		},
		{"a picture alone", `"type":"user","message":{"role":"user","content":[{"type":"image","source":{"media_type":"image/png"}}]}`, []string{"turn  <image/png>"}},
		{"nothing", user(""), []string{"known user"}},
		{"no content", `"type":"user","message":{"role":"user","content":null}`, []string{"known user"}},
		{"message as text", `"type":"user","message":"Use Postgres."`, []string{"turn Use Postgres."}},
		{"a branch", user("Use Postgres.") + `,"forkedFrom":{"sessionId":"t","messageUuid":"u7"}`, []string{"turn Use Postgres. (copy of u7)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			new(session).add(tt.record).check(t, tt.want...)
		})
	}
}

func queued(operation, content string) string {
	if content != "" {
		content = `,"content":"` + content + `"`
	}
	return `{"type":"queue-operation","operation":"` + operation + `","sessionId":"s"` + content + `}`
}

// TestQueue has every prompt that was typed while the agent worked be one turn.
func TestQueue(t *testing.T) {
	t.Run("a prompt that becomes a user record", func(t *testing.T) {
		new(session).line(queued("enqueue", "Go on.")).line(queued("dequeue", "")).add(user("Go on.")).check(t,
			"known queue-operation/enqueue", "known queue-operation/dequeue", "start /w main 2.1.220", "turn Go on.")
	})
	t.Run("one that an attachment hands over", func(t *testing.T) {
		new(session).add(user("One.")).line(queued("enqueue", "Two.")).line(queued("remove", "")).
			add(`"type":"attachment","attachment":{"type":"queued_command","prompt":"Two.","commandMode":"prompt"}`).check(t,
			"turn One.", "known queue-operation/enqueue", "known queue-operation/remove", "turn Two.")
	})
	t.Run("one that old versions hand over without a record", func(t *testing.T) {
		(&session{version: "2.1.49"}).add(user("One.")).line(queued("enqueue", "Two.")).line(queued("remove", "")).check(t,
			"turn One.", "known queue-operation/enqueue", "turn Two.")
	})
	t.Run("one that is taken back", func(t *testing.T) {
		(&session{version: "2.1.49"}).add(user("One.")).line(queued("enqueue", "Two.")).line(queued("enqueue", "Three.")).
			line(queued("popAll", "Two.")).line(queued("remove", "")).check(t,
			"turn One.", "known queue-operation/enqueue", "known queue-operation/enqueue", "known queue-operation/popAll", "turn Three.")
	})
	t.Run("notices and commands are no prompts", func(t *testing.T) {
		s := (&session{version: "2.1.49"}).add(user("One."))
		want := []string{"turn One."}
		for _, text := range []string{`<task-notification>x`, `{\"task_id\":\"b1\"}`, "/plan", "/fast on"} {
			s.line(queued("enqueue", text)).line(queued("remove", ""))
			want = append(want, "known queue-operation/enqueue", "known queue-operation/remove")
		}
		s.check(t, want...)
	})
	t.Run("a path is a prompt", func(t *testing.T) {
		(&session{version: "2.1.49"}).add(user("One.")).line(queued("enqueue", "/etc/hosts is wrong")).line(queued("remove", "")).check(t,
			"turn One.", "known queue-operation/enqueue", "turn /etc/hosts is wrong")
	})
	t.Run("what was dequeued is not what is removed later", func(t *testing.T) {
		(&session{version: "2.1.49"}).add(user("One.")).line(queued("enqueue", "Two.")).line(queued("enqueue", "<task-notification>x")).
			line(queued("dequeue", "")).add(user("<task-notification>x")).line(queued("remove", "")).check(t,
			"turn One.", "known queue-operation/enqueue", "known queue-operation/enqueue", "known queue-operation/dequeue",
			"put <task-notification>x", "turn Two.")
	})
	t.Run("attached notices", func(t *testing.T) {
		new(session).add(user("One.")).
			add(`"type":"attachment","attachment":{"type":"queued_command","prompt":"<task-notification>x","commandMode":"task-notification"}`).
			add(`"type":"attachment","attachment":{"type":"queued_command","prompt":"Peer.","commandMode":"prompt","origin":{"kind":"peer"}}`).
			add(`"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"See."},{"type":"image","source":{"media_type":"image/png"}}],"commandMode":"prompt","origin":{"kind":"human"}}`).check(t,
			"turn One.", "put <task-notification>x", "put Peer.", "turn See. <image/png>")
	})
}
