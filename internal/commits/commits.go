// Package commits finds the sessions and decisions that went into commits and writes the text
// of a pull request.
//
// The tools record nothing about this. What a commit added is compared, line by line, with what
// agents are known to have written. So the answer holds after a rebase, a squash or a
// cherry-pick too.
//
// An answer is about lines. blame.Ask says of each added line where it comes from, and here the
// lines are counted:
//
//	agent_with_decision     a recorded edit wrote it, and a decision is bound to the edit
//	agent_without_decision  a recorded edit wrote it
//	hand                    it differs from what a recorded edit wrote there
//	ambiguous               several recorded edits may have written it
//	unknown                 none did
//
// "unknown" is everything that was not recorded, people's work among it.
//
// What is written with the counts:
//
//	List          memscribe commits: a commit per line of JSON
//	Describe      the text of a pull request, with the bans that it would break
//	WriteNotes    git notes, which follow a rebase or an amend if wanted
//	Trailers      lines of a commit's message, by a hook
//	ShareOf       the share of agents in files
//
// Where to find what: commits.go lists commits, share.go counts lines by origin, pull.go writes
// a pull request, notes.go git notes, and trailers.go the trailers of commit messages.
package commits

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// Options say what is asked for.
type Options struct {
	Dir       string
	Project   string // the path or name under which transcripts know the project
	Revisions string // a revision or a range A..B
	Limit     int    // how many commits at most
}

// Commit is a commit with what is known of its lines. Its JSON is what --json prints.
//
// Lines of a commit are compared with recorded edits by their text, so the answer is the same
// after a rebase or a squash.
type Commit struct {
	ID      string `json:"commit"`
	Time    string `json:"timestamp"`
	Author  string `json:"author"`
	Subject string `json:"subject"`
	Origin  Origin `json:"lines"`

	// Those with the most lines first.
	Sessions  []Session  `json:"sessions"`
	Decisions []Decision `json:"decisions"`
}

// Origin counts added lines by where they come from.
type Origin struct {
	Decided   int `json:"agent_with_decision"`
	Edited    int `json:"agent_without_decision"`
	Hand      int `json:"hand"` // changed by hand after an agent's edit
	Ambiguous int `json:"ambiguous"`
	None      int `json:"unknown"` // no recorded edit wrote them
}

// All returns how many lines there are.
func (o *Origin) All() int { return o.Decided + o.Edited + o.Hand + o.Ambiguous + o.None }

// Session is a session whose edits stand in a commit.
type Session struct {
	ID     string `json:"id"`
	Source string `json:"source"`
	Lines  int    `json:"lines"`
}

// Decision is a decision that lines of a commit carry out.
type Decision struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Epitome   string   `json:"epitome"`
	Timestamp string   `json:"timestamp"`
	SessionID string   `json:"session_id"`
	Source    string   `json:"source"`
	IsBan     bool     `json:"is_ban"`
	Rejected  []string `json:"rejected,omitempty"`
	Files     []string `json:"files"`
	Lines     int      `json:"lines"`
}

// List answers for each commit.
//
// Merge commits are left out by the log. [blame.ErrTarget] for a revision that git does
// not know.
func List(ctx context.Context, r *nodedb.Reader, o Options) ([]Commit, error) {
	repo, err := gitrepo.Open(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	infos, err := repo.Log(ctx, o.Revisions, o.Limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Revisions, blame.ErrTarget)
	}
	all := make([]Commit, 0, len(infos))
	for _, info := range infos {
		c, err := known(ctx, r, &o, info.ID)
		if err != nil {
			return nil, err
		}
		c.ID, c.Time, c.Author, c.Subject = info.ID, info.Time, info.Author, info.Subject
		all = append(all, *c)
	}
	return all, nil
}

// known returns what is known of the lines that a commit or a range added.
func known(ctx context.Context, r *nodedb.Reader, o *Options, target string) (*Commit, error) {
	return tallied(ctx, r, blame.Options{Target: target, Dir: o.Dir, Project: o.Project})
}

// tallied sums up what is known of lines.
func tallied(ctx context.Context, r *nodedb.Reader, o blame.Options) (*Commit, error) {
	found, err := blame.Ask(ctx, r, o)
	if err != nil {
		return nil, err
	}
	c := &Commit{Sessions: []Session{}, Decisions: []Decision{}}
	for i := range found {
		c.count(&found[i])
	}
	sort.SliceStable(c.Sessions, func(i, j int) bool {
		a, b := &c.Sessions[i], &c.Sessions[j]
		return cmp.Compare(b.Lines, a.Lines) < 0
	})
	sort.SliceStable(c.Decisions, func(i, j int) bool {
		a, b := &c.Decisions[i], &c.Decisions[j]
		return cmp.Compare(b.Lines, a.Lines) < 0
	})
	for i := range c.Decisions {
		if err := c.Decisions[i].complete(ctx, r); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// count counts a line by its status.
func (o *Origin) count(status string) {
	switch status {
	case "decision":
		o.Decided++
	case "edit":
		o.Edited++
	case "hand":
		o.Hand++
	case "ambiguous":
		o.Ambiguous++
	default:
		o.None++
	}
}

// count adds a line of the commit to its origin, and to the session and decision
// that it comes from.
func (c *Commit) count(l *blame.Line) {
	c.Origin.count(l.Status)
	if e := l.Episode; e != nil {
		i := slices.IndexFunc(c.Sessions, func(s Session) bool { return s.ID == e.SessionID })
		if i < 0 {
			i = len(c.Sessions)
			c.Sessions = append(c.Sessions, Session{ID: e.SessionID, Source: e.Source})
		}
		c.Sessions[i].Lines++
	}
	if d := l.Decision; d != nil {
		i := slices.IndexFunc(c.Decisions, func(k Decision) bool { return k.ID == d.ID })
		if i < 0 {
			i = len(c.Decisions)
			c.Decisions = append(c.Decisions, Decision{ID: d.ID, Title: d.Title, Epitome: d.Epitome})
		}
		c.Decisions[i].Lines++
		if !slices.Contains(c.Decisions[i].Files, l.File) {
			c.Decisions[i].Files = append(c.Decisions[i].Files, l.File)
		}
	}
}

// complete adds what the decision's node says.
func (d *Decision) complete(ctx context.Context, r *nodedb.Reader) error {
	n, found, err := r.Node(ctx, d.ID)
	if err != nil || !found {
		return err
	}
	d.Timestamp, d.SessionID, d.Source, d.IsBan = n.Timestamp, n.Session, string(n.Source), n.IsBan
	var node struct {
		Options []struct {
			Text   string `json:"text"`
			Chosen bool   `json:"chosen"`
		} `json:"considered_options"`
	}
	if err := json.Unmarshal(n.JSON, &node); err != nil {
		return fmt.Errorf("read %s: %w", d.ID, err)
	}
	for _, o := range node.Options {
		if text := strings.TrimSpace(o.Text); !o.Chosen && text != "" && !n.IsBan {
			d.Rejected = append(d.Rejected, text)
		}
	}
	return nil
}

// WriteJSON prints one object a line.
func WriteJSON(w io.Writer, all []Commit) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range all {
		if err := e.Encode(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

// Known reports whether an agent is known to have written a line of any of them.
func Known(all []Commit) bool {
	for i := range all {
		if len(all[i].Sessions) > 0 {
			return true
		}
	}
	return false
}
