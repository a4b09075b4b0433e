// Package scenario lists what each recorded scenario must show, for every tool.
//
// There is one statement per scenario, in scenarios.txt. Where a tool cannot show it, an
// exception says what it shows and why. A statement is a list of lines; [Shape] has what they
// mean:
//
//	scenario happy_path
//	user Let's use Postgres instead of MySQL
//	decides
//	modify src/db.js
//	modify src/config.js
//	answer
//
//	except codex <0.50.0 happy_path
//	because those versions write no …
//	user Let's use Postgres instead of MySQL
//	…
//
// "?" behind a line makes it optional, " | " separates alternatives, and "in any order: a; b"
// is a group of lines whose order does not matter.
package scenario

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/packed"
	"github.com/memscribe/memscribe/internal/verify/corpus"
)

//go:embed scenarios.txt
var text string

// Statement is what a scenario must show.
type Statement struct {
	Scenario string
	Tool     string // of an exception; "" is every tool
	Version  string // of an exception; "*" is every version
	Because  string // why there is an exception
	Lines    []string
}

// Name names the statement: the scenario, and of an exception the tool and version.
func (s Statement) Name() string {
	return strings.TrimSpace(s.Scenario + " " + s.Tool + " " + s.Version)
}

// Statements reads the statements and exceptions.
func Statements() ([]Statement, error) {
	whole, err := packed.Text(text)
	if err != nil {
		return nil, fmt.Errorf("read statements: %w", err)
	}
	return parse(whole)
}

// parse reads the statements of a file; an empty line separates them.
func parse(s string) ([]Statement, error) {
	var all []Statement
	for block := range strings.SplitSeq(s, "\n\n") {
		lines := content(block)
		if len(lines) == 0 {
			continue
		}
		st, err := statement(lines)
		if err != nil {
			return nil, fmt.Errorf("read statement %q: %w", lines[0], err)
		}
		all = append(all, st)
	}
	return all, nil
}

// content returns the lines of a block that are no comments.
func content(block string) []string {
	var lines []string
	for line := range strings.Lines(block) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// statement reads one statement: what a scenario must show, or an exception with its
// reason.
func statement(lines []string) (Statement, error) {
	words := strings.Fields(lines[0])
	switch {
	case len(words) == 2 && words[0] == "scenario":
		return Statement{Scenario: words[1], Lines: lines[1:]}, nil
	case len(words) == 4 && words[0] == "except" && len(lines) > 1 && strings.HasPrefix(lines[1], "because "):
		return Statement{
			Tool: words[1], Version: words[2], Scenario: words[3],
			Because: strings.TrimPrefix(lines[1], "because "), Lines: lines[2:],
		}, nil
	default:
		return Statement{}, fmt.Errorf("want %q, or %q and %q", "scenario NAME", "except TOOL VERSION NAME", "because REASON")
	}
}

// second begins the names of the second script's scenarios.
const second = "second/"

// For finds the statement that holds for a case: the exception of its variant,
// that of its scenario, or the rule.
func For(all []Statement, c *corpus.Case) (Statement, bool) {
	script := ""
	if c.Truth != nil && c.Truth.Second() {
		script = second
	}
	for _, name := range []string{script + c.Scenario, script + c.Base()} {
		for _, s := range all {
			if s.Scenario == name && s.Tool == string(c.Tool) && s.of(c) {
				return s, true
			}
		}
	}
	return Rule(all, c)
}

// Rule finds the statement that holds for a case where there is no exception.
func Rule(all []Statement, c *corpus.Case) (Statement, bool) {
	name := c.Base()
	if c.Truth != nil && c.Truth.Second() {
		name = second + name
	}
	for _, s := range all {
		if s.Scenario == name && s.Tool == "" {
			return s, true
		}
	}
	return Statement{}, false
}

// of reports whether an exception holds for the version of a case: it names the
// version, or says "<" and the first one for which it does not hold, the first for
// which it does before that, or "*".
func (s Statement) of(c *corpus.Case) bool {
	from, end, before := strings.Cut(s.Version, "<")
	within := before && c.Before(end) && (from == "" || !c.Before(from))
	return s.Version == c.Version || s.Version == "*" || within
}

// Holds reports whether a session shows what the statement says; if not, from
// which line of its shape on it does not.
func (s Statement) Holds(shape []string) (line int, ok bool) {
	at := 0
	for _, stated := range s.Lines {
		if group, ok := strings.CutPrefix(stated, "in any order: "); ok {
			n, ok := anyOrder(strings.Split(group, "; "), shape[at:])
			if at += n; !ok {
				return at, false
			}
			continue
		}
		want, optional := strings.CutSuffix(stated, "?")
		if at < len(shape) && fits(shape[at], want) {
			at++
		} else if !optional || strings.HasPrefix(want, "user ") {
			return at, false
		}
	}
	return at, at == len(shape)
}

// anyOrder takes lines as long as each is another one of a group, and reports
// whether all that must be were there.
func anyOrder(group, shape []string) (n int, ok bool) {
	group = slices.Clone(group)
	for n < len(shape) {
		i := slices.IndexFunc(group, func(want string) bool { return fits(shape[n], strings.TrimSuffix(want, "?")) })
		if i < 0 {
			break
		}
		group = slices.Delete(group, i, i+1)
		n++
	}
	return n, !slices.ContainsFunc(group, func(line string) bool { return !strings.HasSuffix(line, "?") })
}

// fits reports whether a line is what is stated, or one of several things that
// may be. A file that is stated to be created may be written: not every transcript
// tells whether it was there before.
func fits(have, want string) bool {
	if path, ok := strings.CutPrefix(have, "write "); ok && fits("create "+path, want) {
		return true
	}
	for one := range strings.SplitSeq(want, " | ") {
		if have == one || strings.HasPrefix(one, "user ") && strings.HasPrefix(have, one) {
			return true
		}
	}
	return false
}
