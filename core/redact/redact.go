// Package redact removes secrets from text before it leaves the process.
//
// An [Engine] implements [core.Scrubber]: it replaces each secret by a
// placeholder, [REDACTED:type], and leaves everything else as it is.
//
//	text → view → automaton → rules → findings → cuts
//
// The view is the text without terminal colours and with the escapes of string
// literals resolved; it knows where each byte comes from. One pass of an
// automaton finds every word by which a rule begins to be interesting, and only
// there the rule is tried, on a window of fixed size. What the rules report is
// mapped back, merged and replaced, and the result is looked at again until
// nothing more is found: scrubbing what was scrubbed changes nothing.
//
// The work on one string is counted. Past a budget that grows with its length
// Scrub returns an error, and by the contract nothing of the string may leave.
//
// The passes over one string, which ExampleEngine_Scrub runs:
//
//	text      DB_PASSWORD=\u0022kT9#vLq2Zw\u0022 ok        as it came
//	view      DB_PASSWORD="kT9#vLq2Zw" ok                  escapes resolved, offsets kept
//	words     "PASSWORD" ends at 11                        one pass, blocks of 16 KiB
//	try       the assignment to DB_PASSWORD: its value     a window around the word
//	found     kT9#vLq2Zw, in the view                      findings may overlap
//	settle    allowed ones out; sorted, merged; mapped     the telling rule names the type
//	          to the text, widened to whole characters
//	replace   [REDACTED:password] for it                   cuts in terms of the original
//	round 2   nothing is found: this is the result         at most 8 rounds, else an error
//
// A placeholder that stands in the text already is a zone: no rule is tried in it, and
// no finding takes a part of it.
//
// The result is valid until the next call: it is the text itself if nothing was cut,
// else a buffer of the engine. Cuts are in order and disjoint.
package redact

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/ahocorasick"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
	"github.com/memscribe/memscribe/core/redact/internal/rules"
	"github.com/memscribe/memscribe/core/redact/internal/view"
)

// builtin is the table of rules.
//
//go:embed rules.tsv
var builtin string

// Options say what an engine does beyond its built-in rules. The zero value is
// a complete configuration.
type Options struct {
	Rules []Rule  // further rules
	Allow []Allow // what is left alone
	// DigestKey, where it is not empty, adds to each placeholder a short digest
	// of the secret under this key, so that the same secret can be recognised.
	DigestKey []byte
}

// Engine finds and replaces secrets. It owns scratch memory: one goroutine at a
// time may use it. The compiled rules are shared between an engine and its
// forks.
//
// The fields below field are for one string, and those that end with a place ("end of
// the last …") keep a rule from reading the same run of text twice, so that the work
// stays linear.
type Engine struct {
	set   *ruleSet // nil until first used
	opts  Options
	allow []allowed
	extra []rules.Rule

	field    core.Field
	view     view.View
	zones    []zone
	scanner  ahocorasick.Scanner
	ending   []int32 // the words of the last hit
	found    []found
	progs    []*pattern.Pattern // by rule; nil until a rule's word was seen
	words    runMemo
	plain    plainRun
	cookies  int // end of the last cookie header
	named    int // end of the last identifier that was judged
	tokenEnd int // end of the last token with parts
	joined   []byte
	work     int
	budget   int

	out   [2][]byte
	cuts  []core.Cut
	spare []core.Cut
}

// ErrBudget says that a string took more work than one of its length may.
var ErrBudget = errors.New("work budget exceeded")

// New returns an engine with the built-in rules and those of o. The error names
// the rule that cannot be used. The rules are compiled when the engine is first
// used, so that a program that never scrubs does not pay for it.
func New(o Options) (*Engine, error) {
	e := &Engine{opts: o}
	for _, r := range o.Rules {
		c, err := r.check()
		if err != nil {
			return nil, err
		}
		e.extra = append(e.extra, c)
	}
	for _, a := range o.Allow {
		c, err := a.check()
		if err != nil {
			return nil, err
		}
		e.allow = append(e.allow, c)
	}
	return e, nil
}

// Fork returns another engine with the same rules, for another goroutine. It is
// cheap: the compiled rules are shared.
func (e *Engine) Fork() (*Engine, error) {
	if err := e.compile(); err != nil {
		return nil, err
	}
	return &Engine{
		set: e.set, opts: e.opts, allow: e.allow, extra: e.extra,
		scanner: e.scanner.Fork(e.set.auto), progs: make([]*pattern.Pattern, len(e.progs)),
	}, nil
}

// compile builds the rules at the first use.
func (e *Engine) compile() error {
	if e.set != nil {
		return nil
	}
	set, err := newRuleSet(builtin, e.extra)
	if err != nil {
		return fmt.Errorf("compile redaction rules: %w", err)
	}
	e.set = set
	e.progs = make([]*pattern.Pattern, len(set.rules))
	return nil
}

// minText is the length below which a text holds no secret, nor a name and a
// value.
const minText = 8

// maxKept is how large a buffer may be that is kept for smaller texts.
const maxKept = 4 << 20

// Limits on one call: the work that is free, the work that each byte pays for,
// and how often the result is looked at again.
const (
	freeWork    = 1 << 22
	workPerByte = 400
	maxRounds   = 8
)

// Scrub implements [core.Scrubber].
func (e *Engine) Scrub(f core.Field, s []byte) (clean []byte, cuts []core.Cut, err error) {
	if len(s) < minText {
		return s, nil, nil
	}
	defer func() {
		if r := recover(); r != nil { // fail closed: whatever broke, nothing leaves
			clean, cuts, err = nil, nil, fmt.Errorf("scrub text of %d bytes: a rule broke: %v", len(s), r)
		}
	}()
	if err := e.compile(); err != nil {
		return nil, nil, err
	}
	if uint64(len(s)) > view.MaxText {
		return nil, nil, fmt.Errorf("scrub text of %d bytes: it is too long", len(s))
	}
	e.field, e.work, e.budget = fieldOf(f, s), 0, freeWork+workPerByte*len(s)
	e.cuts = e.cuts[:0]
	defer e.trim()
	for _, b := range []*[]byte{&e.out[0], &e.out[1]} {
		if cap(*b) > maxKept && len(s) < maxKept {
			*b = nil
		}
	}
	clean = s
	for round := 0; ; round++ {
		if err := e.find(clean); err != nil {
			return nil, nil, fmt.Errorf("scrub text of %d bytes: %w", len(s), err)
		}
		if len(e.found) == 0 {
			return clean, e.cuts, nil
		}
		if round == maxRounds {
			return nil, nil, fmt.Errorf("scrub text of %d bytes: %w: still changing after %d rounds", len(s), ErrBudget, round)
		}
		clean = e.replace(clean, round%2)
	}
}

// trim gives back what a long text took, and the text: what follows needs memory, too.
func (e *Engine) trim() {
	e.view.Trim(maxKept)
	e.scanner.Start(e.set.auto, nil)
}

// fieldOf is what a string stands for: an id or a name with a blank in it is a text.
func fieldOf(f core.Field, s []byte) core.Field {
	if f < core.PathField && slices.ContainsFunc(s, func(c byte) bool { return c <= ' ' }) {
		return core.TextField
	}
	return f
}

// Finding is one secret in a string.
type Finding struct {
	Rule  string // id of the rule
	Type  string // what the placeholder says
	Start int    // byte offsets
	End   int
}

// Find reports the secrets that the first look at s finds, in order, without
// replacing them: what Scrub would cut, apart from what only shows when the
// rest is gone.
func (e *Engine) Find(f core.Field, s []byte) ([]Finding, error) {
	if err := e.compile(); err != nil {
		return nil, err
	}
	e.field, e.work, e.budget = fieldOf(f, s), 0, freeWork+workPerByte*len(s)
	if err := e.find(s); err != nil {
		return nil, fmt.Errorf("search text of %d bytes: %w", len(s), err)
	}
	var all []Finding
	for _, x := range e.found {
		r := &e.set.rules[x.rule]
		all = append(all, Finding{Rule: r.ID, Type: r.Type, Start: x.start, End: x.end})
	}
	return all, nil
}
