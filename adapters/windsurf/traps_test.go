package windsurf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/windsurf"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestTraps holds what readers of Windsurf got wrong, by their reports.
func TestTraps(t *testing.T) {
	const again = `{"type":"user_input","status":"done","user_input":{"user_response":"continue"}}` + "\n"
	for _, tt := range []struct{ name, steps, want string }{
		{"the same words twice are two turns", again + again, "start t1 user continue user continue "},
		{
			"a step that has not ended, or was refused, edits nothing",
			`{"type":"code_action","status":"pending","code_action":{"path":"/w/a","new_content":"1"}}` + "\n" +
				`{"type":"code_action","status":"canceled","code_action":{"path":"/w/a","new_content":"2"}}`,
			"start t1 call result false call result false ",
		},
		{
			"a file of which nothing showed what it was gives no edit that nobody could apply",
			`{"type":"code_action","status":"done","code_action":{"path":"/w/a","new_content":"1"}}`,
			"start t1 call result true ",
		},
		{"a kind of step that nobody has described is kept", `{"type":"brain_update","status":"done","brain_update":{"x":1}}`, "start t1 unknown brain_update "},
		{"a last line that is not whole yet is kept", again + `{"type":"user_inp`, "start t1 user continue unknown  "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got strings.Builder
			adaptertest.Events(t, windsurf.Adapter{}, "/h/.windsurf/transcripts/t1.jsonl", []byte(tt.steps), func(ev *core.Event) {
				switch b := ev.Body.(type) {
				case *core.SessionStart:
					got.WriteString("start " + ev.Session + " ")
				case *core.UserTurn:
					got.WriteString("user " + b.Text.String() + " ")
				case *core.ToolCall:
					got.WriteString("call ")
				case *core.ToolResult:
					fmt.Fprintf(&got, "result %t ", b.OK)
				case *core.FileEdit:
					got.WriteString("edit ")
				case *core.Unknown:
					got.WriteString("unknown " + b.RawType + " ")
				}
			})
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestBuilds: the database of each build is known by its folder, and another
// editor's of the same table is not.
func TestBuilds(t *testing.T) {
	schema := core.Schema{"ItemTable": {"key", "value"}}
	for file, want := range map[string]core.Fit{
		"/h/.config/Windsurf/User/globalStorage/state.vscdb": core.NativeFit, "/h/.config/Windsurf - Next/User/globalStorage/state.vscdb": core.NativeFit,
		"/h/.config/Code/User/globalStorage/state.vscdb": core.NoFit,
	} {
		layout, fit := windsurf.Adapter{}.Layout(file, schema)
		if fit != want {
			t.Errorf("%s: fit %d", file, fit)
		}
		for _, r := range layout.Rows {
			if strings.Contains(r.Query, "*") || strings.Contains(r.Query, "mcp_config") {
				t.Errorf("asks for too much: %s", r.Query)
			}
		}
	}
}
