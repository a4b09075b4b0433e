package secrets

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/memscribe/memscribe/core"
)

// Tally counts cases or secrets.
type Tally struct {
	Hit int `json:"hit"`
	All int `json:"all"`
}

// Share returns the part of all that was hit; 0 of nothing is 0.
func (t Tally) Share() float64 {
	if t.All == 0 {
		return 0
	}
	return float64(t.Hit) / float64(t.All)
}

// count counts one case.
func (t *Tally) count(hit bool) {
	t.All++
	if hit {
		t.Hit++
	}
}

// Report is the outcome of an evaluation. Its figures are over all shapes; those
// with a shape in the name are over one.
type Report struct {
	// by tier and shape, "core/plain"; and by tier, "core"
	Recall map[string]*Tally `json:"recall"`
	Types  map[string]*Tally `json:"types"` // secrets taken out, by type
	// look-alikes touched, by kind and shape; by kind; by category
	Damaged map[string]*Tally `json:"touched"`
	// secrets that stayed, in the plain shape
	Missed []Outcome `json:"missed_texts,omitempty"`
	// look-alikes that did not, in the plain shape
	Touched []Outcome `json:"touched_texts,omitempty"`
}

// Outcome is what became of one case.
type Outcome struct {
	Case  Case   `json:"case"`
	Type  string `json:"type,omitempty"` // of the missed secret
	Clean string `json:"clean"`
}

// Evaluate runs the scrubber over all cases in all shapes.
func Evaluate(s core.Scrubber, cases []Case) (*Report, error) {
	r := &Report{Recall: map[string]*Tally{}, Types: map[string]*Tally{}, Damaged: map[string]*Tally{}}
	for _, sh := range Shapes() {
		for i, c := range cases {
			if err := r.try(s, sh, c); err != nil {
				return nil, fmt.Errorf("scrub case %d as %s: %w", i+1, sh.Name, err)
			}
		}
	}
	return r, nil
}

// try redacts a case in one shape and counts what was removed.
func (r *Report) try(s core.Scrubber, sh Shape, c Case) error {
	text, from := sh.wrap(c.Text)
	clean, cuts, err := s.Scrub(core.TextField, text)
	if err != nil {
		return err
	}
	if c.Kind != Positive {
		count(r.Damaged, len(cuts) > 0, c.Kind, c.Kind+"/"+sh.Name, c.Cat)
		if len(cuts) > 0 && sh.Name == "plain" {
			r.Touched = append(r.Touched, Outcome{Case: c, Clean: string(clean)})
		}
		return nil
	}
	gone := removed(cuts, from, len(c.Text))
	for _, sec := range c.Secrets {
		n := 0
		for _, g := range gone[sec.Start:sec.End] {
			if g {
				n++
			}
		}
		hit := 2*n >= sec.End-sec.Start
		count(r.Recall, hit, c.Tier, c.Tier+"/"+sh.Name, c.Tier+"/"+c.Cat)
		count(r.Types, hit, sec.Type)
		if !hit && sh.Name == "plain" {
			r.Missed = append(r.Missed, Outcome{Case: c, Type: sec.Type, Clean: string(clean)})
		}
	}
	return nil
}

// removed says for each byte of the original whether a cut took it.
func removed(cuts []core.Cut, from []int, n int) []bool {
	gone := make([]bool, n)
	for _, c := range cuts {
		for i := c.At; i < c.At+c.Len; i++ {
			if from[i] >= 0 {
				gone[from[i]] = true
			}
		}
	}
	return gone
}

// count counts a case under each of the keys.
func count(m map[string]*Tally, hit bool, keys ...string) {
	for _, k := range keys {
		if m[k] == nil {
			m[k] = &Tally{}
		}
		m[k].count(hit)
	}
}

// Write prints the report as text: the figures by tier, shape and kind, then the
// types that something stayed of, worst first.
func (r *Report) Write(w io.Writer) error {
	p := &printer{w: w}
	p.table("recall", r.Recall)
	p.table("look-alikes touched", r.Damaged)
	p.printf("types with something left\n")
	types := slices.SortedFunc(maps.Keys(r.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Types[a].Share(), r.Types[b].Share()), cmp.Compare(a, b))
	})
	for _, t := range types {
		if n := r.Types[t]; n.Hit < n.All {
			p.printf("  %-48s %5d of %5d\n", t, n.Hit, n.All)
		}
	}
	p.outcomes("secrets that stayed", r.Missed)
	p.outcomes("look-alikes that did not stay", r.Touched)
	return p.err
}

// outcomes prints cases that came out wrong.
func (p *printer) outcomes(title string, all []Outcome) {
	if len(all) > 0 {
		p.printf("%s\n", title)
	}
	for _, o := range all {
		p.printf("  %s %s\n    %q\n    %q\n", o.Case.Cat, o.Type, o.Case.Text, o.Clean)
	}
}

// printer writes until the first error, which it keeps.
type printer struct {
	w   io.Writer
	err error
}

// printf prints unless an earlier print failed.
func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// table prints shares by key.
func (p *printer) table(title string, m map[string]*Tally) {
	p.printf("%s\n", title)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		p.printf("  %-32s %6.2f %%  %5d of %5d\n", k, 100*m[k].Share(), m[k].Hit, m[k].All)
	}
}
