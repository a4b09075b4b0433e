package table

import "github.com/memscribe/memscribe/internal/nodedb/fulltext"

// Scopes makes the words by which searches for a node are narrowed, and remembers
// them: many nodes have the same.
type Scopes struct{ known map[scope]string }

// scope is what a search may be narrowed to, which stands beside a text in its index.
type scope struct{ kind, source, project, more string }

// manyScopes is how many are remembered.
const manyScopes = 1024

// of returns the search words for the kind, tool and project of a row, and more words,
// from a bounded cache.
func (s *Scopes) of(r *Row, more string) string {
	of := scope{r.Kind, r.Source, r.Project(), more}
	words, ok := s.known[of]
	if ok {
		return words
	}
	if s.known == nil || len(s.known) >= manyScopes {
		s.known = map[scope]string{}
	}
	words = fulltext.KindWord(of.kind) + " " + fulltext.ToolWord(of.source) + " " + fulltext.ProjectWord(of.project)
	if more != "" {
		words += " " + more
	}
	s.known[of] = words
	return words
}
