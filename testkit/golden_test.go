package testkit_test

import (
	"bytes"
	"testing"

	"github.com/memscribe/memscribe/testkit/golden"
)

// TestGolden compares the events and nodes of every fixture with those that were
// read and accepted. Nothing is taken out of them: fixtures hold no secrets but
// dummies.
func TestGolden(t *testing.T) {
	dir := golden.Open(t, "../fixtures-expected")
	each(t, fixtures, func(t *testing.T, s *session) {
		var events, nodes bytes.Buffer
		for _, e := range s.result.Events() {
			events.Write(append(e.JSON, '\n'))
		}
		for _, n := range s.result.Nodes {
			nodes.Write(append(n.JSON, '\n'))
		}
		dir.Check(t, s.Name()+"/events.ndjson", events.Bytes())
		dir.Check(t, s.Name()+"/nodes.ndjson", nodes.Bytes())
	})
}
