package check

import (
	"regexp"
	"strings"
)

// Act is what a prohibition forbids to do.
type Act string

// The acts.
const (
	Use    Act = "use"    // or import, call, write
	Touch  Act = "touch"  // any change
	Add    Act = "add"    // or create, install
	Remove Act = "remove" // or delete, drop
	Rename Act = "rename" // or move
	Skip   Act = "skip"   // or disable
)

// Prohibition is one thing that a text forbids. "Never use left-pad, except in tests." gives
// the act of using, the object left-pad, and the place tests in Outside.
type Prohibition struct {
	Act     Act
	Objects []Object
	// Within and Outside say where it holds: only there, and not there.
	Within, Outside []Place
	// Ask is set when it holds only under a condition that a change cannot show.
	Ask bool
	// Local is set when it is about the work at hand only.
	Local bool
}

// Object is a thing that a prohibition names.
type Object struct {
	Name string
	// Exact is set when the name stands as code: in backquotes, or in a form that
	// plain words do not have, as parseOrder or os.Exit.
	Exact bool
	// Class is a sort of things rather than a name, as "dependencies".
	Class class
	path  *pattern // if the name can be one of a file or folder
	// Weak is set when the name is only rejected in favour of another one: it counts
	// as a package, not as a plain word.
	Weak bool
	// form is the text of a construct that has a name among people, as "bare except".
	form *regexp.Regexp
}

// Place is where a prohibition holds.
type Place struct {
	path  *pattern
	class class
	exts  []string
	stem  string // a word in the path, for want of something better
}

// holds reports whether a change is in the place that a ban names.
func (p *Place) holds(v *view) bool {
	switch {
	case p.path != nil:
		return p.path.matches(v.Path)
	case len(p.exts) > 0:
		return v.hasExt(p.exts)
	case p.stem != "":
		return strings.Contains(strings.ToLower(v.Path), p.stem)
	case p.class == tests:
		return v.test
	case p.class == workflows:
		return len(workflows.found(Touch, v)) > 0
	}
	return false
}

// applies reports whether a prohibition holds in a file.
func (p *Prohibition) applies(v *view) bool {
	for i := range p.Outside {
		if p.Outside[i].holds(v) {
			return false
		}
	}
	for i := range p.Within {
		if p.Within[i].holds(v) {
			return true
		}
	}
	return len(p.Within) == 0
}

// broken returns where a change breaks the prohibition.
func (p *Prohibition) broken(v *view, moved map[string]int) []Finding {
	if !p.applies(v) {
		return nil
	}
	var all []Finding
	for i := range p.Objects {
		o := &p.Objects[i]
		for _, l := range o.found(p.Act, v, moved) {
			all = append(all, Finding{
				Object: o.Name, Act: p.Act, File: v.Path, Line: l.Number, Text: l.Text, Ask: p.Ask, Local: p.Local,
			})
		}
	}
	return all
}
