package segment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/topic"
)

// TestAnnounced holds what an edit knows of the words before its call: the end of the last
// message to the turn in which it was made, whatever comes between the call and the edit.
func TestAnnounced(t *testing.T) {
	call := func(id string) *core.ToolCall { return &core.ToolCall{CallID: id} }
	long := strings.Repeat("words of the plan, ", 100)
	for _, tt := range []struct {
		name   string
		before []core.Body
		want   string
	}{
		{"the last message", []core.Body{says("go"), replies("First the parser."), replies("Now the tests."), call("c1")}, "the tests"},
		{"what is said after the call", []core.Body{says("go"), replies("Now the tests."), call("c1"), replies("And the parser.")}, "the tests"},
		{"an edit without a call", []core.Body{says("go"), replies("Now the tests.")}, "the tests"},
		{"only the end of a long one", []core.Body{says("go"), replies("Parser. " + long + "Now the tests."), call("c1")}, long[:300] + " the tests"},
		{"what was said to the turn before", []core.Body{says("go"), replies("Now the tests."), says("and on"), call("c1")}, ""},
		{"a person speaks while the call runs", []core.Body{says("go"), replies("Now the tests."), call("c1"), says("wait")}, ""},
		{"nothing", []core.Body{says("go"), call("c1")}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := record(t)
			for _, body := range tt.before {
				r.add("", body)
			}
			r.add("", edits("c1"))
			if got, want := topic.Of(r.edits[0].Announced), topic.Of(tt.want); !slices.Equal(got, want) {
				t.Errorf("%d words, want those of %q", len(got), tt.want)
			}
		})
	}
}

// TestAnnouncedLong has more messages between a call and its edit than are remembered.
func TestAnnouncedLong(t *testing.T) {
	r := record(t)
	r.add("", says("go"))
	r.add("", replies("Now the tests."))
	r.add("", &core.ToolCall{CallID: "c1"})
	for i := range 10 {
		r.add("", replies(fmt.Sprint("message ", i)))
	}
	r.add("", edits("c1"))
	if got := r.edits[0].Announced; len(got) > 0 {
		t.Errorf("%q is of messages behind the call", got)
	}
}
