package gemini_test

import (
	"testing"

	"github.com/memscribe/memscribe/core"
)

// TestGrowth has a message that is written again pass on what is new of it.
func TestGrowth(t *testing.T) {
	const tokens = `,"tokens":{"input":10,"output":5,"cached":3,"thoughts":2,"tool":0,"total":17}`
	first := did("c1", "run_shell_command", `{"command":"ls"}`, "success", "a.go", "")
	second := did("c2", "read_file", `{"file_path":"/w/a.go"}`, "success", "x", "")
	started().
		line(user("u1", "One.")).
		line(user("u1", "One.")).
		line(says("g1", "Looking.", tokens)).
		line(says("g1", "Looking.", tokens+calls(does("c1", "run_shell_command", `{"command":"ls"}`, "executing")))).
		line(says("g1", "Looking.", tokens+calls(first))).
		line(says("g1", "Looking.", tokens+calls(first, second))).
		line(says("g1", "Looking.", tokens+calls(first, second))).
		line(says("g2", "Done.", "")).
		line(says("g2", "Done.", tokens)).
		line(says("g2", "Done.", `,"thoughts":[{"subject":"Why","description":"So."}]`+tokens)).
		check(t,
			"turn One.", "known user",
			"said Looking. [10 5 3 0]", "call run_shell_command c1", "result c1", "call read_file c2", "result c2", "known gemini",
			"said Done.", "said  [10 5 3 0]", "said")
}

// TestDocument reads the same messages from a document.
func TestDocument(t *testing.T) {
	data := document(user("u1", "One."), says("g1", "Looking.", calls(did("c1", "list_directory", `{}`, "success", "a.go", ""))),
		message("i1", "info", `"content":"Update available."`), message("e1", "error", `"content":"No network."`))
	check(t, ".gemini/tmp/h/chats/session-2026-01-01T10-00-s.json", data,
		"turn One.", "said Looking.", "call list_directory c1", "result c1", "known info", "known error")
}

// TestContentForms reads the forms that a content has.
func TestContentForms(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"string", `"One."`, "turn One."}, // documents until 0.2x
		{"part", `{"text":"One."}`, "turn One."},
		{"list of strings", `["One.","Two."]`, "turn One.\n\nTwo."},
		{"picture", `[{"text":"See."},{"inlineData":{"mimeType":"image/png","data":"AA=="}}]`, "turn See. <image/png>"},
		{"picture alone", `[{"inlineData":{"mimeType":"image/png","data":"AA=="}}]`, "turn  <image/png>"},
		{"nothing", `[]`, "known user"},
		{"empty text", `""`, "known user"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			started().line(message("u1", "user", `"content":`+tt.content)).check(t, tt.want)
		})
	}
}

// TestVoices has only a person's words be a person's.
func TestVoices(t *testing.T) {
	const files = "\n--- Content from referenced files ---\nContent from @a.go:\npackage a\n--- End of content ---"
	tests := []struct {
		name, content string
		want          []string
	}{
		{"context", `[{"text":"<session_context>\nThis is the Gemini CLI.\n</session_context>"}]`, []string{"put <session_context>\nThis is the Gemini CLI.\n</session_context>"}},
		{"hook", `[{"text":"One."},{"text":"<hook_context>x</hook_context>"}]`, []string{"turn One.", "put <hook_context>x</hook_context>"}},
		{"file, parts", `[{"text":"See @a.go"},{"text":"` + `\n--- Content from referenced files ---"},{"text":"\nContent from @a.go:\n"},{"text":"package a"},{"text":"\n--- End of content ---"}]`, []string{
			"turn See @a.go", "put \n--- Content from referenced files ---\n\n\nContent from @a.go:\n\n\npackage a\n\n\n--- End of content ---",
		}},
		{"file, one text", `[{"text":` + quoted("See @a.go"+files) + `}]`, []string{"turn See @a.go", "put " + files[1:]}},
		{"command", `[{"text":"/compress"}]`, []string{"put /compress"}},
		{"a path is no command", `[{"text":"/w/a.go has a bug."}]`, []string{"turn /w/a.go has a bug."}},
		{"shell", `[{"text":"I ran the following shell command:\n` + "```sh\\nls\\n```" + `\n\nThis produced the following result:\n"}]`, []string{
			"put I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n",
		}},
		{"continue", `[{"text":"System: Please continue."}]`, []string{"put System: Please continue."}},
		{"a subagent's task in its session's file", `"Your task is to do a deep investigation of the codebase to find all relevant files\n<objective>\nSurvey src. Never use MySQL.\n</objective>"`, []string{
			thread("Survey src. Never use MySQL.") + ": put Your task is to do a deep investigation of the codebase to find all relevant files\n<objective>\nSurvey src. Never use MySQL.\n</objective>",
		}},
		{"another subagent's task", `"Your task is to answer the following question about Gemini CLI:\n<question>\nHow?\n</question>"`, []string{
			thread("How?") + ": put Your task is to answer the following question about Gemini CLI:\n<question>\nHow?\n</question>",
		}},
		{"a subagent that stopped", `"You have stopped calling tools without finishing. You have one final chance"`, []string{"put You have stopped calling tools without finishing. You have one final chance"}},
		{"a subagent out of turns", `"You have exceeded the maximum number of turns. You have one final chance"`, []string{"put You have exceeded the maximum number of turns. You have one final chance"}},
		{"a subagent out of time", `"You have exceeded the time limit. You have one final chance"`, []string{"put You have exceeded the time limit. You have one final chance"}},
		{"a task of the person's", `"Your task is to use tabs."`, []string{"turn Your task is to use tabs."}},
		{"steering", `[{"text":"User steering update:\n<user_input>\nUse tabs.\n</user_input>\nInternal instruction: x"}]`, []string{
			"turn Use tabs.", "put User steering update:\n\nInternal instruction: x",
		}},
		{"hook before the prompt", `[{"text":"<hook_context>x</hook_context>\n\nOne."}]`, []string{"turn One.", "put <hook_context>x</hook_context>"}},
		{"hook before a file", `[{"text":` + quoted("<hook_context>x</hook_context>\n\nSee @a.go"+files) + `}]`, []string{"turn See @a.go", "put <hook_context>x</hook_context>" + files[1:]}},
		{"hook before a command", `[{"text":"<hook_context>x</hook_context>\n\n/compress"}]`, []string{"put <hook_context>x</hook_context>\n\n/compress"}},
		{"hook after hook", `[{"text":"<hook_context>x</hook_context>\n<hook_context>y</hook_context>\n\nOne."}]`, []string{"put <hook_context>x</hook_context>\n<hook_context>y</hook_context>\n\nOne."}},
		{"hook without an end", `[{"text":"<hook_context>x\n\nOne."}]`, []string{"put <hook_context>x\n\nOne."}},
		{"hook before the prompt, escaped", `[{"text":"\u003chook_context\u003ex\u003c/hook_context\u003e\n\nOne."}]`, []string{"turn One.", "put <hook_context>x</hook_context>"}},
		{"escaped by another program", `[{"text":"\u003chook_context>x</hook_context>"}]`, []string{"put <hook_context>x</hook_context>"}},
		{"a tag of the person's", `[{"text":"<div> is not closed."}]`, []string{"turn <div> is not closed."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			started().line(message("u1", "user", `"content":`+tt.content)).check(t, tt.want...)
		})
	}
}

// TestDisplay has what the client showed as typed be what was typed.
func TestDisplay(t *testing.T) {
	started().
		line(message("u1", "user", `"content":[{"text":"Review the code of a.go: package a"}],"displayContent":[{"text":"Review @a.go"}]`)).
		line(message("u2", "user", `"content":[{"text":"Do what the command says."}],"displayContent":"/plan all"`)).
		check(t, "turn Review @a.go", "put Review the code of a.go: package a", "put Do what the command says.\n\n/plan all")
}

// TestWhere takes the folder of the work from what the transcript says.
func TestWhere(t *testing.T) {
	tests := []struct{ name, context, want string }{
		{"0.61", "<session_context>\nx\n- **Workspace Directories:**\n  - /home/dev/w\n  - /tmp\n- more\n</session_context>", "/home/dev/w"},
		{"0.6", "This is the Gemini CLI. We are setting up the context for our chat.\nI'm currently working in the directory: /home/dev/w\nHere is", "/home/dev/w"},
		{"Windows", "<session_context>\n- **Workspace Directories:**\n  - C:\\new\\work\n</session_context>", `C:\new\work`},
		{"nothing", "<session_context>\nToday is Monday.\n</session_context>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			data := document(user("u0", tt.context), user("u1", "One."))
			events(t, "x.json", []byte(data), func(ev *core.Event) {
				if ev.Project != nil {
					got = ev.Project.Cwd
				}
			})
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	check(t, "x.jsonl", `{"sessionId":"s","projectHash":"h","startTime":"2026-06-01T10:00:00.000Z","directories":["/w"]}`+"\n"+user("u1", "One.")+"\n",
		"known header/directories", "turn One.")
}

// TestMetadata reads the lines that change the header, and reports what nobody
// described.
func TestMetadata(t *testing.T) {
	started().
		line(`{"$set":{"lastUpdated":"2026-06-01T10:00:01.000Z"}}`).
		line(`{"$set":{"summary":"About one."}}`).
		line(`{"$set":{"mood":"good"}}`).
		line(`{"$jump":1}`).
		line(message("x1", "telepathy", `"content":"?"`)).
		line(`{"id":"u`).
		line(`{"sessionId":"s","projectHash":"h","startTime":"2026-06-01T11:00:00.000Z","kind":"main"}`).
		check(t, "known $set", "known $set", "unknown $set/mood", "unknown object", "unknown message/telepathy", "unknown unreadable", "known header")
}
