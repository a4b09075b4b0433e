package decide_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/decide"
)

// TestPostpones tells what is forbidden from work that is only put off.
func TestPostpones(t *testing.T) {
	all := judge(t, standard(t), 0)
	for text, isBan := range map[string]bool{
		"Do not edit anything under vendor/.":            true,
		"Don't make any changes to the schema.":          true,
		"Please don't change any files outside src/api.": true,
		"Do not edit anything yet.":                      false,
		"Don't change any code, just explain.":           false,
		"Don't make any changes to the schema yet.":      false,
		"Do not write any code until I say so.":          false,
		"don't change anything in the code":              false,
	} {
		got := false
		for _, d := range all.Exchange(decide.Input{Text: text}).Decisions {
			got = got || d.IsBan
		}
		if got != isBan {
			t.Errorf("%q: a ban is %t, want %t", text, got, isBan)
		}
	}
}
