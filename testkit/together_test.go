package testkit_test

import (
	"testing"

	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/internal/verify/truth"
)

// TestAllTogether reads the whole corpus as one capture: sessions of which each
// is right alone must be so in company, even where their scripted models handed
// out the same call ids.
func TestTogetherOfFixtures(t *testing.T) { together(t, fixtures) }
func TestTogetherOfRecorded(t *testing.T) { together(t, recorded()) }

func together(t *testing.T, root string) {
	var inputs []trial.Input
	all := sessions(t, root)
	for _, s := range all {
		s.load(t)
		inputs = append(inputs, s.inputs...)
	}
	r := whole(t, inputs)
	for _, s := range all {
		for _, p := range truth.Check(s.Case, of(r, s)) {
			t.Errorf("%s: %s", s.Name(), p)
		}
	}
}

// of is what of a result comes out of the transcripts of one session.
func of(r *trial.Result, s *session) *trial.Result {
	names := map[string]bool{}
	for _, in := range s.inputs {
		names[in.Name] = true
	}
	part := &trial.Result{}
	for _, st := range r.Streams {
		if names[st.Input.Name] {
			part.Streams = append(part.Streams, st)
		}
	}
	for _, n := range r.Nodes {
		if names[n.Provenance[len(n.Provenance)-1].File] {
			part.Nodes = append(part.Nodes, n)
		}
	}
	return part
}
