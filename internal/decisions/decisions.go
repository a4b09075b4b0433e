// Package decisions reads the decisions of a project from a database.
//
// A project is named by its folder or, if the work tree was moved, by the last element of it
// or of its remote: of /home/ann/src/shop-2, a clone of git@host.example:acme/shop.git, the names
// "/home/ann/src/shop-2", "shop-2" and "shop" are tried, in this order, and the first with
// decisions counts.
//
// Decisions come with what people said about them (rejected, pinned, a better title) and with
// one of the newest edits that carries each out. [Standing] reads only rules and bans, for
// texts that agents get: it is bounded, while [In] reads all pages.
package decisions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// Question names the project.
type Question struct {
	Dir     string // a folder of the project
	Project string // the path or name under which transcripts know it; "" is that of Dir
	All     bool   // of all projects instead
	Filter  nodedb.Filter
}

// Decision is a decision with the edits that carry it out. Its JSON form is that of exports.
type Decision struct {
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	Epitome      string   `json:"epitome"`
	Options      []Option `json:"considered_options"`
	Score        int      `json:"score"`
	IsBan        bool     `json:"is_ban"`
	DecidedBy    string   `json:"decided_by"`
	Confirmation string   `json:"confirmation,omitempty"`
	SupersededBy string   `json:"superseded_by,omitempty"`
	Timestamp    string   `json:"timestamp,omitempty"`
	Source       string   `json:"source"`
	SessionID    string   `json:"session_id"`
	Project      string   `json:"project"`
	Edits        []Edit   `json:"edits"`

	Mark       annotate.Mark `json:"annotations,omitzero"` // what people said of it
	Categories []string      `json:"-"`                    // of its markers
}

// Option is an alternative that was considered.
type Option struct {
	Text   string `json:"text"`
	Chosen bool   `json:"chosen"`
}

// Edit is an edit that carries a decision out: of many, one of the newest.
type Edit struct {
	ID        string `json:"id"`
	Path      string `json:"path"`
	Change    string `json:"change"`
	Relation  string `json:"relation"`
	Timestamp string `json:"timestamp,omitempty"`
}

// Has reports whether a marker of the decision is of a category.
func (d *Decision) Has(category string) bool { return slices.Contains(d.Categories, category) }

// In returns the decisions of a project, the newest first, and the name under which the
// database has the project. If no name has decisions, it returns the first name and none.
func In(ctx context.Context, r *nodedb.Reader, q Question) (project string, all []Decision, err error) {
	names := q.names(ctx)
	for _, project = range names {
		f := q.Filter
		f.Project = project
		if all, err = list(ctx, r, f); err != nil || len(all) > 0 {
			return project, all, err
		}
	}
	return names[0], nil, nil
}

// names returns those under which the database may have the project, the likeliest first.
func (q *Question) names(ctx context.Context) []string {
	switch {
	case q.All:
		return []string{""}
	case q.Project != "":
		return []string{q.Project}
	}
	root, remote := q.Dir, ""
	if repo, _ := gitrepo.Open(ctx, q.Dir); repo != nil { // without git the folder is the project
		root, remote = repo.Root, repo.Remote(ctx)
	}
	names := []string{root, filepath.Base(root)}
	remote = strings.TrimSuffix(strings.TrimRight(remote, `/\`), ".git")
	if name := remote[strings.LastIndexAny(remote, `/\:`)+1:]; name != "" { // a clone in a folder of another name
		names = append(names, name)
	}
	return names
}

// Standing returns decisions of a project that nothing has replaced and that outlive their
// task, at most so many, the best rank first, and the name under which the database has the
// project. They have no edits. Of the question only the project is used.
func Standing(ctx context.Context, r *nodedb.Reader, q Question, most int) (project string, all []Decision, err error) {
	names := q.names(ctx)
	for _, project = range names {
		folders, err := foldersOf(ctx, r, project)
		if err != nil {
			return project, nil, err
		}
		one, err := r.Decisions(ctx, nodedb.Filter{Project: project}, nodedb.Page{Limit: 1, Bare: true})
		if err != nil {
			return project, nil, err
		}
		if len(one.Nodes) == 0 {
			continue // nothing is decided under this name
		}
		nodes, err := r.Standing(ctx, folders, most)
		if err != nil {
			return project, nil, err
		}
		for i := range nodes {
			d, err := Read(&nodes[i])
			if err != nil {
				return project, nil, err
			}
			all = append(all, d)
		}
		return project, all, nil
	}
	return names[0], nil, nil
}

// foldersOf returns the folders of a project, of all for no name; none if nothing is known of it.
func foldersOf(ctx context.Context, r *nodedb.Reader, project string) ([]string, error) {
	if project == "" {
		return r.ProjectNames(ctx)
	}
	folders, err := r.ProjectsOf(ctx, project)
	if errors.Is(err, nodedb.ErrProject) {
		return nil, nil
	}
	return folders, err
}

// list reads all pages of a filter.
func list(ctx context.Context, r *nodedb.Reader, f nodedb.Filter) (all []Decision, err error) {
	for next := ""; ; {
		a, err := r.Decisions(ctx, f, nodedb.Page{After: next, Limit: nodedb.MaxPage})
		if err != nil {
			return nil, err
		}
		for i := range a.Nodes {
			d, err := Read(&a.Nodes[i])
			if err != nil {
				return nil, err
			}
			all = append(all, d)
		}
		if next = a.Next; next == "" {
			return all, nil
		}
	}
}

// Read makes a decision of a node. A node without its texts has them in its JSON.
func Read(n *nodedb.Node) (Decision, error) {
	var node struct {
		Title        string   `json:"title"`
		Epitome      string   `json:"epitome"`
		Options      []Option `json:"considered_options"`
		Score        int      `json:"score"`
		Confirmation string   `json:"confirmation"`
		Markers      []struct {
			Category string `json:"category"`
		} `json:"markers"`
	}
	if err := json.Unmarshal(n.JSON, &node); err != nil {
		return Decision{}, fmt.Errorf("read %s: %w", n.ID, err)
	}
	d := Decision{
		ID: n.ID, Title: cmp.Or(n.Title, node.Title, node.Epitome), Epitome: cmp.Or(n.Text, node.Epitome), Options: node.Options, Score: node.Score, IsBan: n.IsBan, DecidedBy: n.DecidedBy,
		Confirmation: node.Confirmation, SupersededBy: n.SupersededBy, Timestamp: n.Timestamp, Source: string(n.Source),
		SessionID: n.Session, Project: n.Project, Edits: []Edit{}, Mark: n.Mark,
	}
	for _, m := range node.Markers {
		d.Categories = append(d.Categories, m.Category)
	}
	for _, l := range n.Links {
		d.Edits = append(d.Edits, Edit{ID: l.ID, Path: l.Path, Change: l.Change, Relation: l.Relation, Timestamp: l.Timestamp})
	}
	return d, nil
}
