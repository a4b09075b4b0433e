package acp_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/acp"
	"github.com/memscribe/memscribe/adapters/grok"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// recorded is what acpx 0.19.1 kept of two prompts to OpenCode 1.18.34, with shorter lists of
// models and commands.
//
//go:embed testdata/acpx-0.19.1-opencode-1.18.34.ndjson
var recorded string

// others has what that recording does not show, as the protocol describes it: a session that is
// loaded, files written through the client, a diff of whole texts, one that is shown before the
// call ends, and what is not known.
const others = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true}}}}
{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true},"agentInfo":{"name":"agent","version":"2.1"}}}
{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}
{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1"}}
{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"Let's use tabs."},{"type":"resource_link","uri":"file:///w/a.js","name":"a.js"},{"type":"image","data":"AA==","mimeType":"image/png"}]}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Let's use tabs."}}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Hm, "}}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"tabs."}}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"I do."}}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Write a.js","kind":"edit","status":"pending","content":[{"type":"diff","path":"/w/a.js","oldText":"  x\n","newText":"\tx\n"}],"_meta":{"claudeCode":{"toolName":"Write"}}}}}
{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c1"},"options":[]}}
{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}
{"jsonrpc":"2.0","id":8,"method":"fs/write_text_file","params":{"sessionId":"s1","path":"/w/a.js","content":"\tx\n"}}
{"jsonrpc":"2.0","id":8,"result":null}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed"}}}
{"jsonrpc":"2.0","id":9,"method":"fs/write_text_file","params":{"sessionId":"s1","path":"b.md","content":"b\n"}}
{"jsonrpc":"2.0","id":9,"result":null}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c2","title":"New file","kind":"edit","status":"completed","content":[{"type":"diff","path":"/w/c.md","newText":"c\n"}]}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"novelty"}}}
{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}
{"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"s1","cwd":"/w","mcpServers":[]}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Let's use tabs."}}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"I do."}}}}
{"jsonrpc":"2.0","id":3,"result":{}}
{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"Thanks."}]}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Fine."}}}}
{"jsonrpc":"2.0","id":4,"error":{"code":-1,"message":"gone"}}
{"jsonrpc":"2.0","id":5,"method":"novelty/ask","params":{}}
{"whatever":1}
`

// loaded is the log of a client that takes up a session from elsewhere.
const loaded = `{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"s9","cwd":"/w","mcpServers":[]}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s9","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Never use lodash."}}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s9","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Noted."}}}}
{"jsonrpc":"2.0","id":1,"result":{}}
`

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "log.ndjson", Data: recorded}, {Path: "acp.jsonl", Data: others}, {Path: "acp.jsonl", Data: loaded}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, acp.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, acp.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, acp.Adapter{}, samples()...) }

// told are the events of a log but for those that only keep a record.
func told(log string) (all []string) {
	adaptertest.Parse(acp.Adapter{}, "log.ndjson", []byte(log), func(ev *core.Event) {
		said := ev.Name()
		switch b := ev.Body.(type) {
		case *core.SessionStart:
			said += " " + ev.Session + " " + b.Cwd + " " + b.ToolVersion
		case *core.UserTurn:
			said += fmt.Sprint(" ", b.Text.String(), " ", len(b.Parts))
		case *core.AssistantTurn:
			said += " " + b.Text.String() + b.Thinking.String()
			if b.Usage != nil {
				said += fmt.Sprint(b.Usage.Input, " ", b.Usage.Output)
			}
		case *core.ToolCall:
			said += " " + b.CallID + " " + b.Name
		case *core.ToolResult:
			said += fmt.Sprint(" ", b.CallID, " ", b.OK)
		case *core.FileEdit:
			_, hunks, _ := strings.Cut(b.Diff.Unified, "@@")
			said += fmt.Sprintf(" %s %s %s%s %q", b.CallID, b.Diff.Path, b.Diff.Change, b.Diff.Certainty, hunks)
		case *core.Unknown:
			if b.Bookkeeping {
				return
			}
			said += " " + b.RawType
		}
		all = append(all, said)
	})
	return all
}

func TestTold(t *testing.T) {
	for name, tt := range map[string]struct {
		log  string
		want []string
	}{
		"recorded": {recorded, []string{
			"session_start ses_df180370affe7whFGN5UQPID52 /home/dev/work/app 1.18.34",
			"user_turn Let's raise the limit to 25 instead of 10. 1",
			"assistant_turn I will look at the file first.",
			"tool_call call_1_0 read", "tool_result call_1_0 true",
			"tool_call call_2_0 edit", "tool_result call_2_0 true",
			`file_edit call_2_0 /home/dev/work/app/app.js modify " -1 +1 @@\n-const limit = 10;\n+const limit = 25;\n"`,
			"tool_call call_3_0 write", "tool_result call_3_0 true",
			`file_edit call_3_0 /home/dev/work/app/notes.md write " -0,0 +1,3 @@\n+# Notes\n+\n+Limit is 25.\n"`,
			"tool_call call_4_0 bash", "tool_result call_4_0 false",
			"assistant_turn The limit is 25 now. Should I also use Redis for the cache, or keep it in memory?",
			"assistant_turn 100 20",
			"user_turn Keep it in memory, don't use Redis. 1",
			"assistant_turn Done: the cache stays in memory.",
			"tool_call call_6_0 edit", "tool_result call_6_0 false",
			"tool_call call_7_0 edit", "tool_result call_7_0 true",
			`file_edit call_7_0 /home/dev/work/app/app.js modifytold " -1,2 +1,2 @@\n const limit = 25;\n-let cache;\n+const cache = new Map();\n"`,
			"assistant_turn It is in.",
			"assistant_turn 100 20",
		}},
		"others": {others, []string{
			"session_start s1 /w 2.1",
			"user_turn Let's use tabs. 3",
			"assistant_turn Hm, tabs.",
			"assistant_turn I do.",
			"tool_call c1 Write", "tool_result c1 true",
			`file_edit c1 /w/a.js modify " -1 +1 @@\n-  x\n+\tx\n"`,
			"tool_call c2 edit", "tool_result c2 true",
			`file_edit c2 /w/c.md write " -0,0 +1 @@\n+c\n"`,
			"unknown novelty",
			`file_edit  /w/b.md write " -0,0 +1 @@\n+b\n"`,
			"user_turn Thanks. 1",
			"assistant_turn Fine.",
			"unknown novelty/ask",
			"unknown ",
		}},
		"loaded":               {loaded, []string{"session_start s9 /w ", "user_turn Never use lodash. 1", "assistant_turn Noted."}},
		"loaded after another": {ofAnother + loaded, []string{"session_start s1  ", "user_turn Hello. 1", "session_start s9 /w ", "user_turn Never use lodash. 1", "assistant_turn Noted."}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(tt.log)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// ofAnother is a prompt of another session.
const ofAnother = `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"Hello."}]}}
`

// TestTwice: a log that holds its session twice gives what it gives once, whichever way it came there;
// and what is said after a session was loaded is new, in the same words, too.
func TestTwice(t *testing.T) {
	const prompt, reply, result = `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"Go on."}]}}` + "\n",
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Fine."}}}}` + "\n",
		`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn","usage":{"inputTokens":1,"outputTokens":2}}}` + "\n"
	for _, log := range []string{recorded, others, loaded} {
		once := told(log)
		if diff := cmp.Diff(once, told(log+log)); diff != "" && log != others { // which ends in what is not known
			t.Errorf("events of a log that stands twice in one (-once +twice):\n%s", diff)
		}
	}
	load := strings.ReplaceAll(loaded, "s9", "s1")
	replay := strings.NewReplacer("Never use lodash.", "Go on.", "Noted.", "Fine.").Replace(load)
	silent := load[:strings.Index(load, "\n")+1] + load[strings.LastIndex(strings.TrimSpace(load), "\n")+1:]
	turn := []string{"user_turn Go on. 1", "assistant_turn Fine.", "assistant_turn 1 2"}
	begun := append([]string{"session_start s1  "}, turn...)
	for name, log := range map[string]string{"replayed": prompt + reply + result + replay, "loaded without a word": prompt + reply + result + silent} {
		if diff := cmp.Diff(begun, told(log)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(append(begun, turn...), told(log+prompt+reply+result)); diff != "" {
			t.Errorf("%s, and told again (-want +got):\n%s", name, diff)
		}
	}
	ids := func(log string) (all []string) {
		adaptertest.Parse(acp.Adapter{}, "log.ndjson", []byte(log), func(ev *core.Event) {
			if _, kept := ev.Body.(*core.Unknown); !kept {
				all = append(all, ev.Name()+" "+ev.ID)
			}
		})
		return all
	}
	if diff := cmp.Diff(ids(strings.ReplaceAll(prompt+reply+`{"jsonrpc":"2.0","id":2,"result":{}}`+"\n", "s1", "s9")), ids(strings.NewReplacer("Never use lodash.", "Go  on.", "Noted.", "Fine.").Replace(loaded))); diff != "" {
		t.Errorf("the ids of a session and of its replay in another log (-want +got):\n%s", diff)
	}
}

// TestDetect: a log is told from those of Grok Build, whose updates have the same form, and
// from those of other protocols.
func TestDetect(t *testing.T) {
	for head, want := range map[string]core.Fit{
		recorded: core.NativeFit, others: core.NativeFit, loaded: core.NativeFit,
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}` + "\n": core.NoFit,
		`{"timestamp":1,"method":"session/update","params":{"update":{"sessionUpdate":"plan"}}}` + "\n":                     core.NoFit,
		`{"jsonrpc":"2.0","id":0,"result":{}}` + "\n":                                                                       core.NoFit,
	} {
		if got := (acp.Adapter{}).Detect(core.Sample{Path: "x.jsonl", Head: []byte(head)}); got != want {
			t.Errorf("%.60s fits %v, want %v", head, got, want)
		}
	}
	if got := (grok.Adapter{}).Detect(core.Sample{Path: "x.jsonl", Head: []byte(recorded)}); got != core.NoFit {
		t.Errorf("Grok Build takes a log of the protocol for its own: %v", got)
	}
}
