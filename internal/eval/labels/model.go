package labels

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/score"
)

// How the weights are learnt; chosen by cross-validation outside the locked fifth.
const (
	// ExchangeRidge and SentenceRidge pull every weight towards 0.
	ExchangeRidge = 2.0
	SentenceRidge = 0.8
	// ShapeValue is how much a shape counts against an n-gram of length 1: less,
	// so that a few hundred shapes do not drown in the ridge.
	ShapeValue = 0.25
	// SeedWeight is what one of the project's own examples counts against a labelled
	// turn.
	SeedWeight = 0.4
	// Folds is into how many parts the projects are divided to see what comes of
	// weights that have not seen them.
	Folds = 8

	// Beside is what the other sentences of a turn that decides count for against it: some of
	// them decide too.
	Beside = 0.3

	// Alone is what a sentence beside the best one weighs at least, in log odds, to be a
	// decision of its own; Joins, to stand in one epitome with its neighbour.
	Alone = -0.6
	Joins = -2.5

	mostExchange, mostSentence = 14_000, 7_000
)

// Read is a labelled turn with its evidence.
type Read struct {
	*Turn
	decide.Evidence
	target int // sentence that decides, -1 if none does
	names  []decide.NameEvidence
}

// ReadAll collects the evidence of turns.
func ReadAll(rules *gate.Rules, turns []Turn) []Read {
	out := make([]Read, len(turns))
	for i := range turns {
		t := &turns[i]
		out[i] = Read{Turn: t, Evidence: decide.EvidenceOf(rules, t.Input())}
		out[i].target = out[i].find()
		if out[i].target >= 0 && t.EpitomeIn == "user" && t.Repo != seedRepo {
			out[i].names = decide.Names(rules, t.Input(), out[i].target)
		}
	}
	return out
}

// find returns the sentence that holds the labelled epitome.
func (r *Read) find() int {
	if !r.IsDecision() || len(r.Sentences) == 0 {
		return -1
	}
	if r.EpitomeIn == "assistant" {
		return 0
	}
	at := strings.Index(r.Text, r.Epitome)
	best, most := -1, 0
	for i, s := range r.Sentences {
		if n := min(at+len(r.Epitome), s.End) - max(at, s.Start); at >= 0 && n > most {
			best, most = i, n
		}
	}
	return best
}

// number returns a number that a project's name gives: it says what is locked, and in
// which fold the project is.
func number(project string) uint32 {
	sum := sha256.Sum256([]byte(project))
	return binary.BigEndian.Uint32(sum[:4])
}

// IsLocked reports whether a turn is of the fifth of the projects whose errors are
// never looked at.
func (t *Turn) IsLocked() bool { return t.Repo != seedRepo && number(t.Repo)%5 == 0 }

// fold returns the fold of a turn; -1 is in none: it is always learnt from.
func (t *Turn) fold() int {
	if t.Repo == seedRepo {
		return -1
	}
	return int(number(t.Repo)/5) % Folds
}

// weight returns what a turn counts.
func (t *Turn) weight() float64 {
	switch {
	case t.Repo == seedRepo:
		return SeedWeight
	case t.Confidence == 1:
		return 0.5
	case t.Confidence == 2:
		return 0.85
	}
	return 1
}

// yes returns 1 for true.
func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// linear is a model before it is mixed.
type linear struct {
	entries []score.Entry
	biases  [2]int64
	mix     mixing
	bounds  [100]float64
}

// mixing joins what an exchange and its best sentence weigh.
type mixing struct{ turn, sentence, offset float64 }

// fit learns both models from turns.
//
// A sample of the first model is a turn, of the second a sentence. Sentences beside the
// one that decides count less, because some of them decide too, and sentences of turns
// whose epitome was not found are left out.
func fit(reads []Read) *linear {
	var out linear
	ev := vocabularyOf(func(yield func(project, name string)) {
		for i := range reads {
			r := &reads[i]
			for _, block := range [][]decide.Named{r.Own, r.Before, r.Evidence.Reply, r.Shape} {
				for _, f := range block {
					yield(r.Repo, f.Name)
				}
			}
		}
	})
	var samples []sample
	for i := range reads {
		r := &reads[i]
		s := sample{yes: yes(r.IsDecision()), weight: r.weight(), project: r.Repo}
		for _, block := range [][]decide.Named{r.Own, r.Before, r.Evidence.Reply} {
			s.features = appendBlock(s.features, block, ev)
		}
		s.features = appendShape(s.features, r.Shape, ev)
		samples = append(samples, s)
	}
	shapes := map[string]bool{}
	for i := range reads {
		for _, f := range reads[i].Shape {
			shapes[f.Name] = true
		}
		for _, s := range reads[i].Sentences {
			for _, f := range s.Shape {
				shapes[f.Name] = true
			}
		}
	}
	scale := func(name string) float64 {
		if shapes[name] {
			return ShapeValue
		}
		return 1
	}
	l := newLearner(samples, len(ev.names))
	l.trust(func(no int) bool { return shapes[ev.names[no]] })
	l.fit(ExchangeRidge)
	out.entries = l.entries(score.Exchange, ev, scale, mostExchange)
	out.entries = append(out.entries, sparse(reads, out.entries)...)
	out.biases[score.Exchange] = int64(math.Round(l.bias * score.Unit))
	sv := vocabularyOf(func(yield func(project, name string)) {
		for i := range reads {
			for _, s := range reads[i].Sentences {
				for _, block := range [][]decide.Named{s.Words, s.Shape} {
					for _, f := range block {
						yield(reads[i].Repo, f.Name)
					}
				}
			}
		}
	})
	samples = nil
	for i := range reads {
		r := &reads[i]
		for k, x := range r.Sentences {
			s := sample{yes: yes(k == r.target), weight: r.weight(), project: r.Repo}
			if k != r.target {
				s.weight *= math.Min(1, 2/float64(len(r.Sentences)))
			}
			if r.IsDecision() && k != r.target {
				if r.target < 0 || r.EpitomeIn == "assistant" {
					continue
				}
				s.weight *= Beside
			}
			s.features = appendShape(appendBlock(nil, x.Words, sv), x.Shape, sv)
			samples = append(samples, s)
		}
	}
	l = newLearner(samples, len(sv.names))
	l.trust(func(no int) bool { return shapes[sv.names[no]] })
	l.fit(SentenceRidge)
	out.entries = append(out.entries, l.entries(score.OfOne, sv, scale, mostSentence)...)
	out.entries = append(out.entries, learnAspects(reads)...)
	out.entries = append(out.entries, learnNames(reads)...)
	out.biases[score.OfOne] = int64(math.Round(l.bias * score.Unit))
	out.mix = mixing{0.7, 0.29, 0}
	return &out
}

// appendBlock adds the features of one block, which share one length.
func appendBlock(out []feature, block []decide.Named, v *vocabulary) []feature {
	counts := make([]score.Count, len(block))
	for i, f := range block {
		counts[i].N = f.N
	}
	length := float64(score.Length(counts))
	for _, f := range block {
		if no, ok := v.no[f.Name]; ok {
			out = append(out, feature{no, float64(score.Value(f.N)) / length})
		}
	}
	return out
}

// appendShape adds features that count as they are.
func appendShape(out []feature, shape []decide.Named, v *vocabulary) []feature {
	for _, f := range shape {
		if no, ok := v.no[f.Name]; ok {
			out = append(out, feature{no, ShapeValue})
		}
	}
	return out
}

// format writes a model as [score.Parse] reads it.
//
// The format is a table of names and integers in units of score.Unit; core/decide
// embeds it.
func (l *linear) format() []byte {
	var b bytes.Buffer
	round := func(x float64) int64 { return int64(math.Round(x * score.Unit)) }
	offset := round(l.mix.offset) + int64(math.Round(l.mix.turn*float64(l.biases[0])+l.mix.sentence*float64(l.biases[1])))
	fmt.Fprintf(&b, "turn\t%d\nsentence\t%d\noffset\t%d\n", round(l.mix.turn), round(l.mix.sentence), offset)
	fmt.Fprintf(&b, "alone\t%d\njoins\t%d\n", round(Alone)-l.biases[score.OfOne], round(Joins)-l.biases[score.OfOne])
	fmt.Fprintf(&b, "least\t%d\nfirst\t%d\n", Least, First)
	for _, x := range l.bounds {
		fmt.Fprintf(&b, "bound\t%d\n", round(x))
	}
	return append(b.Bytes(), l.weights()...)
}

// weights writes what stands at the end of the format: a weight a line.
func (l *linear) weights() []byte {
	var b bytes.Buffer
	for _, e := range l.entries {
		fmt.Fprintf(&b, "%s\t%s\t%d\n", score.Code(e.Model), e.Name, e.Weight)
	}
	return b.Bytes()
}

// judge returns a judge by the model.
func (l *linear) judge(rules *gate.Rules, threshold int) (*decide.Judge, error) {
	m, err := score.Parse(string(l.format()))
	if err != nil {
		return nil, fmt.Errorf("use learnt weights: %w", err)
	}
	return decide.NewJudge(rules, m, threshold), nil
}

// raw is what the models say of a turn: of the exchange, and of its best sentence.
type raw struct {
	exchange, sentence, yes, weight float64

	fold int
	own  float64 // exchange, with the shapes as they count in the group
}

// Learn learns the weights from turns and writes them as a file. What the two models
// count for against each other is fitted to what they say of projects that they have
// not seen.
func Learn(rules *gate.Rules, turns []Turn) ([]byte, error) {
	l, err := learn(ReadAll(rules, turns))
	if err != nil {
		return nil, err
	}
	return l.format(), nil
}

// LearnWeights learns what [Learn] writes behind its joining numbers, in a ninth of its time:
// no fold is left out.
func LearnWeights(rules *gate.Rules, turns []Turn) []byte {
	return fit(ReadAll(rules, turns)).weights()
}

// learn learns the whole model: weights from all turns, the joining numbers from
// cross-validation.
func learn(reads []Read) (*linear, error) {
	_, seen, err := folds(reads)
	if err != nil {
		return nil, err
	}
	l := fit(reads)
	l.join(seen)
	return l, nil
}

// join fits how the models are joined, and how scores are made of sums, to what is said of
// turns that were not seen.
func (l *linear) join(seen []raw) {
	if mix := mixed(seen); mix.turn > 0 { // a few turns may all be of one fold, or of one kind
		l.mix = mix
	}
	l.bounds = bounds(seen, l.mix)
}

// folds learns from all folds but one, for each, and returns what each part says of the
// fold that it has not seen. A part is joined by what the parts say of all other folds.
//
// seen has what each part says of turns of its own fold: figures for turns that were
// not learnt.
func folds(reads []Read) (parts [Folds]*linear, seen []raw, err error) {
	for k := range Folds {
		var train []Read
		for i := range reads {
			if reads[i].fold() != k {
				train = append(train, reads[i])
			}
		}
		parts[k] = fit(train)
		m, err := score.Parse(string(parts[k].format()))
		if err != nil {
			return parts, nil, fmt.Errorf("use learnt weights: %w", err)
		}
		for i := range reads {
			if r := &reads[i]; r.fold() == k && len(r.Sentences) > 0 {
				seen = append(seen, parts[k].of(m, r))
			}
		}
	}
	for k := range parts {
		parts[k].join(slices.DeleteFunc(slices.Clone(seen), func(r raw) bool { return r.fold == k }))
	}
	return parts, seen, nil
}

// of returns what a model says of a turn, in log odds.
func (l *linear) of(m *score.Model, r *Read) raw {
	sum := l.biases[0] + weigh(m, score.Exchange, r.Own, true) + weigh(m, score.Exchange, r.Before, true) +
		weigh(m, score.Exchange, r.Evidence.Reply, true) + weigh(m, score.Exchange, r.Shape, false)
	best := int64(math.MinInt64)
	for _, s := range r.Sentences {
		one := l.biases[1] + weigh(m, score.OfOne, s.Words, true) + weigh(m, score.OfOne, s.Shape, false)
		if s.Plain {
			one += decide.ForDecision(weigh(m, score.Ban, s.Forbids, false) + weigh(m, score.Ban, s.Shape, false))
		}
		best = max(best, one)
	}
	own := sum - weigh(m, score.Exchange, r.Shape, false) + weigh(m, r.Shapes, r.Shape, false)
	return raw{float64(sum) / score.Unit, float64(best) / score.Unit, yes(r.IsDecision()), 1, r.fold(), float64(own) / score.Unit}
}

// weigh returns what a frozen model gives to features, in integers, as the program
// computes it.
func weigh(m *score.Model, of int, features []decide.Named, oneLength bool) int64 {
	var sum int64
	counts := make([]score.Count, len(features))
	for i, f := range features {
		counts[i].N = f.N
		v := int64(1)
		if oneLength {
			v = score.Value(f.N)
		}
		sum += m.Weight(of, score.Hash(f.Name)) * v
	}
	if oneLength {
		return sum / score.Length(counts)
	}
	return sum
}

// mixed fits how the two are joined.
func mixed(seen []raw) mixing {
	samples := make([]sample, len(seen))
	for i, r := range seen {
		samples[i] = sample{features: []feature{{0, r.exchange}, {1, r.sentence}}, yes: r.yes, weight: r.weight}
	}
	l := newLearner(samples, 2)
	for range 20 {
		l.fit(1e-3)
	}
	return mixing{l.weights[0], l.weights[1], l.bias}
}
