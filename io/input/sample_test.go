package input_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters"
	codexlogs "github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/input"
)

// TestJudge asks whose a transcript is: where the content names the tool in whose folder
// it lies, no other tool is asked; where it names another one, that counts.
func TestJudge(t *testing.T) {
	sample := core.Sample{Path: "rollout-x.jsonl", Head: []byte(`{"timestamp":"2026-01-01T10:00:00.000Z","type":"session_meta","payload":{"id":"0199","cwd":"/app","originator":"codex_cli_rs","cli_version":"0.47.0"}}` + "\n")}
	asked := 0
	detect := func(s core.Sample) (core.Adapter, core.Fit) {
		asked++
		return adapters.Detect(s)
	}
	for _, c := range []struct {
		name  string
		place core.Adapter
		asked int
	}{
		{"in its own folder", codexlogs.Adapter{}, 0},
		{"in another tool's", pi.Adapter{}, 1},
		{"in none", nil, 1},
	} {
		asked = 0
		if a := input.Judge(detect, sample, c.place); a != (codexlogs.Adapter{}) || asked != c.asked {
			t.Errorf("%s: it is %v's, others were asked %d times, want %d", c.name, a, asked, c.asked)
		}
	}
}
