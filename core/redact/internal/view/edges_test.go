package view

import (
	"math/rand/v2"
	"testing"
)

// list is what edges is, one edge after the other.
type list []edge

func (l *list) put(at, raw, width int) {
	if k := len(*l); k > 0 && int((*l)[k-1].at) == at {
		*l = (*l)[:k-1]
	}
	if k := len(*l); k == 0 || width != 1 || (*l)[k-1].source(at) != raw {
		*l = append(*l, edge{uint32(at), uint32(raw), uint32(width)})
	}
}

func (l *list) cut(at int) {
	for k := len(*l); k > 0 && int((*l)[k-1].at) >= at; k-- {
		*l = (*l)[:k-1]
	}
}

func (l *list) before(at int) (x edge, ok bool) {
	for _, e := range *l {
		if int(e.at) > at {
			break
		}
		x, ok = e, true
	}
	return x, ok
}

// TestEdges: the short form of a list of edges says what the list says, whatever the text:
// escapes beside each other and far apart, of any length, with what is not seen between them
// and bytes that are taken back.
func TestEdges(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 1))
		var short edges
		var all list
		for range 2 { // its memory is used again
			short.reset()
			all = all[:0]
			at, raw := 0, 0
			for range 3000 {
				switch r.IntN(12) {
				case 0:
					n := r.IntN(min(at, 200) + 1)
					short.cut(at - n)
					all.cut(at - n)
					at -= n
				case 1:
					raw += r.IntN(400)
					short.put(at, raw, 1)
					all.put(at, raw, 1)
				case 2:
					n := r.IntN(100_000)
					at, raw = at+n, raw+n
				default:
					width := 1 + r.IntN(1<<r.IntN(12))
					short.put(at, raw, width)
					all.put(at, raw, width)
					at, raw = at+1, raw+width
					short.put(at, raw, 1)
					all.put(at, raw, 1)
				}
			}
			short.commit()
			for _, e := range all {
				for _, at := range []int{int(e.at) - 1, int(e.at), int(e.at) + 1} {
					got, gotAny := short.before(at)
					if want, wantAny := all.before(at); got != want || gotAny != wantAny {
						t.Fatalf("seed %d: before %d is %v %v, want %v %v", seed, at, got, gotAny, want, wantAny)
					}
				}
			}
		}
	}
}
