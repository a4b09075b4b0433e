// Package inforce reads the rules in force in a project from a database, and puts them into a
// file for agents.
//
// Package rules chooses and words them. Rules are added by rank until the budget of tokens is
// used up. In a file, only the text between its two markers is replaced ([rules.Splice]);
// everything else stays as its author wrote it:
//
//	# Notes for agents                     stays
//	<!-- memscribe rules: begin -->
//	- Never use lodash.                    replaced
//	<!-- memscribe rules: end -->
//
// Package prose skips the text between the markers when a transcript contains it. Otherwise a
// rule would be decided again every time an agent reads the file.
package inforce

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/decisions"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/rules"
	"github.com/memscribe/memscribe/internal/visible"
)

// Schema names the form of what is printed as JSON.
const Schema = "memscribe.rules/v1"

// Options say what is asked for.
type Options struct {
	decisions.Question

	Format rules.Format
	Budget int // tokens
	// Unnamed leaves out which teammates shared rules: a file in a repository is then the same
	// on every machine of a team.
	Unnamed bool
}

// Answer is what is in force.
type Answer struct {
	Schema  string       `json:"schema"`
	Project string       `json:"project"`
	Rules   []rules.Rule `json:"rules"`
	Tokens  int          `json:"tokens"`   // of the rules as text
	LeftOut int          `json:"left_out"` // rules that the budget had no room for
	// Bounded says that there may be more rules: only the best decisions were looked at.
	Bounded bool `json:"bounded,omitempty"`

	text string
}

// ErrBudget is the error of a budget that has no room for anything.
var ErrBudget = errors.New("the budget has no room for a rule")

// Ask reads the rules of a project from a database.
func Ask(ctx context.Context, r *nodedb.Reader, o Options) (*Answer, error) {
	if least := rules.Tokens(rules.Text(nil, o.Format)); o.Budget <= least {
		return nil, fmt.Errorf("%w: what stands around the rules takes %d tokens", ErrBudget, least)
	}
	most := max(fewest, o.Budget)
	project, decisions, err := decisions.Standing(ctx, r, o.Question, most)
	if err != nil {
		return nil, err
	}
	all := Of(decisions)
	for i := range all {
		if o.Unnamed {
			all[i].SharedBy = ""
		}
	}
	a := &Answer{Schema: Schema, Project: project, Bounded: len(decisions) == most}
	a.Rules, a.LeftOut = rules.Fit(all, o.Format, o.Budget)
	a.text = rules.Text(a.Rules, o.Format)
	a.Tokens = rules.Tokens(a.text)
	if a.Rules == nil {
		a.Rules = []rules.Rule{}
	}
	return a, nil
}

// fewest is how many decisions are looked at for rules, also where the budget has room for
// fewer: so it is known how many were left out.
const fewest = 2000

// List lists the rules of a project, the best rank first, and the name under which
// the database has the project. It looks at no more than most decisions, those first that
// may be rules: a project may have decided tens of thousands of things.
func List(ctx context.Context, r *nodedb.Reader, q decisions.Question, most int) (project string, all []rules.Rule, err error) {
	project, decisions, err := decisions.Standing(ctx, r, q, most)
	if err != nil {
		return "", nil, err
	}
	return project, Of(decisions), nil
}

// Of lists the rules among decisions, the best rank first.
func Of(decisions []decisions.Decision) []rules.Rule {
	known := make([]rules.Decision, len(decisions))
	for i := range decisions {
		known[i] = decision(&decisions[i])
	}
	return rules.Of(known)
}

// decision returns what rules have to know of a decision. The title is one that a reader
// sees all of.
func decision(d *decisions.Decision) rules.Decision {
	r := rules.Decision{
		ID: d.ID, Title: visible.Line(d.Title), Epitome: d.Epitome, Timestamp: d.Timestamp, Source: d.Source, Session: d.SessionID,
		Score: d.Score, IsBan: d.IsBan, Superseded: d.SupersededBy != "",
		Memory: d.Has("memory"), Structured: d.Has("structured_choice"), Confirms: d.Confirmation != "",
		Approved: d.Mark.Accepted || d.Source == string(annotate.Person), Pinned: d.Mark.Pinned,
	}
	var taken []string
	for _, o := range d.Options {
		r.Chosen, r.Rejected = r.Chosen || o.Chosen, r.Rejected || !o.Chosen
		if o.Chosen {
			taken = append(taken, o.Text)
		}
	}
	r.Answer = strings.Join(taken, ", ")
	if d.Mark.Shared != nil {
		r.SharedBy = visible.Line(d.Mark.Shared.By)
	}
	return r
}

// Write prints the text.
func (a *Answer) Write(w io.Writer) error {
	_, err := io.WriteString(w, a.text)
	return err
}

// WriteJSON prints one object.
func (a *Answer) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(a)
}

// maxFile bounds the file that the text is put into.
const maxFile = 16 << 20

// WriteFile puts the text into a file, and reports whether that changed it. A link is
// followed; a file keeps its permissions, and a new one can be read by all, as what
// is in a repository.
func (a *Answer) WriteFile(name string) (changed bool, err error) {
	if real, failed := filepath.EvalSymlinks(name); failed == nil {
		name = real
	}
	mode := os.FileMode(0o644)
	var file []byte
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if len(a.Rules) == 0 {
			return false, nil
		}
	case err != nil:
		return false, err
	case !info.Mode().IsRegular() || info.Size() > maxFile:
		return false, fmt.Errorf("write %s: it is no file of at most %d bytes", name, maxFile)
	default:
		mode = info.Mode().Perm()
		if file, err = os.ReadFile(name); err != nil {
			return false, err
		}
	}
	out, err := rules.Splice(file, a.text)
	if err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	if string(out) == string(file) || len(a.Rules) == 0 && !rules.Marked(file) {
		return false, nil
	}
	return true, replace(name, out, mode)
}

// replace writes a file. The one that is there stays until the new one is complete.
func replace(name string, content []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), os.Remove(f.Name()))
	}
	return nil
}
