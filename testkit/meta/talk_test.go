package meta_test

import (
	"flag"
	"testing"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/testkit/meta"
)

var talks = flag.Int("talks", 600, "how many talks to read in every order")

// TestOrders reads the files of generated sessions in every order and in turns: what
// a sink holds in the end is the same.
func TestOrders(t *testing.T) {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		t.Fatal(err)
	}
	n := *talks
	if testing.Short() {
		n /= 10
	}
	for i := range n {
		s := *seed + uint64(i)
		if err := meta.NewTalk(s).Check(rules); err != nil {
			t.Fatalf("%v\nagain: go test ./testkit/meta -run Orders -talks 1 -seed %d", err, s)
		}
	}
}
