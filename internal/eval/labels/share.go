package labels

import (
	"math"
	"slices"
)

// Share is a part of a whole, with the interval in which the true share lies
// with a probability of 95 % (Wilson).
type Share struct {
	Of, All   int
	Low, High float64
}

// Value returns the share itself; 0 of nothing.
func (s Share) Value() float64 {
	if s.All == 0 {
		return 0
	}
	return float64(s.Of) / float64(s.All)
}

// share returns a share with its Wilson interval of 95 %.
func share(of, all int) Share {
	s := Share{Of: of, All: all, High: 1}
	if all == 0 {
		return s
	}
	const z = 1.959964
	n, p := float64(all), float64(of)/float64(all)
	mid := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	s.Low, s.High = math.Max(0, mid-half), math.Min(1, mid+half)
	return s
}

// Score is how well decisions are told from the rest.
type Score struct {
	Precision, Recall Share
	F1, Low, High     float64
}

// scored counts true, false and missed decisions. The interval of F1 is that of
// the counts drawn again many times, by a fixed sequence.
//
// 2,000 draws with a fixed generator: the same counts give the same interval.
func scored(hit, wrong, missed int) Score {
	s := Score{Precision: share(hit, hit+wrong), Recall: share(hit, hit+missed), F1: f1(hit, wrong, missed)}
	const draws = 2000
	n := hit + wrong + missed
	if n == 0 {
		return s
	}
	values := make([]float64, draws)
	state := uint64(1)
	for d := range values {
		h, w := 0, 0
		for range n {
			state = state*6364136223846793005 + 1442695040888963407
			switch k := int((state >> 33) % uint64(n)); {
			case k < hit:
				h++
			case k < hit+wrong:
				w++
			}
		}
		values[d] = f1(h, w, n-h-w)
	}
	slices.Sort(values)
	s.Low, s.High = values[draws/40], values[draws-draws/40-1]
	return s
}

// f1 returns the harmonic mean of precision and recall.
func f1(hit, wrong, missed int) float64 {
	if hit == 0 {
		return 0
	}
	return 2 * float64(hit) / float64(2*hit+wrong+missed)
}
