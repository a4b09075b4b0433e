// Package bancheck finds changes in a work tree, a range of commits or recorded edits that
// break a ban of a database.
//
// The findings come from internal/check, which knows rules and changes only. Here the two are
// fetched: rules from the database, changes from git or from recorded edits.
//
//	decisions in force ─┐
//	                    ├─ check.Find ─► breaches: text, JSON, SARIF
//	git diff or edits  ─┘
//
// A breach as JSON, one per line:
//
//	{"status":"broken","file":"package.json","line":7,"text":"\"left-pad\": \"1.3.0\",",
//	 "act":"use","object":"left-pad","ban":{"id":"decision:468f…","title":"Never use left-pad",…}}
//
// Status "ask" means that the ban allows the change if a person was asked. Only what a person
// decided, confirmed or accepted counts as a ban.
package bancheck

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/internal/check"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// Options say what is checked.
type Options struct {
	Dir     string // the folder that the project is in
	Project string // the path or name under which transcripts know it; "" finds it
	Range   string // A..B or a commit; "" is the work tree
	Staged  bool   // what is staged alone
	// Recorded has the recorded edits that Edits leaves be checked, and no repository.
	Recorded bool
	Edits    nodedb.Filter
}

// Ban is a decision that forbids something.
type Ban struct {
	ID        string `json:"id"`
	Epitome   string `json:"epitome"`
	Title     string `json:"title"`
	Score     int    `json:"score"`
	SessionID string `json:"session_id"`
	Source    string `json:"source"`
	Project   string `json:"project"`
	Timestamp string `json:"timestamp"`

	forbids []check.Prohibition
}

// Said returns what a ban says to a reader who has not seen the talk around it: its title, or
// the words themselves.
func (b *Ban) Said() string { return cmp.Or(b.Title, b.Epitome) }

// Episode is the recorded edit that breaks a ban.
type Episode struct {
	ID        string `json:"id"`
	CallID    string `json:"call_id"`
	SessionID string `json:"session_id"`
	Source    string `json:"source"`
	Project   string `json:"project"`
	Timestamp string `json:"timestamp"`
}

// Breach is a place that breaks a ban. Its JSON is what --json prints.
type Breach struct {
	Status  string    `json:"status"` // broken; ask: allowed if a person was asked
	File    string    `json:"file"`
	Line    int       `json:"line,omitempty"`
	Text    string    `json:"text,omitempty"`
	Act     check.Act `json:"act"`
	Object  string    `json:"object"`
	Ban     *Ban      `json:"ban"`
	Episode *Episode  `json:"episode,omitempty"`
}

// Answer is what a check found.
type Answer struct {
	// Bans is the number of decisions that forbid something a change can show.
	Bans     int // how many decisions forbid something that a change can show
	Changes  int // how many changed files, or edits, were looked at
	Breaches []Breach
}

// Broken reports whether a ban is broken for certain.
func (a *Answer) Broken() bool {
	for i := range a.Breaches {
		if a.Breaches[i].Status == "broken" {
			return true
		}
	}
	return false
}

// ErrRange is the error of a range that names no commits.
var ErrRange = errors.New("not a commit or a range of commits")

// Run checks changes against the bans of a database.
func Run(ctx context.Context, r *nodedb.Reader, o Options) (*Answer, error) {
	repo, err := gitrepo.Open(ctx, o.Dir)
	if err != nil && !o.Recorded {
		return nil, err
	}
	project, bans, err := bansOf(ctx, r, &o, repo)
	if err != nil {
		return nil, err
	}
	a := &Answer{Bans: len(bans)}
	if o.Recorded {
		o.Edits.Project = project
		return a, a.edits(ctx, r, o.Edits, bans)
	}
	changes, err := changesOf(ctx, repo, &o)
	if err != nil {
		return nil, err
	}
	a.Changes = len(changes)
	a.add(bans, changes, nil)
	return a, nil
}

// bansOf reads what is forbidden in a project, and the name under which the database
// has it: its folder, or the name of the folder if the work tree lies elsewhere now.
func bansOf(ctx context.Context, r *nodedb.Reader, o *Options, repo *gitrepo.Repo) (project string, bans []Ban, err error) {
	names := []string{o.Project}
	if o.Project == "" {
		root := o.Dir
		if repo != nil {
			root = repo.Root
		}
		names = []string{root, filepath.Base(root)}
		if o.Recorded {
			names = append(names, "") // the edits of all projects, each by its own bans
		}
	}
	for _, project = range names {
		if bans, err = inForce(ctx, r, nodedb.Filter{Project: project}); err != nil || len(bans) > 0 {
			break
		}
	}
	return project, bans, err
}

// inForce lists the decisions of people that forbid something and that nothing has
// replaced.
//
// What an agent decided counts only if a person confirmed or accepted it.
func inForce(ctx context.Context, r *nodedb.Reader, f nodedb.Filter) (bans []Ban, err error) {
	prohibitions := check.NewReader()
	err = each(ctx, r.Decisions, f, func(n *nodedb.Node) error {
		if n.SupersededBy != "" {
			return nil
		}
		forbids := prohibitions.Parse(n.Text)
		if len(forbids) == 0 {
			return nil
		}
		b := Ban{forbids: forbids, ID: n.ID, Epitome: n.Text, SessionID: n.Session, Source: string(n.Source), Project: n.Project, Timestamp: n.Timestamp}
		var node struct {
			Score        int    `json:"score"`
			DecidedBy    string `json:"decided_by"`
			Confirmation string `json:"confirmation"`
		}
		if err = json.Unmarshal(n.JSON, &node); err != nil {
			return fmt.Errorf("read %s: %w", n.ID, err)
		}
		if node.DecidedBy != "user" && node.Confirmation == "" && !n.Mark.Accepted {
			return nil // an agent forbids nothing
		}
		b.Title, b.Score = n.Title, node.Score
		if n.Mark.Accepted {
			b.Score = 100
		}
		bans = append(bans, b)
		return nil
	})
	return bans, err
}

// asks reads a page of nodes, as [nodedb.Reader] does.
type asks func(context.Context, nodedb.Filter, nodedb.Page) (nodedb.Answer, error)

// each goes through all pages of an answer.
func each(ctx context.Context, ask asks, f nodedb.Filter, do func(*nodedb.Node) error) error {
	for next := ""; ; {
		a, err := ask(ctx, f, nodedb.Page{After: next, Limit: nodedb.MaxPage})
		if err != nil {
			return err
		}
		for i := range a.Nodes {
			if err := do(&a.Nodes[i]); err != nil {
				return err
			}
		}
		if next = a.Next; next == "" {
			return nil
		}
	}
}

// add appends what breaks the bans. An edit answers only to bans of its project that
// were there before it, and a ban about one piece of work only to edits of its session.
//
// A ban about one piece of work is checked against recorded edits of its session only;
// for changes of a work tree, whose session is not known, it is left out.
func (a *Answer) add(bans []Ban, changes []check.Change, e *Episode) {
	var rules [][]check.Prohibition
	var of []int
	for i := range bans {
		if e != nil && (bans[i].Timestamp > e.Timestamp || !related(bans[i].Project, e.Project)) {
			continue
		}
		rules, of = append(rules, bans[i].forbids), append(of, i)
	}
	for _, f := range check.Broken(rules, changes) {
		ban := &bans[of[f.Rule]]
		if f.Local && (e == nil || e.SessionID != ban.SessionID) {
			continue
		}
		b := Breach{Status: "broken", File: f.File, Line: f.Line, Text: f.Text, Act: f.Act, Object: f.Object, Ban: ban, Episode: e}
		if f.Ask {
			b.Status = "ask"
		}
		a.Breaches = append(a.Breaches, b)
	}
}

// related reports whether one project is the other, or a folder below it.
func related(a, b string) bool {
	a, b = strings.ReplaceAll(a, `\`, "/"), strings.ReplaceAll(b, `\`, "/")
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

// edits checks the recorded edits.
func (a *Answer) edits(ctx context.Context, r *nodedb.Reader, f nodedb.Filter, bans []Ban) error {
	return each(ctx, r.Episodes, f, func(n *nodedb.Node) error {
		a.Changes++
		c, err := changeOf(n)
		if err != nil {
			return err
		}
		a.add(bans, []check.Change{c}, &Episode{ID: n.ID, CallID: n.CallID, SessionID: n.Session, Source: string(n.Source), Project: n.Project, Timestamp: n.Timestamp})
		return nil
	})
}

// ranged splits A..B; without dots from is the parent.
func ranged(ctx context.Context, repo *gitrepo.Repo, s string) (from, to string, err error) {
	first, last, two := strings.Cut(s, "..")
	if !two {
		first, last = s+"^", s
	}
	last = strings.TrimPrefix(last, ".")
	if last == "" {
		last = "HEAD"
	}
	if from, err = repo.Commit(ctx, first); err == nil {
		to, err = repo.Commit(ctx, last)
	}
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", s, ErrRange)
	}
	return from, to, nil
}
