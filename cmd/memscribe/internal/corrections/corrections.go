// Package corrections implements the commands with which people correct what was
// captured: accept, reject, edit, pin, note, supersede, add, annotations and review.
//
// What a person says is an annotation: it is kept beside the nodes, in the database and
// in a file next to it that outlives the database. Nodes are never changed. See package
// annotate for how annotations add up.
package corrections

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// Place says which database is meant, and who speaks.
type Place struct {
	Database string
	By       string // "" is the name that git has, or the user's of the system
}

// Options say what is said.
type Options struct {
	Place

	Kind  annotate.Kind
	Nodes []string // their ids, or the beginnings of those
	Text  string   // of the kinds that have one
	Undo  bool
	JSON  bool // print the annotations

	// Of what is added.
	Project string
	IsBan   bool
}

// Say keeps what a person says of nodes, and prints it.
//
// A node is named by the beginning of its id, at least four characters of the hash;
// nodedb.ErrNode if none or several begin so.
func Say(ctx context.Context, a *cli.App, o Options) error {
	said := []annotate.Annotation{{Kind: o.Kind, Text: o.Text, Project: o.Project, IsBan: o.IsBan}}
	if o.Kind != annotate.Add {
		said = nil
		for _, id := range o.Nodes {
			said = append(said, annotate.Annotation{Kind: o.Kind, Node: id, Text: o.Text, Undo: o.Undo})
		}
		if err := exists(o.Database); err != nil {
			return err
		}
	}
	kept, err := o.Keep(ctx, a, said...)
	if err != nil {
		return err
	}
	if o.JSON {
		return annotate.Write(a.Stdout.Text(), kept)
	}
	for i := range kept {
		if err := say(a, &kept[i]); err != nil {
			return err
		}
	}
	return nil
}

// Keep has the database and the file beside it keep annotations.
//
// It is also how the page and agents annotate, so that redaction and the author are the
// same everywhere.
func (p *Place) Keep(ctx context.Context, a *cli.App, said ...annotate.Annotation) ([]annotate.Annotation, error) {
	scrub, err := scrubber(a)
	if err != nil {
		return nil, err
	}
	by := p.By
	if by == "" {
		by = author(ctx, a)
	}
	for i := range said {
		said[i].By = by
	}
	if err := a.Private(a.Logger(), p.Database, ""); err != nil {
		return nil, err
	}
	return sqlite.Annotate(ctx, p.Database, scrub, a.Now(), said...)
}

// scrubber takes secrets out by the user's rules, as a capture does.
func scrubber(a *cli.App) (core.Scrubber, error) {
	e, err := (&source.Privacy{Rules: &a.Rules}).Encoder()
	if err != nil {
		return nil, err
	}
	return e.Scrubber, nil
}

// author is who speaks: by the name that git has for commits, else by the one of the
// system.
func author(ctx context.Context, a *cli.App) string {
	if dir, err := os.Getwd(); err == nil {
		if name := gitrepo.Author(ctx, dir); name != "" {
			return name
		}
	}
	for _, name := range []string{"USER", "USERNAME"} {
		if v := a.Variable(name); v != "" {
			return v
		}
	}
	return "somebody"
}

// say prints what was kept.
func say(a *cli.App, k *annotate.Annotation) error {
	done := map[annotate.Kind]string{
		annotate.Accept: "accepted", annotate.Reject: "rejected", annotate.Edit: "edited", annotate.Pin: "pinned",
		annotate.Say: "noted", annotate.Supersede: "replaced", annotate.Add: "added",
	}[k.Kind]
	if k.Undo {
		done = string(k.Kind) + " taken back"
	}
	line := done + " " + k.Node
	switch {
	case k.Undo:
	case k.Kind == annotate.Supersede:
		line += " by " + k.Text
	case k.Text != "":
		line += ": " + fulltext.Excerpt(k.Text, "", 100)
	}
	_, err := a.Stdout.Printf("%s\n", line)
	return err
}

// exists reports that there is no database, before anything makes one.
func exists(name string) error {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("open database %s: there is none; 'memscribe watch --once' makes one", name)
	}
	return nil
}
