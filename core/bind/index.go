package bind

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// maxPerTerm is how many decisions a term leads to: the latest ones. It bounds the time to
// look up an edit, and a term that more decisions name says little about earlier ones.
const maxPerTerm = 32

// Index finds the decisions of one thread by what they name. The time to look up an edit
// depends on its changed lines, not on the number of unrelated decisions. Decisions are added
// in the order of the stream and never removed; a lookup leaves out those that are no longer in
// force.
type Index struct {
	byTerm map[string][]namedTerm
	byBase map[string][]pathTerm // paths by their last segment
	filter filter
}

// namedTerm is a decision that names a term.
type namedTerm struct {
	decision     *segment.Decision
	role         role
	isCommon     bool        // the term is a common word
	isIdentifier bool        // it is an identifier
	isModule     bool        // it is a file name without folder and extension
	words        topic.Words // words of the term
}

// role is what a term is to a decision.
type role uint8

const (
	mentioned role = iota // an identifier in its text
	chosen                // the name of a chosen option
	rejected              // the name of a rejected option
)

// pathTerm is a path that a decision names.
type pathTerm struct {
	path     string
	decision *segment.Decision
}

// Add adds a decision.
func (x *Index) Add(d *segment.Decision) {
	if x.byTerm == nil {
		x.byTerm = map[string][]namedTerm{}
		x.byBase = map[string][]pathTerm{}
		x.growFilter()
	}
	seen := map[string]bool{}
	for _, t := range termsOf(d) {
		term, hash := fold(t.word)
		if seen[term] {
			continue
		}
		seen[term] = true
		x.filter.add(hash)
		x.byTerm[term] = appendLatest(x.byTerm[term], namedTerm{d, t.role, t.isCommon, distinctive(t.word), t.isModule, topic.Of(t.word)})
		if x.filter.isFull(len(x.byTerm)) {
			x.growFilter()
		}
	}
	for _, p := range pathsOf(d.Epitome) {
		x.byBase[base(p)] = appendLatest(x.byBase[base(p)], pathTerm{p, d})
	}
}

// shared counts what an edit and a decision have in common. Each field is a different kind of
// evidence; score, isSpecific and evidence weigh them.
type shared struct {
	terms       int // terms in the changed lines and the file name
	names       int // of these, those that are not common words
	modules     int // of these, file names without folder and extension
	paths       int
	mentioned   int // identifiers, not options, whose number the edit changes
	chosenAdded int // chosen identifiers that the edit adds
	changed     int // terms, not common words, whose number the edit changes
	ownChanged  int // of these, those that no later decision names
	// chosen options that are only added, rejected ones that are only removed
	optionsCarried int
	context        topic.Words // other words of the decision in lines with a changed term
}

// score weighs what an edit and a decision share: a path counts twice as much as a term.
func (s *shared) score() int {
	if s == nil {
		return 0
	}
	return s.terms + 2*s.paths
}

// isSpecific reports whether anything shared is more than a common word. "log" is, if the
// decision names src/log.js.
func (s *shared) isSpecific() bool { return s.names+s.modules+s.paths+s.optionsCarried > 0 }

// atLeast reports whether the score is at least that of t, so that the later of two equal
// decisions wins.
func (s *shared) atLeast(t *shared) bool { return s.score() >= t.score() }

// evidence returns how the link is known. A path is better evidence than an identifier.
func (s *shared) evidence() core.Evidence {
	if s.paths > 0 {
		return core.SharedPath
	}
	return core.SharedIdentifier
}

// matches are the live decisions that share a name with an edit, in stream order.
type matches struct {
	of      map[*segment.Decision]*shared
	order   []*segment.Decision
	isLarge bool // the edit changes many lines, which share names by accident

	changes *changes // what the edit changes
}

// manyLines is the number of changed lines over which an edit is large.
const manyLines = 40

// match returns the decisions in force that share a name with an edit.
func (x *Index) match(e *segment.Edit, from Context) matches {
	m := matches{of: map[*segment.Decision]*shared{}, changes: new(changes)}
	if x == nil || len(x.byTerm)+len(x.byBase) == 0 {
		return m
	}
	m.isLarge = e.Diff.Added+e.Diff.Removed > manyLines
	for _, path := range []string{e.Diff.Path, e.Diff.OldPath} {
		for _, p := range x.byBase[base(path)] {
			if isPath(path, p.path) {
				if s := m.share(p.decision, from); s != nil {
					s.paths++
				}
			}
		}
	}
	for _, u := range x.usesIn(e) {
		latest := latestSeq(x.byTerm[u.term], from)
		for _, n := range x.byTerm[u.term] {
			s := m.share(n.decision, from)
			if s == nil {
				continue
			}
			s.terms++
			if !n.isCommon {
				s.names++
			}
			if n.isModule {
				s.modules++
			}
			if n.role == mentioned && u.added != u.removed {
				s.mentioned++
			}
			if n.role == chosen && n.isIdentifier && u.added > u.removed {
				s.chosenAdded++
			}
			if u.added != u.removed && !n.isCommon {
				s.changed++
				if n.decision.Head.Seq == latest {
					s.ownChanged++
				}
				s.addContext(n, u)
			}
			if !n.isCommon && (n.role == chosen && u.added > 0 && u.removed == 0 || n.role == rejected && u.removed > 0 && u.added == 0) {
				s.optionsCarried++
			}
		}
	}
	sortBySeq(m.order)
	return m
}

// latestSeq returns the seq of the latest decision in force that names a term.
func latestSeq(all []namedTerm, from Context) (seq uint64) {
	for _, n := range all {
		if n.decision.Live(from.Seq, from.Known) {
			seq = max(seq, n.decision.Head.Seq)
		}
	}
	return seq
}

// share returns the counts for a decision, or nil if it is not in force.
func (m *matches) share(d *segment.Decision, from Context) *shared {
	if !d.Live(from.Seq, from.Known) {
		return nil
	}
	s := m.of[d]
	if s == nil {
		s = new(shared)
		m.of[d] = s
		m.order = append(m.order, d)
	}
	return s
}

// addContext adds words of a decision in the lines of a term.
func (s *shared) addContext(n namedTerm, u *use) {
	for _, word := range u.context {
		if at, found := slices.BinarySearch(s.context, word); !found && n.decision.Words.Has(word) && !n.words.Has(word) {
			s.context = slices.Insert(s.context, at, word)
		}
	}
}

// isPath reports whether a path ends with what a person called the file, in whole segments.
func isPath(path, called string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	rest, ok := strings.CutSuffix(path, called)
	return ok && (rest == "" || rest[len(rest)-1] == '/')
}

// base returns the last segment of a path.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// appendLatest appends an element and keeps the latest maxPerTerm.
func appendLatest[T any](list []T, el T) []T {
	if len(list) == maxPerTerm {
		copy(list, list[1:])
		list = list[:maxPerTerm-1]
	}
	return append(list, el)
}
