package cline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/cline"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// timed reads a task beside what it showed: when people spoke, and what answers
// cost.
func timed(t *testing.T, history, shown string) string {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	info := core.StreamInfo{Path: task, Sidecars: map[string][]byte{"ui_messages.json": []byte(shown)}}
	st := set.Open(cline.Adapter{}, info, task)
	var out strings.Builder
	st.OnEvent(func(ev *core.Event) { spoke(&out, ev) })
	st.Line([]byte(history), 0, 1)
	return out.String()
}

func spoke(out *strings.Builder, ev *core.Event) {
	switch b := ev.Body.(type) {
	case *core.UserTurn:
		if !ev.Injected {
			fmt.Fprintf(out, "%s at %s, inferred %t\n", b.Text, ev.Time, ev.TimeInferred)
		}
	case *core.AssistantTurn:
		if b.Usage != nil {
			fmt.Fprintf(out, "%d+%d tokens, %d read, %d written\n", b.Usage.Input, b.Usage.Output, b.Usage.CacheRead, b.Usage.CacheCreation)
		}
	}
}

// TestShown: what a task showed says when a person spoke, and what an answer cost
// that does not say so itself.
func TestShown(t *testing.T) {
	text := func(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }
	history := `[{"role":"user","content":[` + text("<task>\nDo it.\n</task>") + `,` + text("<environment_details>\n# Current Working Directory (/w) Files\n</environment_details>") + `]},
{"role":"assistant","content":[` + text("<read_file>\n<path>a</path>\n</read_file>") + `],"ts":1700000005000},
{"role":"user","content":[` + text("[read_file for 'a'] Result:\n1 | a") + `]},
{"role":"assistant","content":[` + text("Done.") + `],"ts":1700000006000,"metrics":{"tokens":{"prompt":7,"completion":8,"cached":9}}},
{"role":"user","content":[` + text("<feedback>\nAgain.\n</feedback>") + `]}]`
	request := func(index, tokens string) string {
		return `{"ts":1,"type":"say","say":"api_req_started","text":"{\"request\":\"…\",` + tokens + `}"` + index + `}`
	}
	const first, second = `\"tokensIn\":1,\"tokensOut\":2,\"cacheReads\":3,\"cacheWrites\":4`, `\"tokensIn\":5,\"tokensOut\":6`
	human := `{"ts":1700000001000,"type":"say","say":"task","text":"Do it."},{"ts":1700000008000,"type":"say","say":"user_feedback","text":"Again."}`
	const spoke = "Do it. at 2023-11-14T22:13:21.000Z, inferred false\n"
	const again = "Again. at 2023-11-14T22:13:28.000Z, inferred false\n"
	for name, tt := range map[string]struct{ shown, want string }{
		"by the length of the conversation": {
			"[" + human + "," + request(`,"conversationHistoryIndex":-1`, first) + "," + request(`,"conversationHistoryIndex":1`, second) + "]",
			spoke + "1+2 tokens, 3 read, 4 written\n7+8 tokens, 9 read, 0 written\n" + again,
		},
		"in their order":             {"[" + human + "," + request("", first) + "," + request("", second) + "]", spoke + "1+2 tokens, 3 read, 4 written\n7+8 tokens, 9 read, 0 written\n" + again},
		"more requests than answers": {"[" + human + "," + request("", first) + "," + request("", second) + "," + request("", second) + "]", spoke + "7+8 tokens, 9 read, 0 written\n" + again},
		"nonsense":                   {`[{"ts":"x","say":"task","text":7},{"say":"api_req_started","text":"{"}]`, "Do it. at 2026-11-21T01:47:58.232Z, inferred true\n7+8 tokens, 9 read, 0 written\nAgain. at 2023-11-14T22:13:26.000Z, inferred true\n"},
	} {
		got := timed(t, history, tt.shown)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestShownRecorded: in recorded tasks every word of a person's has a time of its
// own, which is before that of the answer.
func TestShownRecorded(t *testing.T) {
	root := adaptertest.Shared(t, "transcripts/cline/2.18.0")
	turns := 0
	for _, file := range adaptertest.Files(t, root, adaptertest.Ending("api_conversation_history.json")) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set, err := pipeline.NewSet(pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		st := set.Open(cline.Adapter{}, discover.Info(cline.Adapter{}, filepath.ToSlash(file), file), file)
		last := time.Time{}
		st.OnEvent(func(ev *core.Event) {
			b, ok := ev.Body.(*core.UserTurn)
			if !ok || ev.Injected {
				return
			}
			turns++
			at, err := time.Parse(time.RFC3339Nano, ev.Time.String())
			if ev.TimeInferred || err != nil || !at.After(last) {
				t.Errorf("%s: %q was said at %s, after %s", file, b.Text, ev.Time, last)
			}
			last = at
		})
		st.Line(data, 0, 1)
	}
	if turns < 10 {
		t.Errorf("%d turns", turns)
	}
}
