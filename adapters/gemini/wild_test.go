package gemini_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
	"github.com/memscribe/memscribe/testkit/size"
)

// madeUp names the collections of which the shapes were never written by the
// client.
func madeUp(name string) bool {
	return strings.HasPrefix(name, "syncable-dev__Memscribe") || strings.HasPrefix(name, "vshulcz__deja-vu")
}

// TestWild reads every collected transcript.
func TestWild(t *testing.T) {
	w := adaptertest.Wild{Dir: "wild/gemini", Match: isJSON, Alien: madeUp, See: func(name string, ev *core.Event) {
		if b, ok := ev.Body.(*core.ToolCall); ok && (b.CallID == "" || b.Name == "") {
			t.Errorf("%s: call %q of %q", name, b.CallID, b.Name)
		}
	}}
	c := w.Read(t, gemini.Adapter{})
	if c.Undescribed > 0 || c.Malformed > 0 || c.Human < size.Of(90, 120) || c.Edits < 7 || c.Calls < size.Of(350, 540) || c.Rewinds > 2 {
		t.Errorf("undescribed kinds, or counts are out of bounds: %+v", c)
	}
}
