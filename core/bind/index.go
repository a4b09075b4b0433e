package bind

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// maxNaming is how many decisions a name stands for. What more of them name is
// the latest ones' name; it would say little of the others, and looking an edit
// up would come to cost what the session is long.
const maxNaming = 32

// Index finds the decisions of one thread by what they name. Looking an edit up
// costs what the edit's changed lines cost to read, however many decisions
// there are that it has nothing to do with.
type Index struct {
	byTerm map[string][]named
	byBase map[string][]pathTerm // paths by their last segment
	filter filter
}

// named is a decision that names a term.
type named struct {
	d      *segment.Decision
	role   role
	common bool        // the term is a common word
	code   bool        // it is an identifier
	module bool        // it is the name of a file, without its folder and ending
	own    topic.Words // of the term
}

// role is what a term is to a decision.
type role uint8

const (
	mentioned role = iota // an identifier in its words
	taken                 // the name of an option that was chosen
	left                  // the name of one that was not
)

// pathTerm is a path that a decision names, filed under its last part.
type pathTerm struct {
	path string
	d    *segment.Decision
}

// Add takes in a decision.
func (x *Index) Add(d *segment.Decision) {
	if x.byTerm == nil {
		x.byTerm = map[string][]named{}
		x.byBase = map[string][]pathTerm{}
		x.widen()
	}
	seen := map[string]bool{}
	for _, t := range termsOf(d) {
		term, hash := fold(t.word)
		if seen[term] {
			continue
		}
		seen[term] = true
		x.filter.add(hash)
		x.byTerm[term] = appendLatest(x.byTerm[term], named{d, t.role, t.common, distinctive(t.word), t.module, topic.Of(t.word)})
		if x.filter.isFull(len(x.byTerm)) {
			x.widen()
		}
	}
	for _, p := range pathsOf(d.Epitome) {
		x.byBase[base(p)] = appendLatest(x.byBase[base(p)], pathTerm{p, d})
	}
}

// shared is what an edit and a decision both name.
type shared struct {
	terms     int // words of the changed lines and of the file's name
	names     int // those of them that are no common words
	modules   int // those of them that are the name of a file, without its folder and ending
	paths     int
	mentioned int         // terms that the edit adds or takes away, and does not only leave where they are, and that are no options
	instead   int         // identifiers that were chosen, and that come
	changed   int         // terms that the edit adds or takes away, and that are no common words
	own       int         // those of them that no later decision names
	carried   int         // options: taken ones that only come, left ones that only go
	beside    topic.Words // what else the decision speaks of, in lines in which a changed term stands
}

// score weighs what an edit shares with a decision: a path counts twice as much as a
// name.
func (s *shared) score() int {
	if s == nil {
		return 0
	}
	return s.terms + 2*s.paths
}

// tells reports whether anything shared is more than a common word: "log" is, if src/log.js is named.
func (s *shared) tells() bool { return s.names+s.modules+s.paths+s.carried > 0 }

// better prefers the larger share, and of equals the later decision, which is
// the one that is asked.
func (s *shared) better(t *shared) bool { return s.score() >= t.score() }

// evidence says how it is known that an edit carries a decision out: a path says more than
// an identifier.
func (s *shared) evidence() core.Evidence {
	if s.paths > 0 {
		return core.SharedPath
	}
	return core.SharedIdentifier
}

// matches are the live decisions that share a name with an edit, in the
// order in which they were taken.
type matches struct {
	of    map[*segment.Decision]*shared
	order []*segment.Decision
	large bool // the edit changes many lines: much stands in them by accident

	changes *changes // what the edit changes
}

// manyLines is from how many changed lines on an edit is large.
const manyLines = 40

// match finds the decisions that share a name with an edit and held where it was made.
func (x *Index) match(e *segment.Edit, from Context) matches {
	m := matches{of: map[*segment.Decision]*shared{}, changes: new(changes)}
	if x == nil || len(x.byTerm)+len(x.byBase) == 0 {
		return m
	}
	m.large = e.Diff.Added+e.Diff.Removed > manyLines
	for _, path := range []string{e.Diff.Path, e.Diff.OldPath} {
		for _, p := range x.byBase[base(path)] {
			if isPath(path, p.path) {
				if s := m.share(p.d, from); s != nil {
					s.paths++
				}
			}
		}
	}
	for _, u := range x.usesIn(e) {
		latest := latestSeq(x.byTerm[u.term], from)
		for _, n := range x.byTerm[u.term] {
			s := m.share(n.d, from)
			if s == nil {
				continue
			}
			s.terms++
			if !n.common {
				s.names++
			}
			if n.module {
				s.modules++
			}
			if n.role == mentioned && u.added != u.removed {
				s.mentioned++
			}
			if n.role == taken && n.code && u.added > u.removed {
				s.instead++
			}
			if u.added != u.removed && !n.common {
				s.changed++
				if n.d.Head.Seq == latest {
					s.own++
				}
				s.besides(n, u)
			}
			if !n.common && (n.role == taken && u.added > 0 && u.removed == 0 || n.role == left && u.removed > 0 && u.added == 0) {
				s.carried++
			}
		}
	}
	sortBySeq(m.order)
	return m
}

// latestSeq is where the latest decision was taken that names a term and held.
func latestSeq(all []named, from Context) (seq uint64) {
	for _, n := range all {
		if n.d.Live(from.Seq, from.Known) {
			seq = max(seq, n.d.Head.Seq)
		}
	}
	return seq
}

// share is what the edit shares with a decision, or nil if that did not hold.
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

// besides adds the words that a decision speaks of and that stand beside a term.
func (s *shared) besides(n named, u *use) {
	for _, word := range u.beside {
		if at, found := slices.BinarySearch(s.beside, word); !found && n.d.Words.Has(word) && !n.own.Has(word) {
			s.beside = slices.Insert(s.beside, at, word)
		}
	}
}

// isPath reports whether what a person called a file is that file: the path's
// end, in whole segments.
func isPath(path, called string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	rest, ok := strings.CutSuffix(path, called)
	return ok && (rest == "" || rest[len(rest)-1] == '/')
}

// base is the last segment of a path.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// appendLatest appends and keeps the latest maxNaming.
func appendLatest[T any](list []T, el T) []T {
	if len(list) == maxNaming {
		copy(list, list[1:])
		list = list[:maxNaming-1]
	}
	return append(list, el)
}
