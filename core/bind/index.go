package bind

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
)

// maxNaming is how many decisions a name stands for. What more of them name is
// the latest ones' name; it would say little of the others, and looking an edit
// up would come to cost what the session is long.
const maxNaming = 32

// Index finds the decisions of one thread by what they name. Looking an edit up
// costs what the edit's changed lines cost to read, however many decisions
// there are that it has nothing to do with.
type Index struct {
	byTerm map[string][]*segment.Decision
	byBase map[string][]pathTerm // paths by their last segment
	filter filter
}

// pathTerm is a path that a decision names, filed under its last part.
type pathTerm struct {
	path string
	d    *segment.Decision
}

// Add takes in a decision.
func (x *Index) Add(d *segment.Decision) {
	if x.byTerm == nil {
		x.byTerm = map[string][]*segment.Decision{}
		x.byBase = map[string][]pathTerm{}
		x.widen()
	}
	seen := map[string]bool{}
	for _, word := range termsOf(d) {
		term, hash := fold(word)
		if seen[term] {
			continue
		}
		seen[term] = true
		x.filter.add(hash)
		x.byTerm[term] = appendLatest(x.byTerm[term], d)
		if x.filter.isFull(len(x.byTerm)) {
			x.widen()
		}
	}
	for _, p := range pathsOf(d.Epitome) {
		x.byBase[base(p)] = appendLatest(x.byBase[base(p)], pathTerm{p, d})
	}
}

// shared counts what an edit and a decision both name.
type shared struct{ terms, paths int }

func (s shared) score() int { return s.terms + 2*s.paths }

// enough says that sharing is no accident.
func (s shared) enough() bool { return s.score() >= 1 }

// better prefers the larger share, and of equals the later decision, which is
// the one that is asked.
func (s shared) better(t shared) bool { return s.score() >= t.score() }

// evidence says how it is known that an edit carries a decision out: a path says more than
// an identifier.
func (s shared) evidence() core.Evidence {
	if s.paths > 0 {
		return core.SharedPath
	}
	return core.SharedIdentifier
}

// matches are the live decisions that share something with an edit, in the
// order in which they were taken.
type matches struct {
	of    map[*segment.Decision]shared
	order []*segment.Decision
}

// match finds the decisions that share a name with an edit and held where it was made.
func (x *Index) match(e *segment.Edit, from Context) matches {
	m := matches{of: map[*segment.Decision]shared{}}
	if x == nil || len(x.byTerm)+len(x.byBase) == 0 {
		return m
	}
	add := func(d *segment.Decision, s shared) {
		if !d.Live(from.Seq, from.Known) {
			return
		}
		old, known := m.of[d]
		if !known {
			m.order = append(m.order, d)
		}
		m.of[d] = shared{old.terms + s.terms, old.paths + s.paths}
	}
	for _, path := range []string{e.Diff.Path, e.Diff.OldPath} {
		for _, p := range x.byBase[base(path)] {
			if isPath(path, p.path) {
				add(p.d, shared{paths: 1})
			}
		}
	}
	seen := map[string]bool{}
	x.eachTerm(e, func(term string) {
		if seen[term] {
			return
		}
		seen[term] = true
		for _, d := range x.byTerm[term] {
			add(d, shared{terms: 1})
		}
	})
	sortBySeq(m.order)
	return m
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
