package redact

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/ahocorasick"
	"github.com/memscribe/memscribe/core/redact/internal/names"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
)

// ruleSet is the compiled rules. It does not change any more, so that engines
// may share it.
type ruleSet struct {
	rules     []rule
	auto      *ahocorasick.Automaton
	published []string                  // values that are left alone
	tries     []wordTries               // by word of the automaton
	assigned  [names.Password + 1]int32 // the rules of assignments, by what the name promises
}

// wordTries says what to try where a word stands.
type wordTries struct {
	tokens  []int32 // rules, by kind
	middles []int32
	named   []int32
	custom  []int32
	code    []codeTry
	length  int
}

// codeTry is a rule that code applies.
type codeTry struct {
	do   func(e *Engine, rule int32, start, end int)
	rule int32
}

// newRuleSet compiles the rules of a table and those from outside.
func newRuleSet(table string, extra []rule) (*ruleSet, error) {
	rules, err := parseTable(table)
	if err != nil {
		return nil, err
	}
	s := &ruleSet{rules: append(rules, extra...)}
	for i, r := range rules {
		if p := promiseOf(r.id); p != names.Nothing {
			if s.assigned[p] = int32(i); p == names.Token {
				s.assigned[names.Session] = int32(i)
			}
		}
	}
	count := len(s.rules)
	for i := range s.rules {
		count += strings.Count(s.rules[i].words, "|")
	}
	number := make(map[string]int, count)
	words := make([]string, 0, count)
	s.tries = make([]wordTries, 0, count)
	for i := range s.rules {
		if s.rules[i].kind == published {
			s.published = append(s.published, s.rules[i].pattern)
			continue
		}
		for rest := s.rules[i].words; rest != ""; {
			var w string
			w, rest, _ = strings.Cut(rest, "|")
			if s.rules[i].kind <= middleRule && len(w) > maxTrigger {
				w = w[:maxTrigger]
			}
			k, known := number[w]
			if !known {
				k = len(words)
				number[w] = k
				words = append(words, w)
				s.tries = append(s.tries, wordTries{length: len(w)})
			}
			if k < len(s.tries) && s.tries[k].has(int32(i)) {
				continue // two words that begin alike
			}
			if err := s.tries[k].add(&s.rules[i], int32(i)); err != nil {
				return nil, err
			}
		}
	}
	s.auto = ahocorasick.New(words)
	return s, nil
}

// maxTrigger is how much of a word is searched for where the pattern asks for
// all of it anyway.
const maxTrigger = 20

// adds a rule to the tries by its kind.
func (t *wordTries) add(r *rule, i int32) error {
	switch r.kind {
	case tokenRule:
		t.tokens = append(t.tokens, i)
	case middleRule:
		t.middles = append(t.middles, i)
	case namedRule:
		t.named = append(t.named, i)
	case customRule:
		t.custom = append(t.custom, i)
	case codeRule:
		do := codeFor(r.id)
		if do == nil {
			return fmt.Errorf("no code for rule %q", r.id)
		}
		t.code = append(t.code, codeTry{do: do, rule: i})
	default:
	}
	return nil
}

func (t *wordTries) has(i int32) bool {
	return slices.Contains(t.tokens, i) || slices.Contains(t.middles, i)
}

// run tries the rules of a word that stands at [start, end).
func (t *wordTries) run(e *Engine, start, end int) {
	for _, r := range t.tokens {
		e.token(r, start, end)
	}
	for _, r := range t.middles {
		e.middle(r, start)
	}
	for _, r := range t.custom {
		e.custom(r, start, end)
	}
	for _, c := range t.code {
		c.do(e, c.rule, start, end)
	}
	if len(t.named) > 0 && e.prose() {
		e.namedValue(t.named, start, end)
	}
}

// pattern returns the pattern of a rule, compiled at its first use. It is nil for one
// that does not compile, which TestEveryRuleFires rules out.
func (e *Engine) pattern(i int32) *pattern.Pattern {
	if e.progs[i] == nil {
		p, err := pattern.Compile(e.set.rules[i].pattern)
		if err != nil {
			return nil
		}
		e.progs[i] = p
	}
	return e.progs[i]
}

// What the work on one attempt counts for: an attempt that fails ends early, as a rule,
// and one that matches has read what it matched.
const (
	attemptWork = 16
	matchedWork = 1 // by byte
)

// matchAt runs a rule's pattern at an offset of the view.
func (e *Engine) matchAt(i int32, at int) pattern.Match {
	p := e.pattern(i)
	if p == nil {
		return pattern.Match{}
	}
	m := p.Match(e.view.Text, at)
	e.work += attemptWork
	if m.Ok {
		e.work += (m.End - at) * matchedWork
	}
	return m
}

// prose reports whether the text may hold more than one token: only there do
// names and assignments mean something.
func (e *Engine) prose() bool { return e.field >= core.PathField }

// promiseOf returns the promise that a rule reports.
func promiseOf(id string) names.Promise {
	switch id {
	case ruleAssignedKey:
		return names.SomeKey
	case ruleAssignedToken:
		return names.Token
	case ruleAssignedSecret:
		return names.Secret
	case ruleAssignedPassword:
		return names.Password
	}
	return names.Nothing
}
