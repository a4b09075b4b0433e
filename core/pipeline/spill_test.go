package pipeline_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
)

// pile is a spill in memory.
type pile struct {
	texts  strings.Builder
	puts   int
	failed error // of Get
}

func (p *pile) Put(text string) (int64, error) {
	p.puts++
	at := p.texts.Len()
	p.texts.WriteString(text)
	return int64(at), nil
}

func (p *pile) Get(at int64, size int) (string, error) {
	return p.texts.String()[at : int(at)+size], p.failed
}

const (
	longTurn = `{"e":"user","id":"u1","at":1,"t":"Let's use Postgres instead of MySQL for the orders service. Never edit src/vendor.js by hand, ` +
		`it is generated. Name the new table order_lines, and keep the old one until the migration is done."}` + "\n"
	backToStart = `{"e":"rewind","id":"r1","at":9,"to":"s","seq":0}` + "\n"
)

// lines are all nodes that a set gives, as they are written.
func lines(t *testing.T, spill pipeline.Spill, events string) ([]string, error) {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{Spill: spill})
	if err != nil {
		t.Fatal(err)
	}
	st := set.Open(script{}, core.StreamInfo{}, "/t/0.jsonl")
	var out []string
	for line := range strings.Lines(events) {
		feed(st, line)
		for _, n := range set.Take() {
			b, err := (&encode.Encoder{}).Node(nil, n)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(b))
		}
	}
	return out, set.Err()
}

// TestShelf has decisions superseded whose words were put away: their nodes are
// what they are without a spill.
func TestShelf(t *testing.T) {
	events := `{"e":"user","id":"s","at":0,"t":"hello"}` + "\n" + longTurn + editDB + setPort + backToStart
	want, err := lines(t, nil, events)
	if err != nil {
		t.Fatal(err)
	}
	p := &pile{}
	got, err := lines(t, p, events)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-without +with):\n%s", diff)
	}
	if n := strings.Count(strings.Join(got, "\n"), `"superseded_by":"r1"`); n < 3 {
		t.Errorf("%d decisions were superseded, too few to show anything", n)
	}
	if p.puts != 1 {
		t.Errorf("%d texts on the spill, want that of the one long turn", p.puts)
	}
	p = &pile{failed: errors.New("disk on fire")}
	if _, err = lines(t, p, events); err == nil || err.Error() != "fetch words of a decision: disk on fire" {
		t.Errorf("a spill that fails gives %v", err)
	}
}
