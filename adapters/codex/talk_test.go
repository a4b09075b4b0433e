package codex_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

func TestTalk(t *testing.T) {
	const start = "start " + oldThread + " \n"
	const typedInIDE = "\n# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nfix it\n"
	tests := []struct {
		name string
		r    *rollout
		want string
	}{
		{"each turn once", started(oldThread).user("Do it.").says("Done."), start + "user Do it.\nsays Done.\n"},
		{
			"the same words again", started(oldThread).user("yes").says("ok").user("yes").says("ok"),
			start + "user yes\nsays ok\nuser yes\nsays ok\n",
		},
		{
			"item before event", started(oldThread).user("x").message("assistant", "a").event(obj{"type": "agent_message", "message": "a"}),
			start + "user x\nsays a\n",
		},
		{
			"a word in between", started(oldThread).user("x").event(obj{"type": "agent_message", "message": "a"}).user("wait").message("assistant", "a"),
			start + "user x\nsays a\nuser wait\n",
		},
		{
			"a summary, where events come first", started(oldThread).user("x").event(obj{"type": "agent_message", "message": "a"}).message("assistant", "a").
				message("assistant", "All in all.").user("go on").event(obj{"type": "agent_message", "message": "b"}).message("assistant", "b"),
			start + "user x\nsays a\nsays All in all. (injected)\nuser go on\nsays b\n",
		},
		{
			"items without events, after items with them", started(oldThread).user("x").event(obj{"type": "agent_message", "message": "a"}).message("assistant", "a").
				message("assistant", "b").message("assistant", "c").message("assistant", "d"),
			start + "user x\nsays a\nsays b (injected)\nsays c\nsays d\n",
		},
		{"event alone", started(oldThread).user("x").event(obj{"type": "agent_message", "message": "cut off"}), start + "user x\nsays cut off\n"},
		{
			"context", started(oldThread).message("developer", "<permissions instructions>x").message("user", "# AGENTS.md instructions for /w\n\nx").
				message("user", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>").user("<div> is broken"),
			start + "user <permissions instructions>x (injected)\nuser # AGENTS.md instructions for /w\n\nx (injected)\n" +
				"user <environment_context>\n  <cwd>/w</cwd>\n</environment_context> (injected)\nuser <div> is broken\n",
		},
		{"context that is not recognised", started(oldThread).message("user", "Some new context").user("go").says("ok"), start + "user go\nsays ok\n"},
		{
			"old marks", started(oldThread).event(obj{"type": "user_message", "kind": "environment_context", "message": "x"}).event(obj{"type": "user_message", "kind": "plain", "message": "y"}),
			start + "user x (injected)\nuser y\n",
		},
		{"from an editor", started(oldThread).user(typedInIDE), start + "user fix it\n"},
		{
			"pictures", started(oldThread).event(obj{"type": "user_message", "message": "", "images": []string{"data:image/png;base64,AAAA"}}).
				event(obj{"type": "user_message", "message": "see", "local_images": []string{"/tmp/a.JPG"}}),
			start + "user  [image/png] (injected)\nuser see [image/jpeg]\n",
		},
		{"no events at all", started(oldThread).message("user", "<environment_context>").message("user", "go").message("assistant", "ok"), start + "user <environment_context> (injected)\nuser go\nsays ok\n"},
		{
			"thoughts", started(oldThread).event(obj{"type": "agent_reasoning", "text": "a"}).event(obj{"type": "agent_reasoning", "text": "b"}).
				item(obj{"type": "reasoning", "summary": []obj{{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}}, "encrypted_content": "x"}),
			start + "thinks a\nthinks b\n",
		},
		{"thoughts of other providers", started(oldThread).item(obj{"type": "reasoning", "summary": []obj{}, "content": []obj{{"type": "reasoning_text", "text": "hm"}}}), start + "thinks hm\n"},
		{"hidden thoughts", started(oldThread).item(obj{"type": "reasoning", "summary": []obj{}, "encrypted_content": "x"}), start},
		{
			"compaction", started(oldThread).user("a").add("compacted", obj{"message": "sum", "replacement_history": []obj{{"type": "message", "role": "user", "content": []obj{{"type": "input_text", "text": "a"}}}}}).
				event(obj{"type": "context_compacted"}).event(obj{"type": "agent_message", "message": "Compact task completed"}),
			start + "user a\ncompaction sum\nsays Compact task completed (injected)\n",
		},
		{
			"tools without an answer", started(oldThread).item(obj{"type": "web_search_call", "id": "ws_1", "status": "completed", "action": obj{"type": "search", "query": "x"}}).
				item(obj{"type": "image_generation_call", "id": "ig_1", "status": "completed", "revised_prompt": "cat", "result": "AAAA"}),
			start + "call ws_1 web_search\ncall ig_1 image_generation\nresult ig_1 ok=true\n",
		},
		{
			"a review", started(oldThread).event(turnItem(oldThread, obj{"type": "EnteredReviewMode", "target": obj{"type": "uncommittedChanges"}})).
				event(turnItem("R", obj{"type": "UserMessage", "id": "u1", "content": []obj{{"type": "text", "text": "Review the changes."}}})).
				event(turnItem(oldThread, obj{"type": "ExitedReviewMode"})).
				event(turnItem(oldThread, obj{"type": "UserMessage", "id": "u2", "content": []obj{{"type": "text", "text": "Go on."}}})),
			start + "user Review the changes. (injected)\nuser Go on.\n",
		},
		{
			"a review as a person wants it", started(oldThread).event(turnItem(oldThread, obj{"type": "EnteredReviewMode", "target": obj{"type": "custom", "instructions": "Look at it."}})).
				event(turnItem("R", obj{"type": "UserMessage", "id": "u1", "content": []obj{{"type": "text", "text": "Look at it."}}})),
			start + "user Look at it.\n",
		},
		{
			"a review, told by events",
			started(oldThread).event(obj{"type": "entered_review_mode", "target": obj{"type": "uncommittedChanges"}, "user_facing_hint": "current changes"}).
				turn(oldTurn).event(obj{"type": "user_message", "message": "Review it."}).event(obj{"type": "user_message", "message": "Review it."}).
				event(obj{"type": "exited_review_mode", "review_output": nil}).user("Go on."),
			start + "user Review it. (injected)\nuser Review it. (injected)\nuser Go on.\n",
		},
		{
			"a review as a person wants it, told by events",
			started(oldThread).event(obj{"type": "entered_review_mode", "target": obj{"type": "custom", "instructions": "Look at it."}, "user_facing_hint": "Look at it."}).
				event(obj{"type": "user_message", "message": "Look at it."}).event(obj{"type": "user_message", "message": "Look at it."}),
			start + "user Look at it.\nuser Look at it. (injected)\n",
		},
		{
			"a review that was broken off",
			started(oldThread).event(obj{"type": "entered_review_mode", "prompt": "Review it.", "user_facing_hint": "current changes"}).
				event(obj{"type": "turn_aborted", "reason": "interrupted"}).user("Go on."),
			start + "user Go on.\n",
		},
		{"between agents", started(oldThread).item(obj{"type": "agent_message", "author": "/root", "recipient": "/root/x", "content": []obj{{"type": "input_text", "text": "do"}}}), start + "user do (injected)\n"},
		{"kinds nobody knows", started(oldThread).item(obj{"type": "hologram"}).event(obj{"type": "smell"}).add("dream", obj{}), start + "unknown response_item/hologram\nunknown event_msg/smell\nunknown dream\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, summary(t, "x.jsonl", test.r.String())); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	for output, want := range map[string]bool{
		"Exit code: 0\nWall time: 1 seconds\nOutput:\nx":                                                  true,
		"Exit code: 1\nWall time: 1 seconds\nTotal output lines: 5\nOutput:\nx":                           false,
		"Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\nExit code: 1":            true,
		"Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 3\nOriginal token count: 1\nOutput:": false,
		"Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\nx":                true,
		"Wall time: 0.0 seconds\nOutput:\nExit code: 1\nWall time: 0 seconds\nOutput:\nx":                 false,
		"Wall time: 3.2 seconds\naborted by user":                                                         false,
		"aborted by user after 1.0s":                                                                      false,
		`{"output":"x","metadata":{"exit_code":0,"duration_seconds":0.1}}`:                                true,
		`{"output":"\"exit_code\":0","metadata":{"exit_code":2,"duration_seconds":0.1}}`:                  false,
		`{"output":"` + strings.Repeat(`\"exit_code\":1 `, 99) + `","metadata":{"exit_code":0}}`:          true,
		"failed in sandbox MacosSeatbelt with execution error":                                            false,
		"exec_command failed: CreateProcess":                                                              false,
		`[{"type":"text","text":"tool call error: tool call failed for files/read"}]`:                     false,
		`[{"type":"text","text":"error: a text that a server has read"}]`:                                 true,
		"unsupported call: foo": false,
		`{"exit_code":1}`:       true,
		"Plan updated":          true,
		"":                      true,
		"error: something":      false,
	} {
		got := false
		one(t, "x.jsonl", started(oldThread).call("c", "shell", obj{}).output("c", output).String(), func(ev *core.Event) {
			if b, ok := ev.Body.(*core.ToolResult); ok {
				got = b.OK
			}
		})
		if got != want {
			t.Errorf("%.80q counts as ok=%v", output, got)
		}
	}
}

func TestAnswers(t *testing.T) {
	const start = "start " + oldThread + " \n"
	ask := obj{"questions": []obj{
		{"id": "db", "header": "DB", "question": "Which one?", "options": []obj{{"label": "Postgres", "description": "x"}, {"label": "MySQL"}}},
		{"id": "why", "question": "Why?"},
	}}
	tests := []struct {
		name string
		r    *rollout
		want string
	}{
		{
			"question", started(oldThread).call("c", "request_user_input", ask).output("c", `{"answers":{"db":{"answers":["Postgres","user_note: it is here"]},"why":{"answers":[]}}}`),
			"call c request_user_input\nresult c ok=true Which one?: Postgres \"it is here\"\n",
		},
		{
			"free answer", started(oldThread).call("c", "request_user_input", ask).output("c", `{"answers":{"db":{"answers":["SQLite"]}}}`),
			"call c request_user_input\nresult c ok=true Which one?: \"SQLite\"\n",
		},
		{"question cancelled", started(oldThread).call("c", "request_user_input", ask).output("c", "request_user_input was cancelled before receiving a response"), "call c request_user_input\nresult c ok=false\n"},
		{"declined", started(oldThread).call("c", "shell", obj{}).output("c", "exec command rejected by user"), "call c shell\nresult c ok=false rejected\n"},
		{"declined by a setting", started(oldThread).call("c", "shell", obj{}).output("c", "patch rejected: writing outside of the project; rejected by user approval settings"), "call c shell\nresult c ok=false\n"},
		{
			"declined, says the event", started(oldThread).call("c", "exec_command", obj{}).
				event(obj{"type": "item_completed", "item": obj{"type": "CommandExecution", "id": "c", "status": "declined"}}).output("c", "no"),
			"call c exec_command\nresult c ok=false rejected\n",
		},
		{
			"failed, says the event", started(oldThread).call("c", "x__y", obj{}).
				event(obj{"type": "mcp_tool_call_end", "call_id": "c", "result": obj{"Err": "boom"}}).output("c", "boom"),
			"call c x__y\nresult c ok=false\n",
		},
		{
			"of a server", started(oldThread).
				item(obj{"type": "function_call", "name": "shell", "namespace": "mcp__memory", "call_id": "c", "arguments": "{}"}).output("c", "x"),
			"call c mcp__memory__shell\nresult c ok=true\n",
		},
		{
			"of a server, by its whole name", started(oldThread).
				item(obj{"type": "function_call", "name": "mcp__memory__x", "namespace": "mcp__memory__", "call_id": "c", "arguments": "{}"}).output("c", ""),
			"call c mcp__memory__x\nresult c ok=true\n",
		},
		{
			"of a namespace of its own", started(oldThread).
				item(obj{"type": "function_call", "name": "x", "namespace": "codex_app", "call_id": "c", "arguments": "{}"}).output("c", ""),
			"call c x\nresult c ok=true\n",
		},
		{"agent started", started(oldThread).call("c", "spawn_agent", obj{"message": "x"}).output("c", `{"agent_id":"T","nickname":"N"}`), "call c spawn_agent\nresult c ok=true spawned T\n"},
		{
			"agent started, says the event", started(oldThread).call("c", "spawn_agent", obj{"message": "x"}).
				event(obj{"type": "item_completed", "item": obj{"type": "SubAgentActivity", "id": "c", "kind": "started", "agent_thread_id": "T"}}).output("c", `{"task_name":"/root/x"}`),
			"call c spawn_agent\nresult c ok=true spawned T\n",
		},
		{
			"agent started in code mode", started(oldThread).custom("c", "exec", "await tools.spawn_agent({})").
				event(obj{"type": "item_completed", "item": obj{"type": "CollabAgentToolCall", "id": "exec-1", "tool": "spawn_agent", "receiver_thread_ids": []string{"T"}}}).
				output("c", []obj{{"type": "input_text", "text": "Script completed\n"}}),
			"call c exec\nresult c ok=true spawned T\n",
		},
		{
			"object", started(oldThread).call("c", "x", obj{}).output("c", obj{"content": "x", "success": false}),
			"call c x\nresult c ok=false\n",
		},
		{"nothing was asked", started(oldThread).output("c", "x"), "result c ok=true\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(start+test.want, summary(t, "x.jsonl", test.r.String())); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// turnItem is an item of a paginated thread, as it is completed.
func turnItem(thread string, item obj) obj {
	return obj{"type": "item_completed", "thread_id": thread, "item": item}
}
