package gate

import (
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/core/prose"
)

// Check runs the rules over their own examples: every turn that a rule must mark
// has a hit of its family, and none that it must not mark has one of the rule.
// The error names the first rule that fails.
//
// A Must example is satisfied by any rule of the same family: "instead" may be found by
// a rule that is more exact. A MustNot example is about this rule alone.
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

// fires reports whether a text has a hit that fits.
func (r *Rules) fires(text string, fits func(Hit) bool) bool {
	p := prose.Of(text)
	s := r.Scan(p)
	return slices.ContainsFunc(s.hits, fits)
}
