package redact

import (
	"errors"
	"strings"

	"github.com/memscribe/memscribe/core/redact/internal/pattern"
	"github.com/memscribe/memscribe/core/redact/internal/rules"
	"github.com/memscribe/memscribe/core/redact/internal/view"
)

// Work returns what the last call cost, and what it could have cost.
func Work(e *Engine) (work, budget int) { return e.work, e.budget }

// Only returns an engine that has no rule but one of the table's.
func Only(id string) (*Engine, error) {
	for line := range strings.Lines(builtin) {
		if col := strings.Split(line, "\t"); len(col) > 1 && col[1] == id {
			set, err := newRuleSet(strings.TrimSpace(line), nil)
			if err != nil {
				return nil, err
			}
			return &Engine{set: set, progs: make([]*pattern.Pattern, len(set.rules))}, nil
		}
	}
	return nil, errors.New("no such rule")
}

// BuiltinRule is a line of the table of rules.
type BuiltinRule struct {
	Kind, ID, Type, Words, Pattern string
}

// Builtin lists the table of rules.
func Builtin() ([]BuiltinRule, error) {
	table, err := rules.Parse(builtin)
	if err != nil {
		return nil, err
	}
	var all []BuiltinRule
	for _, r := range table {
		b := BuiltinRule{ID: r.ID, Type: r.Type, Words: r.Words, Pattern: r.Pattern}
		b.Kind = map[rules.Kind]string{
			rules.Token: "t", rules.Middle: "b", rules.Named: "n", rules.Code: "c", rules.Command: "o", rules.Published: "a",
		}[r.Kind]
		all = append(all, b)
	}
	return all, nil
}

// MapView returns the text as the rules see it, and where each byte of it lies in
// the original: from, to.
func MapView(raw []byte) (text []byte, at [][2]int) {
	var v view.View
	v.Of(raw)
	for i := range v.Text {
		from, to := v.Raw(i, i+1)
		at = append(at, [2]int{from, to})
	}
	return v.Text, at
}

// Prefilter says what is known of a pattern's matches before it is run: their least
// length, and whether one may begin with a byte.
func Prefilter(expr string) (minLen int, mayBegin func(byte) bool, err error) {
	p, err := pattern.Compile(expr)
	if err != nil {
		return 0, nil, err
	}
	return p.MinLen, p.First.Has, nil
}
