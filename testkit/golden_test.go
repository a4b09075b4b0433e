package testkit_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/testkit/brief"
	"github.com/memscribe/memscribe/testkit/golden"
)

// canonical is where the canonical events of every fixture are written: two of these
// folders, of two checkouts, show by "diff -r" why a digest is another one.
var canonical = flag.String("events", "", "a folder for the canonical events of every fixture")

// TestGolden compares the events and nodes of every fixture with those that were
// read and accepted: the nodes, and the events of some cases, by their canonical bytes, all
// other events by a line and a digest of those. Nothing is taken out of them: fixtures hold no
// secrets but dummies.
func TestGolden(t *testing.T) {
	dir := golden.Open(t, "../fixtures-expected")
	var all []*corpus.Case
	for _, s := range sessions(t, fixtures) {
		all = append(all, s.Case)
	}
	each(t, fixtures, func(t *testing.T, s *session) {
		var nodes bytes.Buffer
		for _, n := range s.result.Nodes {
			nodes.Write(append(n.JSON, '\n'))
		}
		name, events := brief.Name(all, s.Case, s.result.Events())
		dir.Check(t, s.Name()+"/"+name, []byte(events))
		dir.Check(t, s.Name()+"/nodes.ndjson", nodes.Bytes())
		if *canonical != "" {
			to := filepath.Join(*canonical, filepath.FromSlash(s.Name())+".ndjson")
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, []byte(brief.Canonical(s.result.Events())), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
}
