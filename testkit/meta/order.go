package meta

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// Order names the file whose next event is read, one after the other.
type Order []int

// Orders are all orders in which the files can be read one after another, and as
// many again in which they are read in turns.
func (t Talk) Orders() []Order {
	rng := rand.New(rand.NewPCG(t.Seed, 13))
	var orders []Order
	for _, files := range permutations(len(t.Files)) {
		var whole Order
		for _, f := range files {
			whole = append(whole, slices.Repeat(Order{f}, len(t.Files[f].Events))...)
		}
		turns := slices.Clone(whole)
		rng.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		orders = append(orders, whole, turns)
	}
	return orders
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return all
}

// Read reads the files in an order, an event at a time, and returns what a sink
// would hold in the end: nodes in their canonical JSON, by id.
func (t Talk) Read(order Order, rules *gate.Rules) (map[string]string, error) {
	model, err := trial.Model()
	if err != nil {
		return nil, err
	}
	set, err := pipeline.NewSet(pipeline.Options{Rules: rules, Model: model})
	if err != nil {
		return nil, err
	}
	streams := make([]*pipeline.Stream, len(t.Files))
	next := make([]int, len(t.Files))
	held, encoder := map[string]string{}, encode.Encoder{}
	for _, f := range order {
		if streams[f] == nil {
			streams[f] = set.Open(spoken{t.Files[f].Events}, core.StreamInfo{}, t.Files[f].Name)
		}
		streams[f].Line([]byte(strconv.Itoa(next[f])), int64(next[f]), int64(next[f])+1)
		next[f]++
		for _, n := range set.Take() {
			text, err := encoder.Node(nil, n)
			if err != nil {
				return nil, fmt.Errorf("encode %s: %w", n.ID, err)
			}
			held[n.ID] = string(text)
		}
	}
	return held, nil
}

// Check holds every order of reading to the first one: the nodes must be the same,
// to the byte.
func (t Talk) Check(rules *gate.Rules) error {
	orders := t.Orders()
	want, err := t.Read(orders[0], rules)
	if err != nil {
		return err
	}
	for _, order := range orders[1:] {
		got, err := t.Read(order, rules)
		if err != nil {
			return err
		}
		ids := maps.Clone(want)
		maps.Copy(ids, got)
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			if got[id] != want[id] {
				err = errors.Join(err, fmt.Errorf("%s\n    first: %s\n    then:  %s", id, want[id], got[id]))
			}
		}
		if err != nil {
			return fmt.Errorf("seed %d: read as %v, files say else than as %v:\n%w\n%v", t.Seed, order, orders[0], err, t)
		}
	}
	return nil
}
