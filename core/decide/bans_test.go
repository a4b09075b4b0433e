package decide_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/decide"
)

//go:embed testdata/bans.tsv
var bans string

// TestBans goes through a table of sentences that forbid and of sentences that only look so, in
// ten languages. Each is all that was typed. It counts what is flagged as a ban without a
// reply, with a short one and with a longer one; and what of the look-alikes is a decision at all.
func TestBans(t *testing.T) {
	j := judge(t, standard(t), decide.Threshold)
	for _, reply := range []string{"", "Understood. I won't do that.", "Got it, I'll keep that in mind and continue with the implementation."} {
		n, found, flagged, decides := 0, 0, 0, 0
		for line := range strings.Lines(bans) {
			if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "#") {
				continue
			}
			f := strings.Split(line, "\t")
			if len(f) != 3 {
				t.Fatalf("%q: %d fields", line, len(f))
			}
			n++
			if v := j.Exchange(decide.Input{Text: f[1], Reply: reply, Over: true}); forbids(v) {
				found++
			} else {
				t.Logf("missed: %q (%d)", f[1], v.Score)
			}
			v := j.Exchange(decide.Input{Text: f[2], Reply: reply, Over: true})
			if forbids(v) {
				t.Logf("taken for a ban: %q (%d)", f[2], v.Score)
				flagged++
			}
			if len(v.Decisions) > 0 {
				decides++
			}
		}
		t.Logf("reply %q: of %d bans, %d found; of as many look-alikes, %d flagged and %d taken for decisions", reply, n, found, flagged, decides)
		if n < 60 || found*100 < 88*n || flagged > 1 || decides*100 > 20*n {
			t.Errorf("reply %q: of %d bans, %d found; of as many look-alikes, %d flagged and %d taken for decisions", reply, n, found, flagged, decides)
		}
	}
}

// forbids reports whether a verdict has a decision that forbids.
func forbids(v decide.Verdict) bool {
	for i := range v.Decisions {
		if v.Decisions[i].IsBan {
			return true
		}
	}
	return false
}
