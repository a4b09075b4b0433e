package setup

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/config"
)

// redactKeys returns the settings of redaction that no flag sets.
func redactKeys() []config.Key {
	return []config.Key{
		{Name: "redact.rules[].id", About: "names the rule in findings and errors", Example: `"badge"`},
		{Name: "redact.rules[].type", About: "stands in the placeholder; made from the id where left out", Example: `"badge"`},
		{Name: "redact.rules[].keywords", Kind: config.Texts, About: "words; every match has at least one, in any case; may be left out where the pattern begins with three letters or more", Example: `["BADGE-"]`},
		{Name: "redact.rules[].pattern", About: "a regular expression; its first group is the secret, or all of it", Example: `'BADGE-\d{6}'`},
		{Name: "redact.rules[].entropy", Kind: config.Number, About: "how drawn the secret must look at least, in bits a byte", Example: "3.0"},
		{Name: "redact.allow[].id", About: "names the entry in errors", Example: `"our test password"`},
		{Name: "redact.allow[].rule", About: "the rule that is meant; left out, every one is", Example: `"assigned-password"`},
		{Name: "redact.allow[].pattern", About: "a regular expression that the whole secret matches", Example: `'letmein-.*'`},
	}
}

// gateKeys returns the settings of the gate.
func gateKeys() []config.Key {
	categories := []string{"", string(core.DecisionVerb), string(core.Rejection), string(core.Ban), string(core.Imperative), string(core.Memory), string(core.Confirmation), string(core.ActionRequest)}
	return []config.Key{
		{
			Name: "decide.threshold", Kind: config.Int, About: "the least score of a decision that is kept, from 1 to 100: of those with a score of 80, 80 of 100 are right",
			Example: strconv.Itoa(decide.Threshold),
		},
		{Name: "gate.disable", Kind: config.Texts, About: "rules of the program to take out, by id; zh.* is all that begin so", Example: `["en.no-x"]`},
		{Name: "gate.rules[].id", About: "names the rule; that of a rule of the program changes it, and what is left out stays as it is", Example: `"house-ban"`},
		{Name: "gate.rules[].category", About: "of the markers that it gives", Choices: categories, Example: `"ban"`},
		{Name: "gate.rules[].tier", About: "how far a hit goes by itself: cue, hint or strong; a strong one without a family decides", Choices: []string{"cue", "hint", "strong"}, Example: `"strong"`},
		{Name: "gate.rules[].family", About: "what it means, where the category does not say it", Choices: families()},
		{Name: "gate.rules[].patterns", Kind: config.Texts, About: "rows of terms; core/gate says what a term may be", Example: `["over my dead body"]`},
		{Name: "gate.rules[].must", Kind: config.Texts, About: "turns that it must mark", Example: `["Tabs? Over my dead body."]`},
		{Name: "gate.rules[].must_not", Kind: config.Texts, About: "turns that it must not mark", Example: `["The body of the request is dead code."]`},
		{Name: "gate.lists.*", Kind: config.Texts, About: "words that patterns may name, here as {mine}", Example: `["mauve", "teal"]`},
	}
}

// families returns the names of the families of rules.
func families() []string {
	names := []string{""}
	for f := gate.NoFamily + 1; int(f) < gate.Families; f++ {
		names = append(names, f.String())
	}
	return names
}

// readRules reads the rules in a file and tries them, so that a wrong rule is an error before any
// transcript is read.
func (s *Setup) readRules(d *config.Document) config.Problems {
	found := append(s.readRedaction(d), s.readThreshold(d)...)
	found = append(found, s.readOwn(d)...)
	found = append(found, s.checkTeams(d)...)
	found = append(found, s.checkEmbeddings(d)...)
	return append(found, s.readGate(d)...)
}

// readThreshold reads decide.threshold, from 1 to 100.
func (s *Setup) readThreshold(d *config.Document) config.Problems {
	const name = "decide.threshold"
	if !d.Has(name) {
		return nil
	}
	n := int(d.Number(name))
	if n < 1 || n > 100 {
		return config.Problems{d.Problem(name, "%s: %d is not from 1 to 100", name, n)}
	}
	s.Rules.Threshold = n
	return nil
}

// readRedaction reads the user's redaction rules and allowances. It collects all problems, so that
// one run shows every mistake. Two rules with one id are a problem.
func (s *Setup) readRedaction(d *config.Document) config.Problems {
	var found config.Problems
	seen := map[string]string{}
	for _, at := range d.Tables("redact.rules") {
		r := redact.Rule{
			ID: d.Text(at + ".id"), Type: d.Text(at + ".type"), Keywords: d.Texts(at + ".keywords"),
			Pattern: d.Text(at + ".pattern"), Entropy: d.Number(at + ".entropy"),
		}
		if before, twice := seen[r.ID]; twice {
			found = append(found, d.Problem(at+".id", "another rule with the id %q stands in line %d", r.ID, d.At(before+".id").Line))
		}
		seen[r.ID] = at
		if _, err := redact.New(redact.Options{Rules: []redact.Rule{r}}); err != nil {
			found = append(found, redactProblem(d, at, err))
			continue
		}
		s.Rules.Redaction.Rules = append(s.Rules.Redaction.Rules, r)
	}
	for _, at := range d.Tables("redact.allow") {
		allow := redact.Allow{ID: d.Text(at + ".id"), Rule: d.Text(at + ".rule"), Pattern: d.Text(at + ".pattern")}
		if _, err := redact.New(redact.Options{Allow: []redact.Allow{allow}}); err != nil {
			found = append(found, redactProblem(d, at, err))
			continue
		}
		if p := unknownRule(d, at, allow.Rule, seen); p != nil {
			found = append(found, p)
			continue
		}
		s.Rules.Redaction.Allow = append(s.Rules.Redaction.Allow, allow)
	}
	return found
}

// redactProblem returns an error of a rule or an allowance with its place in the file.
func redactProblem(d *config.Document, at string, err error) *config.Problem {
	if e, ok := errors.AsType[*redact.OptionError](err); ok {
		return d.Problem(at+"."+e.Field, "%s: %v", at+"."+e.Field, e.Err)
	}
	return d.Problem(at, "%v", err)
}

// unknownRule returns a problem if an allowance names a rule that does not exist.
func unknownRule(d *config.Document, at, id string, own map[string]string) *config.Problem {
	if id == "" || own[id] != "" {
		return nil
	}
	known, err := redact.RuleIDs()
	if err != nil {
		return d.Problem(at, "%v", err)
	}
	if slices.Contains(known, id) {
		return nil
	}
	for other := range own {
		known = append(known, other)
	}
	slices.Sort(known)
	p := d.Problem(at+".rule", "there is no redaction rule %q", id)
	if near := config.Nearest(id, known); near != "" {
		p.Hint = fmt.Sprintf("did you mean %q?", near)
	}
	return p
}

// readGate reads the gate's settings: added and changed rules, word lists, and disabled rules.
// It compiles the whole table once, which also tries every rule on its examples.
func (s *Setup) readGate(d *config.Document) config.Problems {
	c := gate.Config{Disable: d.Texts("gate.disable"), Lists: map[string][]string{}}
	for _, name := range d.Names("gate.lists") {
		c.Lists[name] = d.Texts(config.Join("gate.lists", name))
	}
	paths := d.Tables("gate.rules")
	for _, at := range paths {
		c.Rules = append(c.Rules, gateRule(d, at))
	}
	if len(paths) == 0 && len(c.Lists) == 0 && len(c.Disable) == 0 {
		return nil
	}
	rules, err := gate.Configured(lexicon.Standard(), c)
	if err == nil {
		s.Rules.Gate = rules
		return nil
	}
	return config.Problems{gateProblem(d, paths, c, err)}
}

// gateProblem finds the rule that is wrong, for its place in the file: it compiles the table
// with one rule more each time. If none of them fails, the disabled rules or the lists are
// wrong.
func gateProblem(d *config.Document, paths []string, c gate.Config, err error) *config.Problem {
	off := c.Disable
	c.Disable = nil
	all := c.Rules
	for i, at := range paths {
		c.Rules = all[:i+1]
		if _, e := gate.Configured(lexicon.Standard(), c); e != nil {
			return d.Problem(at, "%s: %v", at, e)
		}
	}
	if len(off) > 0 {
		return d.Problem("gate.disable", "gate.disable: %v", err)
	}
	return d.Problem("gate.lists", "gate.lists: %v", err)
}

// gateRule reads one [[gate.rules]] table at the given place of the document.
func gateRule(d *config.Document, at string) gate.RuleConfig {
	return gate.RuleConfig{
		ID: d.Text(at + ".id"), Family: d.Text(at + ".family"), Category: d.Text(at + ".category"), Tier: d.Text(at + ".tier"),
		Patterns: d.Texts(at + ".patterns"), Must: d.Texts(at + ".must"), MustNot: d.Texts(at + ".must_not"),
	}
}

// CompareKeys compares two settings: by section in the order of the file, then by name.
func CompareKeys(x, y string) int {
	sections := []string{"capture", "sink", "redact", "gate", "hook", "otlp", "memdb", "status", "state", "retention", "log"}
	rank := func(key string) int {
		section, _, _ := strings.Cut(key, ".")
		if i := slices.Index(sections, section); i >= 0 {
			return i
		}
		return len(sections)
	}
	if d := rank(x) - rank(y); d != 0 {
		return d
	}
	return strings.Compare(x, y)
}
