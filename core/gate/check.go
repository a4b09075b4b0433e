package gate

import (
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/core/prose"
)

// Check runs the rules over their own examples and returns an error that names the first rule
// that fails.
//
// A Must example needs a hit of any rule of the family, since a more exact rule may find it. A
// MustNot example must have no hit of this rule.
func (r *Rules) Check() error {
	for i := range r.rules {
		rule := &r.rules[i]
		for _, text := range rule.Must {
			if !r.fires(text, func(h Hit) bool { return h.Rule == i || h.Family == rule.Family }) {
				return fmt.Errorf("rule %q: does not mark %q", rule.ID, text)
			}
		}
		for _, text := range rule.MustNot {
			if r.fires(text, func(h Hit) bool { return h.Rule == i }) {
				return fmt.Errorf("rule %q: marks %q", rule.ID, text)
			}
		}
	}
	return nil
}

// fires reports whether a text has a hit for which fits returns true.
func (r *Rules) fires(text string, fits func(Hit) bool) bool {
	p := prose.Of(text)
	s := r.Scan(p)
	return slices.ContainsFunc(s.hits, fits)
}
