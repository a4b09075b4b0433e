package copilot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTalk(t *testing.T) {
	tests := []struct {
		name string
		s    *script
		want string
	}{
		{
			name: "what the client says in a person's name",
			s: session().user("hi").event("user.message", obj{"content": "skill text", "source": "skill-x"}).
				event("user.message", obj{"content": "go on", "isAutopilotContinuation": true}).
				event("system.notification", obj{"content": "<system_notification>done</system_notification>", "kind": obj{}}).
				event("skill.invoked", obj{"name": "x", "content": "skill"}).event("skill.invoked_ref", obj{"name": "x", "contentId": "c"}).
				event("skill.context_delivered", obj{"content": "context"}).event("session.mode_notice_delivered", obj{"content": "plan mode"}),
			want: "user hi\nput skill text\nput go on\nput <system_notification>done</system_notification>\nput skill\nput context\nput plan mode\n",
		},
		{
			name: "tokens come from the usage record, or the output of the message, once",
			s: session().
				event("session.usage_record", obj{"usage": obj{"apiCallId": "r1", "inputTokens": 10, "outputTokens": 2, "cacheReadTokens": 5}}).
				event("assistant.message", obj{"content": "a", "apiCallId": "r1", "outputTokens": 2}).
				event("assistant.message", obj{"content": "b", "apiCallId": "r2", "outputTokens": 7, "chunkIndex": 0, "chunkCount": 2}).
				event("assistant.message", obj{"content": "c", "apiCallId": "r2", "outputTokens": 7, "chunkIndex": 1, "chunkCount": 2}),
			want: "says a {Input:10 Output:2 CacheRead:5 CacheCreation:0 CacheCreation1h:0 Reasoning:0 Fast:false}\nsays b {Input:0 Output:7 CacheRead:0 CacheCreation:0 CacheCreation1h:0 Reasoning:0 Fast:false}\nsays c\n",
		},
		{
			name: "a person approves, refuses with a reason, and a rule does neither",
			s: session().call("c1", "bash", obj{"command": "ls"}).
				event("permission.requested", obj{"requestId": "q1", "permissionRequest": obj{"kind": "shell", "toolCallId": "c1"}}).
				event("permission.completed", obj{"requestId": "q1", "result": obj{"kind": "approved"}}).done("c1", "ok", "").
				call("c2", "bash", obj{"command": "rm x"}).
				event("permission.requested", obj{"requestId": "q2", "permissionRequest": obj{"kind": "shell", "toolCallId": "c2"}}).
				event("permission.completed", obj{"requestId": "q2", "result": obj{"kind": "denied-interactively-by-user", "feedback": "keep x"}}).
				event("tool.execution_complete", obj{"toolCallId": "c2", "success": false, "error": obj{"message": "denied"}}).
				call("c3", "bash", obj{"command": "rm y"}).
				event("permission.requested", obj{"requestId": "q3", "permissionRequest": obj{"kind": "shell", "toolCallId": "c3"}}).
				event("permission.completed", obj{"requestId": "q3", "result": obj{"kind": "denied-by-rules"}}).
				event("tool.execution_complete", obj{"toolCallId": "c3", "success": false, "error": obj{"message": "denied"}}),
			want: "says \ncall c1 bash\nresult c1 true approved: \nsays \ncall c2 bash\nresult c2 false rejected: keep x\n" +
				"says \ncall c3 bash\nresult c3 false\n",
		},
		{
			name: "questions",
			s: session().call("c1", "ask_user", obj{"question": "Which?", "choices": []string{"A", "B"}}).done("c1", "User selected: B", "").
				call("c2", "ask_user", obj{"question": "Which?", "choices": []string{"A", "B"}}).done("c2", "User responded: neither", "").
				call("c3", "ask_user", obj{"question": "Which?"}).done("c3", "User skipped the question", ""),
			want: "says \ncall c1 ask_user\nresult c1 true choice \"Which?\" [{A false} {B true}] \"\"\n" +
				"says \ncall c2 ask_user\nresult c2 true choice \"Which?\" [{A false} {B false}] \"neither\"\n" +
				"says \ncall c3 ask_user\nresult c3 true\n",
		},
		{
			name: "a shell command that failed",
			s: session().call("c1", "bash", obj{"command": "false"}).done("c1", "<exited with exit code 1>", "").
				call("c2", "bash", obj{"command": "true"}).done("c2", "<shellId: 3 completed with exit code 0>", ""),
			want: "says \ncall c1 bash\nresult c1 false\nsays \ncall c2 bash\nresult c2 true\n",
		},
		{
			name: "a call that no message asked for, and one that was redacted",
			s: session().event("tool.user_requested", obj{"toolCallId": "c1", "toolName": "bash", "arguments": obj{"command": "ls"}}).
				event("tool.execution_start", obj{"toolCallId": "c1", "toolName": "bash"}).done("c1", "ok", "").
				event("assistant.message", obj{"content": "x", "toolRequests": "[REDACTED]", "outputTokens": "[REDACTED]"}).
				event("tool.execution_start", obj{"toolCallId": "c2", "toolName": "edit", "arguments": "[REDACTED]"}).
				event("tool.execution_complete", obj{"toolCallId": "c2", "success": true, "result": "[REDACTED]"}),
			want: "call c1 bash\nresult c1 true\nsays x\ncall c2 edit\nresult c2 true\n",
		},
		{
			name: "a new type of event, and one that is not kept",
			s:    session().event("session.idle", obj{}).event("session.sung", obj{}).event("session.shutdown", obj{"shutdownType": "routine"}),
			want: "unknown session.sung\nend routine\n",
		},
		{
			name: "a rewind in the printed stream, and a compaction that failed",
			s: session().user("a").user("b").event("session.compaction_start", obj{}).event("session.compaction_complete", obj{"success": false}).
				event("session.snapshot_rewind", obj{"upToEventId": "00000000-0000-0000-0000-000000000002", "eventsRemoved": 3}).user("c"),
			want: "user a\nuser b\nrewind 00000000-0000-0000-0000-000000000001 1\nuser c\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.s.events(t)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSubagent names the thread after the agent, in both forms.
func TestSubagent(t *testing.T) {
	s := session().call("c1", "task", obj{"prompt": "look"})
	s.agent = "c1"
	s.event("subagent.started", obj{"toolCallId": "c1", "agentName": "explore"}).user("look").event("assistant.message", obj{"content": "seen"})
	s.agent = ""
	s.event("assistant.message", obj{"content": "old", "parentToolCallId": "c1"}).event("subagent.completed", obj{"toolCallId": "c1"}).
		done("c1", "seen", "")
	want := "says \ncall c1 task\nc1: put look\nc1: says seen\nc1: says old\nresult c1 true spawned c1\n"
	if diff := cmp.Diff(want, s.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestTornLine reads the event that follows a torn one on its line.
func TestTornLine(t *testing.T) {
	s := session().user("a")
	whole := s.lines[1]
	data := s.lines[0] + "\n" + whole[:len(whole)/2] + whole + "\n"
	want := "unknown \nuser a\n"
	if diff := cmp.Diff(want, eventsOf(t, "/x/events.jsonl", data)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
