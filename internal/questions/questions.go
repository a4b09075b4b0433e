// Package questions holds the questions that a database of nodes is asked by query: which nodes
// answer each ([Kind]), page by page ([Pages]), and what to suggest when nothing does
// ([Kind.Near], [Conditions]).
//
//	memscribe query file db.go --since 7d
//	       │          │            └ nodedb.Filter
//	       │          └ argument
//	       └ File().Of(reader, args) ──▶ Ask ──▶ Pages: one page after the other
//
// A page ends with a cursor, which is a place in the order of the question. It stays valid
// while nodes are added. If nothing answers, [Conditions] leaves out each filter in turn, so
// that the command can say which one has excluded everything.
package questions

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/search"
)

// Reader reads a database: a [nodedb.Reader], or one of PostgreSQL.
type Reader interface {
	Decisions(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error)
	Bans(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error)
	Episodes(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error)
	Session(ctx context.Context, id string, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error)
	File(ctx context.Context, path string, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error)
	Memories(ctx context.Context, store, key string, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error)
	Search(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error)
	Link(ctx context.Context, nodes []nodedb.Node) error
	Close() error
}

// Ask returns one page of an answer.
type Ask func(context.Context, nodedb.Filter, nodedb.Page) (nodedb.Answer, error)

// Kind is a question. The zero Kind is none.
type Kind struct {
	// Of returns the question with its arguments, put to r.
	Of func(r Reader, args []string) Ask
	// Near suggests what exists under nearly the name of the argument; "": there is nothing.
	// It is nil for questions whose arguments cannot be misspelt.
	Near func(ctx context.Context, db *nodedb.Reader, arg string) (string, error)
}

// Decisions asks for decisions, and the edits that carry them out.
func Decisions() Kind { return Kind{Of: func(r Reader, _ []string) Ask { return r.Decisions }} }

// Bans asks for the bans in force.
func Bans() Kind { return Kind{Of: func(r Reader, _ []string) Ask { return r.Bans }} }

// Episodes asks for edits, and the decision behind each.
func Episodes() Kind { return Kind{Of: func(r Reader, _ []string) Ask { return r.Episodes }} }

// Session asks for the nodes of a session. The argument is its id, or the beginning of it.
func Session() Kind {
	return Kind{Of: func(r Reader, args []string) Ask {
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			return r.Session(ctx, args[0], f, p)
		}
	}}
}

// File asks for the edits of a file. The argument is its path, or the end of it.
func File() Kind {
	return Kind{Near: filesLike, Of: func(r Reader, args []string) Ask {
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			return r.File(ctx, args[0], f, p)
		}
	}}
}

// MaxMemoryArgs is the number of arguments that name a memory: its store and its key.
const MaxMemoryArgs = 2

// Memories asks for what agents wrote to memories of their own: to all, to those of a
// store, or to those of a key in it.
func Memories() Kind {
	return Kind{Of: func(r Reader, args []string) Ask {
		of := append(slices.Clone(args), "", "")
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			return r.Memories(ctx, of[0], of[1], f, p)
		}
	}}
}

// Search asks for conversations, decisions and edits with the words that are the arguments.
func Search() Kind {
	return Kind{Near: wordsLike, Of: func(r Reader, args []string) Ask {
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			f.Text = strings.Join(append(slices.Clone(args), f.Text), " ")
			return r.Search(ctx, f, p)
		}
	}}
}

// Pages reads an answer page by page, up to a limit.
type Pages struct {
	Ask    Ask
	Filter nodedb.Filter
	Limit  int    // of the nodes that are still wanted; 0 is all
	Next   string // where the next page begins; "": at the beginning, or there is none
}

// Page returns the next page, and whether another one is wanted and exists.
func (p *Pages) Page(ctx context.Context) (nodes []nodedb.Node, more bool, err error) {
	size := nodedb.MaxPage
	if p.Limit > 0 {
		size = min(size, p.Limit)
	}
	answer, err := p.Ask(ctx, p.Filter, nodedb.Page{After: p.Next, Limit: size})
	if err != nil {
		return nil, false, err
	}
	p.Next = answer.Next
	more = p.Next != ""
	if p.Limit > 0 {
		p.Limit -= len(answer.Nodes)
		more = more && p.Limit > 0
	}
	return answer.Nodes, more, nil
}

// Condition is a filter that is set, by the name of its flag without dashes.
type Condition struct {
	Name    string
	Without nodedb.Filter // the filter without it
}

// Conditions lists the filters of f that are set. If nothing is found, each can be left out
// to see whether it is the reason.
func Conditions(f nodedb.Filter) (all []Condition) {
	add := func(name string, isSet bool, drop func(*nodedb.Filter)) {
		if isSet {
			wider := f
			drop(&wider)
			all = append(all, Condition{name, wider})
		}
	}
	add("project", f.Project != "", func(f *nodedb.Filter) { f.Project = "" })
	add("tool", f.Tool != "", func(f *nodedb.Filter) { f.Tool = "" })
	add("session", f.Session != "", func(f *nodedb.Filter) { f.Session = "" })
	add("since", !f.Since.IsZero(), func(f *nodedb.Filter) { f.Since = time.Time{} })
	add("until", !f.Until.IsZero(), func(f *nodedb.Filter) { f.Until = time.Time{} })
	add("match", f.Text != "", func(f *nodedb.Filter) { f.Text = "" })
	add("kind", len(f.Kinds) > 0, func(f *nodedb.Filter) { f.Kinds = nil })
	return all
}

// filesLike suggests files with nearly the name.
func filesLike(ctx context.Context, db *nodedb.Reader, path string) (string, error) {
	files, err := lists.FilesLike(ctx, db, path)
	if err != nil || len(files) == 0 {
		return "", err
	}
	return "there is " + strings.Join(files, ", "), nil
}

// wordsLike suggests words of the database for words that it does not have.
func wordsLike(ctx context.Context, db *nodedb.Reader, words string) (string, error) {
	found, err := db.Find(ctx, search.Parse(words), nodedb.Finding{Limit: 1})
	if errors.Is(err, nodedb.ErrSearch) {
		return "", nil
	}
	var near []string
	for _, word := range slices.Sorted(maps.Keys(found.Instead)) {
		near = append(near, found.Instead[word][0]+" for "+word)
	}
	if err != nil || len(near) == 0 {
		return "", err
	}
	return "there is " + strings.Join(near, ", "), nil
}
