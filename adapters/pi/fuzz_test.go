package pi_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// FuzzParse reads anything at all as a session: no record is lost, none breaks
// the parser, and reading twice gives the same.
func FuzzParse(f *testing.F) {
	for _, session := range []string{"rewind_compaction/home/.pi/agent/sessions/*/*T01-30-53*", "tool_failure/home/.pi/agent/sessions/*/*"} {
		data := adaptertest.ReadOne(f, "../../fixtures/pi/0.73.1/"+session+".jsonl")
		f.Add("session.jsonl", data)
		for line := range bytes.Lines(data) {
			f.Add("session.jsonl", line)
		}
	}
	for _, s := range []*script{
		header("/x/p.jsonl").user("a").says("b").from("e1").user("<skill name=\"x\">y</skill>\n\nz").
			entry("compaction", obj{"summary": "S", "firstKeptEntryId": "e1"}),
		header("").call("r", "read", obj{"path": "a"}).done("r", "read", "1\r\n2\r\n", nil).
			call("e", "edit", obj{"path": "a", "edits": `[{"oldText":"2","newText":"x"}]`}).done("e", "edit", "ok", obj{"diff": " 1 1\n-2 2\n+2 x\n   ..."}),
		header("").call("e", "edit", obj{"path": "a", "oldText": "1", "newText": "2"}).done("e", "edit", "ok", obj{"diff": "+3 x\n 9 y\n ...\n-1 z"}),
	} {
		f.Add("session.jsonl", []byte(strings.Join(s.lines, "\n")))
	}
	adaptertest.Fuzz(f, pi.Adapter{})
}
