// Package check finds changes that break a ban.
//
// It reports only what a change shows: a named path that was touched, a named
// identifier, package or command in an added line, a new entry in a manifest of
// dependencies. "Keep it simple" forbids nothing that a diff could show, so it is
// never reported. For example
//
//	Never use lodash, and don't touch anything under vendor/.
//
// is broken by an added `import map from "lodash/map"`, and by any change below
// vendor/; an added comment that names lodash does not break it.
//
// A rule is read in four steps, each in a file of its own:
//
//	token.go     text → sentences of tokens: words, `code`, runs of Chinese or Japanese, marks
//	parse.go     sentence → clauses → prohibitions (an act, objects, places, conditions)
//	object.go    words → objects: a path, an identifier, a package, a command, a class of things
//	match.go     object × change → the lines that show the act
//
// The words of all languages are tables (words.go); the forms of manifests and imports
// are in construct.go and the package packages. Nothing is learnt and nothing is guessed: what a change does not
// show is not reported, so a finding can end a build.
//
// What is not found: a use behind an alias or a variable, a dependency that another one
// brings, anything in a language without a table of imports, a change to a file that
// the rule names only by what it does ("the payment code").
package check

import "strings"

// Rule is a decision in force, in the words that decided it. The ID is passed through.
type Rule struct {
	ID   string
	Text string
}

// Finding is a place of a change that breaks a rule.
type Finding struct {
	Rule   int    // the index of the rule
	Object string // what is forbidden, as the rule names it
	Act    Act
	File   string
	Line   int    // in the new text, from 1; 0 if the finding is about the file
	Text   string // the line; "" if the finding is about the file
	// Ask is set when the rule asks for something a change cannot show, such as
	// "not without my approval".
	Ask bool
	// Local is set when the rule is about the work at hand: "for this", "for now".
	Local bool
}

// Status says what happened to a file.
type Status string

// What can happen to a file.
const (
	Modified Status = "modified"
	Added    Status = "added"
	Deleted  Status = "deleted"
	Renamed  Status = "renamed"
)

// Change is what was done to one file. Of a file that was deleted, Removed may be empty: that
// it is gone is enough.
type Change struct {
	Path    string // below the project's root, with slashes; after the change
	OldPath string // before a rename, else ""
	Status  Status
	Added   []Line
	Removed []Line
}

// Line is a line that was added, by its number in the new text, or removed, by its
// number in the old one.
type Line struct {
	Number int
	Text   string
}

// Find returns the findings of each rule in each change, in that order.
//
// The work is proportional to the lines of the changes times the objects of the rules.
// A rule without anything that a change can show costs its parsing. Findings of one
// rule are in the order of the changes and, within a file, of the lines of each object.
func Find(rules []Rule, changes []Change) []Finding {
	r := NewReader()
	forbidden := make([][]Prohibition, len(rules))
	for i := range rules {
		forbidden[i] = r.Parse(rules[i].Text)
	}
	return Broken(forbidden, changes)
}

// Broken is [Find] for rules that are parsed once for many changes.
func Broken(rules [][]Prohibition, changes []Change) []Finding {
	views := make([]view, len(changes))
	for i := range changes {
		views[i] = look(&changes[i])
	}
	moved := movedLines(views)
	var all []Finding
	for i, rule := range rules {
		for _, p := range rule {
			for k := range views {
				for _, f := range p.broken(&views[k], moved) {
					f.Rule = i
					if !contains(all, f) {
						all = append(all, f)
					}
				}
			}
		}
	}
	return all
}

// contains reports whether a place was found already: one line breaks a rule once,
// however many of the rule's objects it names.
func contains(all []Finding, f Finding) bool {
	for i := range all {
		g := &all[i]
		if g.Rule == f.Rule && g.File == f.File && g.Line == f.Line {
			return true
		}
	}
	return false
}

// movedLines returns the lines that files lost, and how often. A line that another file gains
// as often was moved and is no new use. White space at either end does not count, so that
// indenting a line counts as moving it.
func movedLines(views []view) map[string]int {
	lost := map[string]int{}
	for i := range views {
		for _, l := range views[i].Removed {
			lost[strings.TrimSpace(l.Text)]++
		}
	}
	return lost
}
