// Package query implements the command query: it lists turns, decisions and edits
// from a database, page by page, as a table or as JSON.
package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
)

// Reader is a database that is asked: [sqlite.Reader], or one of PostgreSQL.
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

// Kind is a thing to ask for.
type Kind struct {
	ask    func(r Reader, args []string) question
	layout layout

	// near, if not nil, says what there is nearly as the arguments say; "" is nothing.
	near func(ctx context.Context, db *nodedb.Reader, arg string) (string, error)
}

// question is what a reader of a database answers.
type question func(context.Context, nodedb.Filter, nodedb.Page) (nodedb.Answer, error)

// Decisions is what was decided, and the edits that carry it out.
func Decisions() Kind {
	return Kind{ask: func(r Reader, _ []string) question { return r.Decisions }, layout: decisionLayout("DECISION")}
}

// Bans is what is forbidden, if nothing has taken it back.
func Bans() Kind {
	return Kind{ask: func(r Reader, _ []string) question { return r.Bans }, layout: decisionLayout("BAN")}
}

// Episodes is what was edited, and why.
func Episodes() Kind {
	return Kind{ask: func(r Reader, _ []string) question { return r.Episodes }, layout: editLayout()}
}

// Session is what happened in the session with the id that is the argument, or begins
// with it.
func Session() Kind {
	return Kind{ask: func(r Reader, args []string) question {
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			return r.Session(ctx, args[0], f, p)
		}
	}, layout: sessionLayout()}
}

// File is the edits of the file that is the argument.
func File() Kind {
	return Kind{ask: func(r Reader, args []string) question {
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			return r.File(ctx, args[0], f, p)
		}
	}, layout: editLayout(), near: filesLike}
}

// MaxMemoryArgs is how many arguments say which memory: its store and its key.
const MaxMemoryArgs = 2

// Memories is what agents wrote to memories of their own: all, or those of a store, or
// those of a key in it.
func Memories() Kind {
	return Kind{ask: func(r Reader, args []string) question {
		of := append(args, "", "")
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			return r.Memories(ctx, of[0], of[1], f, p)
		}
	}, layout: memoryLayout()}
}

// Search is what was said, decided or edited with the words that are the arguments.
func Search() Kind {
	return Kind{ask: func(r Reader, args []string) question {
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			f.Text = strings.Join(append(args, f.Text), " ")
			return r.Search(ctx, f, p)
		}
	}, layout: searchLayout(), near: wordsLike}
}

// Options say what is asked, and how it is printed.
type Options struct {
	Kind   Kind
	Filter nodedb.Filter
	Limit  int    // of nodes; 0 is all
	Cursor string // where the answer before ended; "" is the beginning
	JSON   bool   // one object: the nodes, what they are bound to, and where to go on
	Lines  bool   // the nodes as lines of JSON
	IDs    bool   // show ids in a table
}

// Check refuses what does not go together.
func (o *Options) Check() error {
	switch {
	case o.Limit < 0:
		return usage.Errorf("--limit %d: it is a number of nodes, or 0 for all", o.Limit)
	case o.JSON && o.Lines:
		return usage.Errorf("--json and --ndjson: choose one")
	}
	return nil
}

// Run asks a database and prints what it answers.
func Run(ctx context.Context, a *cli.App, r Reader, o Options, args []string) error {
	show := newPrinter(a, &o)
	asked := pages{question: o.Kind.ask(r, args), filter: o.Filter, limit: o.Limit, next: o.Cursor}
	if len(o.Filter.Kinds) == 0 {
		asked.filter.Kinds = show.kinds
	}
	count, err := answer(ctx, a, &asked, show)
	if err == nil && count == 0 && o.Cursor == "" {
		return nothing(ctx, a, r, &o, args)
	}
	return err
}

// answer prints what comes page by page, and returns how much it was.
func answer(ctx context.Context, a *cli.App, asked *pages, show printer) (count int, err error) {
	for {
		nodes, more, err := asked.page(ctx)
		if err != nil {
			return count, err
		}
		count += len(nodes)
		if err := show.nodes(nodes); err != nil {
			return count, fmt.Errorf("print answer: %w", err)
		}
		if !more {
			break
		}
	}
	if err := show.end(asked.next); err != nil {
		return count, fmt.Errorf("print answer: %w", err)
	}
	if asked.next != "" && !show.saysNext {
		a.Stderr.Printf("there is more: --cursor %s\n", asked.next)
	}
	return count, nil
}

// pages are the parts of an answer up to its limit.
type pages struct {
	question question
	filter   nodedb.Filter
	limit    int    // of the nodes that are still wanted; 0 is all
	next     string // where they go on; "" is the beginning, or nowhere
}

// page returns the next part and whether there is another that is wanted.
func (p *pages) page(ctx context.Context) (nodes []nodedb.Node, more bool, err error) {
	size := nodedb.MaxPage
	if p.limit > 0 {
		size = min(size, p.limit)
	}
	answer, err := p.question(ctx, p.filter, nodedb.Page{After: p.next, Limit: size})
	if err != nil {
		return nil, false, err
	}
	p.next = answer.Next
	more = p.next != ""
	if p.limit > 0 {
		p.limit -= len(answer.Nodes)
		more = more && p.limit > 0
	}
	return answer.Nodes, more, nil
}
