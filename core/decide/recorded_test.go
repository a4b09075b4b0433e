package decide_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/prose"
)

// TestRecorded: who agrees to what was decided before, as its record names it, decides
// nothing; who agrees to something new beside it does.
func TestRecorded(t *testing.T) {
	rules := standard(t)
	for _, tt := range []struct {
		said, turn string
		want       int
	}{
		{"Shall I use cursor pagination instead of offset for listOrders?", "yes", 1},
		{"Shall I use cursor pagination instead of offset for listOrders (decision:468f6ea2)?", "yes", 0},
		{"In force: never use lodash (decision:59793e74).\n\nShall I keep to it?", "Yes, please.", 0},
		{"As in decision:59793e74 lodash stays out. Shall I replace moment by the Temporal API in src/dates.js?", "yes", 1},
		{"Shall I use cursor pagination instead of offset for listOrders (decision:468f6ea2)?", "yes, and never use moment in this repo, use Temporal instead.", 1},
	} {
		v := taken(t, rules, decide.Input{Text: tt.turn, PrevAssistant: tt.said}).Decisions
		if len(v) != tt.want {
			t.Errorf("%q to %q decides %d, want %d: %+v", tt.turn, tt.said, len(v), tt.want, v)
		}
	}
	for text, want := range map[string]bool{"decision:468f6ea2": true, "a decision: 468f6ea2": false, "decision:46": false, "decision:x, decision:468f6ea2abc": true, "": false} {
		if got := prose.Cites(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
