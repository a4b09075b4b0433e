package redact

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/ahocorasick"
	"github.com/memscribe/memscribe/core/redact/internal/command"
	"github.com/memscribe/memscribe/core/redact/internal/names"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
	"github.com/memscribe/memscribe/core/redact/internal/rules"
)

// ruleSet is the compiled rules. It does not change any more, so that engines
// may share it.
type ruleSet struct {
	rules     []rules.Rule
	auto      *ahocorasick.Automaton
	words     []string                  // of the automaton
	number    map[string]int            // of a word
	published []string                  // values that are left alone
	tries     []wordTries               // by word of the automaton
	assigned  [names.Password + 1]int32 // the rules of assignments, by what the name promises

	commandOption, commandUser int32 // the rules of commands
}

// wordTries says what to try where a word stands.
type wordTries struct {
	tokens   []int32 // rules, by kind
	middles  []int32
	named    []int32
	custom   []int32
	code     []codeTry
	commands []*command.Command
	length   int
}

// codeTry is a rule that code applies.
type codeTry struct {
	do   func(e *Engine, rule int32, start, end int)
	rule int32
}

// newRuleSet compiles the rules of a table and those from outside.
func newRuleSet(table string, extra []rules.Rule) (*ruleSet, error) {
	all, err := rules.Parse(table)
	if err != nil {
		return nil, err
	}
	commands, err := command.All()
	if err != nil {
		return nil, err
	}
	count := len(all) + len(extra)
	for i := range all {
		count += strings.Count(all[i].Words, "|")
	}
	s := &ruleSet{
		rules: append(all, extra...), number: make(map[string]int, count),
		words: make([]string, 0, count), tries: make([]wordTries, 0, count),
	}
	ids := make(map[string]int32)
	for i := range s.rules {
		r := &s.rules[i]
		switch r.Kind {
		case rules.Published:
			s.published = append(s.published, r.Pattern)
		case rules.Command:
			ids[r.ID] = int32(i)
		default:
			if p := promiseOf(r.ID); p != names.Nothing {
				if s.assigned[p] = int32(i); p == names.Token {
					s.assigned[names.Session] = int32(i)
				}
			}
			if err := s.addRule(r, int32(i)); err != nil {
				return nil, err
			}
		}
	}
	if rule, ok := ids[ruleCommandOption]; ok {
		s.commandOption, s.commandUser = rule, ids[ruleCommandUser]
		for i := range commands {
			for w := range strings.SplitSeq(commands[i].Words, "|") {
				t := s.try(w)
				t.commands = append(t.commands, &commands[i])
			}
		}
	}
	s.auto = ahocorasick.New(s.words)
	return s, nil
}

// try returns what to try where a word stands.
func (s *ruleSet) try(word string) *wordTries {
	k, known := s.number[word]
	if !known {
		k = len(s.words)
		s.number[word] = k
		s.words = append(s.words, word)
		s.tries = append(s.tries, wordTries{length: len(word)})
	}
	return &s.tries[k]
}

// addRule adds a rule to what its words try.
func (s *ruleSet) addRule(r *rules.Rule, i int32) error {
	for w := range strings.SplitSeq(r.Words, "|") {
		if r.Kind <= rules.Middle && len(w) > maxTrigger {
			w = w[:maxTrigger]
		}
		if t := s.try(w); !t.has(i) { // or two words begin alike
			if err := t.add(r, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxTrigger is how much of a word is searched for where the pattern asks for
// all of it anyway.
const maxTrigger = 20

// add adds a rule to the tries by its kind.
func (t *wordTries) add(r *rules.Rule, i int32) error {
	switch r.Kind {
	case rules.Token:
		t.tokens = append(t.tokens, i)
	case rules.Middle:
		t.middles = append(t.middles, i)
	case rules.Named:
		t.named = append(t.named, i)
	case rules.Custom:
		t.custom = append(t.custom, i)
	case rules.Code:
		do := codeFor(r.ID)
		if do == nil {
			return fmt.Errorf("no code for rule %q", r.ID)
		}
		t.code = append(t.code, codeTry{do: do, rule: i})
	default:
	}
	return nil
}

// has reports whether a rule is tried already: two of its words may begin alike.
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
	for _, c := range t.commands {
		e.tryCommand(c, start, end)
	}
	if len(t.named) > 0 && e.prose() {
		e.namedValue(t.named, start, end)
	}
}

// pattern returns the pattern of a rule, compiled at its first use. It is nil for one
// that does not compile, which TestEveryRuleFires rules out.
func (e *Engine) pattern(i int32) *pattern.Pattern {
	if e.progs[i] == nil {
		p, err := pattern.Compile(e.set.rules[i].Pattern)
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
