// Package query implements the command query: it lists turns, decisions and edits
// from a database, page by page, as a table or as JSON.
//
// What it prints for decisions, with the edits that carry each out:
//
//	TIME              PROJECT         SESSION        BY    DECISION
//	2026-11-22 09:43  orders-service  01a202a3-e254  user  On second thought call it /livez …
//	                                                         > modify src/index.js
//	there is more: --cursor 14q95pb7gh
//
// A cursor continues behind the last node of a page, also while new nodes arrive. With --json
// an answer is one object: items, each with its node and its links, and next, the cursor. An
// answer without a node says which conditions keep others away, and has exit code 1.
package query

import (
	"context"
	"fmt"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/questions"
	"github.com/memscribe/memscribe/internal/usage"
)

// Kind is a question and the form of its table.
type Kind struct {
	questions.Kind
	layout layout
}

// Decisions asks for decisions, and the edits that carry them out.
func Decisions() Kind { return Kind{questions.Decisions(), decisionLayout("DECISION")} }

// Bans asks for the bans in force.
func Bans() Kind { return Kind{questions.Bans(), decisionLayout("BAN")} }

// Episodes asks for edits, and the decision behind each.
func Episodes() Kind { return Kind{questions.Episodes(), editLayout()} }

// Session asks for the nodes of a session.
func Session() Kind { return Kind{questions.Session(), sessionLayout()} }

// File asks for the edits of a file.
func File() Kind { return Kind{questions.File(), editLayout()} }

// Memories asks for what agents wrote to memories of their own.
func Memories() Kind { return Kind{questions.Memories(), memoryLayout()} }

// Search asks for what has the words that are the arguments.
func Search() Kind { return Kind{questions.Search(), searchLayout()} }

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
func Run(ctx context.Context, a *cli.App, r questions.Reader, o Options, args []string) error {
	show := newPrinter(a, &o)
	asked := questions.Pages{Ask: o.Kind.Of(r, args), Filter: o.Filter, Limit: o.Limit, Next: o.Cursor}
	if len(o.Filter.Kinds) == 0 {
		asked.Filter.Kinds = show.kinds
	}
	count, err := answer(ctx, a, &asked, show)
	if err == nil && count == 0 && o.Cursor == "" {
		return nothing(ctx, a, r, &o, args)
	}
	return err
}

// answer prints an answer page by page and returns the number of nodes.
func answer(ctx context.Context, a *cli.App, asked *questions.Pages, show printer) (count int, err error) {
	for {
		nodes, more, err := asked.Page(ctx)
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
	if err := show.end(asked.Next); err != nil {
		return count, fmt.Errorf("print answer: %w", err)
	}
	if asked.Next != "" && !show.saysNext {
		a.Stderr.Printf("there is more: --cursor %s\n", asked.Next)
	}
	return count, nil
}
