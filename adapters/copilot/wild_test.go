package copilot_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestWild reads what people published.
func TestWild(t *testing.T) {
	choices, approved := 0, 0
	w := adaptertest.Wild{
		Dir: "wild/copilot-cli", Match: adaptertest.Ending(".jsonl", ".json"),
		Alien: func(name string) bool { // other projects' own forms
			return strings.Contains(name, "Memscribe/fixtures") || strings.Contains(name, "transcript-replay") || strings.Contains(name, "/GitHub.copilot-chat/")
		},
		See: func(_ string, ev *core.Event) {
			if b, ok := ev.Body.(*core.ToolResult); ok {
				choices += len(b.Choices)
				if b.Verdict == core.Approved {
					approved++
				}
			}
		},
	}
	c := w.Read(t, copilot.Adapter{})
	if c.Undescribed > 0 || c.Edits == 0 || c.Human == 0 || size.IsFull() && (choices == 0 || approved == 0) {
		t.Errorf("undescribed kinds, or no edits, no person's turns, no choices or no approvals: %+v, %d, %d", c, choices, approved)
	}
}

// TestRecordedStarts holds what the recorded sessions begin with, and what they
// used, to the client's own sum at the last shutdown.
func TestRecordedStarts(t *testing.T) {
	for _, path := range adaptertest.Files(t, adaptertest.Shared(t, "transcripts/copilot"), adaptertest.Ending("/events.jsonl")) {
		var tokens core.Usage
		data, rewinds := adaptertest.Read(t, path), 0
		capture(t, path, data, func(ev *core.Event) {
			switch b := ev.Body.(type) {
			case *core.SessionStart:
				if b.Cwd == "" || b.ToolVersion == "" || b.Model == "" || b.Git.SHA == "" || b.Git.Branch == "" {
					t.Errorf("%s: session start: %+v", path, b)
				}
			case *core.Rewind:
				rewinds++
			case *core.AssistantTurn:
				if b.Usage != nil {
					tokens.Input += b.Usage.Input
					tokens.Output += b.Usage.Output
					tokens.CacheRead += b.Usage.CacheRead
				}
			}
		})
		if want := tokensOf(data); rewinds == 0 && (tokens != want || want.Output == 0) {
			t.Errorf("%s: tokens %+v, want %+v", path, tokens, want)
		}
	}
}

// tokensOf is what the last shutdown says that a session used.
func tokensOf(data []byte) core.Usage {
	var sum core.Usage
	for line := range bytes.Lines(data) {
		var ev struct {
			Type string
			Data struct {
				ModelMetrics map[string]struct {
					Usage struct{ InputTokens, OutputTokens, CacheReadTokens int64 }
				}
			}
		}
		if err := json.Unmarshal(line, &ev); err != nil || ev.Type != "session.shutdown" {
			continue
		}
		sum = core.Usage{}
		for _, m := range ev.Data.ModelMetrics {
			sum.Input += m.Usage.InputTokens
			sum.Output += m.Usage.OutputTokens
			sum.CacheRead += m.Usage.CacheReadTokens
		}
	}
	return sum
}
