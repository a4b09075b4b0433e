package auggie_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/auggie"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// session is one as the client writes it.
const session = `{"sessionId":"s1","created":"2026-03-01T10:00:00.000Z","modified":"2026-03-01T10:01:00.000Z","chatHistory":[
{"exchange":{"request_id":"r1","request_message":"Cache for a minute, we decided.","request_nodes":[{"id":0,"type":0,"text_node":{"content":"Cache for a minute, we decided."}},{"id":1,"type":4,"ide_state_node":{"workspace_folders":[{"repository_root":"/w","folder_root":"/w"}]}}],"response_text":"I do.","response_nodes":[{"id":0,"type":8,"content":"","thinking":{"content":"Hm."}},{"id":1,"type":0,"content":"I do."},{"id":2,"type":5,"content":"","tool_use":{"tool_use_id":"c1","tool_name":"str-replace-editor","input_json":"{\"command\":\"str_replace\",\"path\":\"a.js\",\"old_str_1\":\"30\",\"new_str_1\":\"60\"}"}},{"id":3,"type":5,"content":"","tool_use":{"tool_use_id":"c2","tool_name":"save-file","input_json":"{\"path\":\"n.md\",\"file_content\":\"n\"}"}},{"id":4,"type":5,"content":"","tool_use":{"tool_use_id":"c3","tool_name":"str-replace-editor","input_json":"{\"command\":\"str_replace\",\"path\":\"big.js\",\"old_str_1\":\"x\",\"new_str_1\":\"y\"}"}},{"id":5,"type":10,"token_usage":{"input_tokens":3,"output_tokens":4}}],"model_id":"m"},"completed":true,"sequenceId":1,"finishedAt":"2026-03-01T10:00:05.000Z","changedFiles":[]},
{"exchange":{"request_id":"r2","request_message":"","request_nodes":[{"id":0,"type":1,"tool_result_node":{"tool_use_id":"c1","content":"ok","is_error":false}},{"id":1,"type":1,"tool_result_node":{"tool_use_id":"c2","content":"ok","is_error":false}},{"id":2,"type":1,"tool_result_node":{"tool_use_id":"c3","content":"ok","is_error":false}}],"response_text":"Done.","response_nodes":[]},"completed":true,"sequenceId":2,"finishedAt":"2026-03-01T10:00:09.000Z","changedFiles":[{"old_path":"a.js","new_path":"a.js","old_contents":"ttl: 30\n","new_contents":"ttl: 60\n","change_type":2},{"old_path":"n.md","new_path":"n.md","old_contents":"","new_contents":"n\n","change_type":0},{"old_path":"by/shell.js","new_path":"by/shell.js","old_contents":"1\n","new_contents":"2\n","change_type":2}]}]}`

const place = "/home/dev/.augment/sessions/s1.json"

func samples() []adaptertest.Sample { return []adaptertest.Sample{{Path: place, Data: session}} }

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, auggie.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, auggie.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, auggie.Adapter{}, samples()...) }

// TestTold: the texts before and after are the edit; a file that was left out for its size has what was asked for; what no call names a command changed.
func TestTold(t *testing.T) {
	var got []string
	adaptertest.Parse(auggie.Adapter{}, place, []byte(session), func(ev *core.Event) {
		said := strings.Trim(ev.Thread+" "+ev.Name(), " ")
		switch b := ev.Body.(type) {
		case *core.UserTurn:
			said += fmt.Sprint(" ", b.Text.String(), " ", ev.Injected)
		case *core.AssistantTurn:
			said += " " + b.Text.String() + b.Thinking.String()
		case *core.ToolCall:
			said += " " + b.CallID + " " + b.Name
		case *core.ToolResult:
			said += fmt.Sprint(" ", b.CallID, " ", b.OK)
		case *core.FileEdit:
			_, hunks, _ := strings.Cut(b.Diff.Unified, "@@")
			said += fmt.Sprintf(" %s %s %s%s %q", b.CallID, b.Diff.Path, b.Diff.Change, b.Diff.Certainty, hunks)
		case *core.Unknown:
			said += fmt.Sprint(" ", b.RawType, " ", b.Bookkeeping)
		}
		got = append(got, said)
	})
	want := []string{
		"session_start",
		"user_turn Cache for a minute, we decided. false",
		"assistant_turn Hm.",
		"assistant_turn I do.",
		"tool_call c1 str-replace-editor",
		"tool_call c2 save-file",
		"tool_call c3 str-replace-editor",
		"assistant_turn ",
		"tool_result c1 true",
		`file_edit c1 /w/a.js modify " -1 +1 @@\n-ttl: 30\n+ttl: 60\n"`,
		"tool_result c2 true",
		`file_edit c2 /w/n.md create " -0,0 +1 @@\n+n\n"`,
		"tool_result c3 true",
		`file_edit c3 /w/big.js modifytold " -1 +1 @@\n-x\n+y\n"`,
		"assistant_turn Done.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
