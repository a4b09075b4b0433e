// Package blame finds the recorded edit that wrote a line, and the decision that the edit
// carries out.
//
// A question names lines: of a file, of commits, or of what is staged. The recorded edits of
// the file come from a database, its content and the names it had before from git, and package
// why says which edit a line is from:
//
//	target ── file and lines ──┐
//	database ── edits ─────────┼─► why.Lines ─► status, edit, decision, commit
//	git ── names before ───────┘
//
// The statuses of a line:
//
//	decision    a recorded edit wrote it, and carries out a decision
//	edit        a recorded edit wrote it
//	hand        it was changed by hand where a recorded edit had written
//	ambiguous   several edits could be the origin, and none is named
//	none        no recorded edit wrote it
//
// An answer is about the lines as they are now.
//
// Where to find what: blame.go asks why for the recorded edits and fills in the decisions;
// before.go reads from git what a file
// held before an edit that wrote all of it; history.go fetches the edits
// of a file, also under its earlier names.
package blame

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/smallfile"
	"github.com/memscribe/memscribe/internal/why"
)

// Options say what is asked.
type Options struct {
	Target  string // FILE, FILE:LINE, FILE:LINE-LINE, COMMIT or A..B
	Dir     string // where relative names begin
	Project string // the path or name under which transcripts know the project; "" finds it
	JSON    bool

	Staged    bool // instead of a target: the lines that are going to be committed
	NoCommits bool // do not ask which commits the lines of a file are in

	// Keep is the folder for what git said of files, so that it need not be asked again;
	// "" keeps nothing.
	Keep string
}

// ErrTarget is the error of a target that is neither a file nor a commit.
var ErrTarget = errors.New("neither a file nor a commit")

// ErrLines is the error of a range of lines that is none.
var ErrLines = errors.New("lines are FILE:LINE or FILE:FIRST-LAST, counted from 1")

// Line is the answer for one line. Its JSON is what --json prints.
type Line struct {
	File       string    `json:"file"`
	Line       int       `json:"line"`
	Text       string    `json:"text"`
	Status     string    `json:"status"` // decision, edit, hand, none, ambiguous
	Episode    *Episode  `json:"episode,omitempty"`
	Decision   *Decision `json:"decision,omitempty"`
	Commit     string    `json:"commit,omitempty"`
	Evidence   string    `json:"evidence,omitempty"`
	Candidates []Episode `json:"candidates,omitempty"`
	// Later is how many edits of the file are recorded after Episode.
	Later int `json:"later_edits,omitempty"`
}

// Episode is an edit, as an answer names it.
type Episode struct {
	ID        string `json:"id"`
	CallID    string `json:"call_id"`
	SessionID string `json:"session_id"`
	Source    string `json:"source"`
	Timestamp string `json:"timestamp"`
	// Shared is set if the edit was not captured here but received from a team.
	Shared *annotate.Shared `json:"shared,omitempty"`

	Tool  string     `json:"-"` // the tool that was called, as its transcript names it
	Hunks []why.Hunk `json:"-"` // what the edit changed
}

// Decision is what an edit carries out.
type Decision struct {
	ID      string `json:"id"`
	Epitome string `json:"epitome"`
	Title   string `json:"title"`
}

// Reader is a database that knows the edits of a file.
type Reader interface {
	File(ctx context.Context, path string, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error)
	Link(ctx context.Context, nodes []nodedb.Node) error
}

// Ask answers a question from a database.
func Ask(ctx context.Context, r Reader, o Options) ([]Line, error) {
	q := question{Options: o, reader: r}
	q.repo, _ = gitrepo.Open(ctx, o.Dir) // nil without git
	if o.Staged {
		return q.staged(ctx)
	}
	file, first, last, err := q.file()
	if err == nil {
		return q.ofFile(ctx, file, first, last)
	}
	if q.repo != nil {
		if from, to, ok := q.commits(ctx); ok {
			return q.ofCommits(ctx, from, to)
		}
	}
	return nil, err
}

// question is one run: the options, what it reads from, and the past of each file that it has met.
type question struct {
	Options

	reader Reader
	repo   *gitrepo.Repo
	pasts  map[string]*gitrepo.Past // by file
}

// past returns what the commits tell of a file; nil without commits.
func (q *question) past(ctx context.Context, rel string) *gitrepo.Past {
	if q.repo == nil {
		return nil
	}
	p, ok := q.pasts[rel]
	if !ok {
		if p, _ = q.repo.Past(ctx, q.Keep, rel); q.pasts == nil {
			q.pasts = map[string]*gitrepo.Past{}
		}
		q.pasts[rel] = p
	}
	return p
}

// maxFile bounds the files that are looked at.
const maxFile = 16 << 20

// file returns the file that the target names, and its lines: 0 and 0 are all.
func (q *question) file() (path string, first, last int, err error) {
	name := q.Target
	if !filepath.IsAbs(name) {
		name = filepath.Join(q.Dir, name)
	}
	if isFile(name) {
		return name, 0, 0, nil
	}
	at := strings.LastIndexByte(name, ':')
	if at < 0 {
		return "", 0, 0, fmt.Errorf("%s: %w", q.Target, ErrTarget)
	}
	from, to, ranged := strings.Cut(name[at+1:], "-")
	first, err1 := strconv.Atoi(from)
	last, err2 := first, error(nil)
	if ranged {
		last, err2 = strconv.Atoi(to)
	}
	name = name[:at]
	switch {
	case !isFile(name):
		return "", 0, 0, fmt.Errorf("%s: %w", q.Target, ErrTarget)
	case err1 != nil || err2 != nil || first < 1 || last < first:
		return "", 0, 0, fmt.Errorf("%s: %w", q.Target, ErrLines)
	}
	return name, first, last, nil
}

// isFile reports whether name is a regular file.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// ofFile answers for a range of lines in a file of the work tree.
func (q *question) ofFile(ctx context.Context, file string, first, last int) ([]Line, error) {
	content, err := readFile(file)
	if err != nil {
		return nil, err
	}
	rel := q.relative(file)
	texts := split(content)
	n := len(texts)
	if first == 0 {
		first, last = 1, n
	} else if first > n {
		return nil, fmt.Errorf("%s has %d lines, no line %d", rel, n, first)
	}
	last = min(last, n)
	lines, err := q.attribute(ctx, rel, texts, []gitrepo.Range{{Path: rel, First: first, Last: last}})
	if err != nil {
		return nil, err
	}
	if past := q.past(ctx, rel); past != nil && n > 0 && !q.NoCommits {
		commits, err := past.Blame(ctx, first, last, n)
		for i := range lines {
			if err == nil { // a file that git does not know has none
				lines[i].Commit = commits[lines[i].Line]
			}
		}
	}
	return lines, nil
}

// readFile reads a file up to maxFile bytes; a longer one is an error.
func readFile(path string) (string, error) {
	b, err := smallfile.Read(path, maxFile)
	return string(b), err
}

// relative returns a file's path below the root of its repository, else as it is.
func (q *question) relative(file string) string {
	root := q.Dir
	if q.repo != nil {
		root = q.repo.Root
	}
	for _, pair := range [][2]string{{root, file}, {resolved(root), resolved(file)}} {
		if rel, err := filepath.Rel(pair[0], pair[1]); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(file)
}

// resolved returns a path without symbolic links, or as it is where that fails.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// split returns the lines of a file.
func split(content string) []string {
	texts := strings.SplitAfter(content, "\n")
	if last := len(texts) - 1; texts[last] == "" {
		texts = texts[:last]
	}
	return texts
}

// attribute answers for ranges of the lines of a file.
func (q *question) attribute(ctx context.Context, rel string, texts []string, ranges []gitrepo.Range) ([]Line, error) {
	history, err := q.history(ctx, rel)
	if err != nil {
		return nil, err
	}
	edits := make([]why.Edit, len(history))
	for i := range history {
		edits[i] = q.edit(ctx, rel, &history[i])
	}
	claims := why.Lines(texts, edits)
	var wanted []why.Claim
	var lines []Line
	for _, r := range ranges {
		for n := r.First; n <= min(r.Last, len(texts)); n++ {
			wanted = append(wanted, claims[n-1])
			lines = append(lines, Line{File: rel, Line: n, Text: strings.TrimRight(texts[n-1], "\r\n")})
		}
	}
	if err = q.decide(ctx, history, wanted); err != nil {
		return nil, err
	}
	for i, c := range wanted {
		lines[i].answer(c, history)
	}
	return lines, nil
}

// answer fills in what a claim means.
func (l *Line) answer(c why.Claim, history []made) {
	switch c.Status {
	case why.Edited:
		m := &history[c.Edit]
		l.Status, l.Episode, l.Decision, l.Later = "edit", &m.Episode, m.decision, len(history)-1-c.Edit
		if l.Decision != nil {
			l.Status = "decision"
		}
		l.Evidence = "the lines around it were changed since"
		switch {
		case c.Exact:
			l.Evidence = "the edit's lines stand as it left them"
		case c.Reformatted:
			l.Evidence = "the edit's line in another form, which no recorded edit gave it"
		}
	case why.Hand:
		l.Status, l.Evidence = "hand", "changed after "+history[c.Edit].CallID+" by no recorded edit"
	case why.Ambiguous:
		l.Status, l.Evidence = "ambiguous", "the same text stands in several places, or was there before"
		for _, k := range c.Candidates {
			l.Candidates = append(l.Candidates, history[k].Episode)
		}
	default:
		l.Status = "none"
	}
}

// edit returns a recorded edit in the form that attribution takes.
func (q *question) edit(ctx context.Context, rel string, m *made) why.Edit {
	e := why.Edit{
		Hunks: m.Hunks, Creates: m.Diff.Change == "create", Whole: m.Diff.Change == "write",
		Unplaced: m.Diff.Certainty != "",
	}
	if !e.Whole || q.repo == nil {
		return e
	}
	b := before{repo: q.repo, past: q.past(ctx, rel), time: m.Timestamp}
	e.Held = func(line string) int { return b.held(ctx, line) }
	return e
}

// commits returns the two commits that the target is the difference of. Of a single one
// from is its parent, "" if it has none.
func (q *question) commits(ctx context.Context) (from, to string, ok bool) {
	first, last, ranged := strings.Cut(q.Target, "..")
	if !ranged {
		one, err := q.repo.Commit(ctx, q.Target)
		parent, _ := q.repo.Commit(ctx, one+"^")
		return parent, one, err == nil
	}
	from, err := q.repo.Commit(ctx, cmp.Or(first, "HEAD"))
	to, err2 := q.repo.Commit(ctx, cmp.Or(strings.TrimPrefix(last, "."), "HEAD"))
	return from, to, errors.Join(err, err2) == nil
}

// ofCommits answers for the lines that one commit has and another one has not.
func (q *question) ofCommits(ctx context.Context, from, to string) (lines []Line, err error) {
	ranges, err := q.repo.Added(ctx, from, to)
	if err == nil {
		lines, err = q.inRanges(ctx, to, ranges)
	}
	if err == nil && !strings.Contains(q.Target, "..") {
		for i := range lines {
			lines[i].Commit = to
		}
	}
	return lines, err
}

// staged answers for the lines that are going to be committed.
func (q *question) staged(ctx context.Context) ([]Line, error) {
	if q.repo == nil {
		return nil, fmt.Errorf("%w: %s", gitrepo.ErrNoRepository, q.Dir)
	}
	ranges, err := q.repo.Staged(ctx)
	if err != nil {
		return nil, err
	}
	return q.inRanges(ctx, "", ranges)
}

// inRanges answers for ranges of the files of a commit; of the index, if that is empty.
func (q *question) inRanges(ctx context.Context, to string, ranges []gitrepo.Range) (lines []Line, err error) {
	for len(ranges) > 0 {
		path := ranges[0].Path
		n := slices.IndexFunc(ranges, func(r gitrepo.Range) bool { return r.Path != path })
		if n < 0 {
			n = len(ranges)
		}
		content, err := q.repo.At(ctx, to, path)
		if err != nil {
			return nil, err
		}
		in, err := q.attribute(ctx, path, split(content), ranges[:n])
		if err != nil {
			return nil, err
		}
		lines = append(lines, in...)
		ranges = ranges[n:]
	}
	return lines, nil
}

// Known reports whether any line has an edit.
func Known(lines []Line) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return l.Episode != nil })
}

// WriteJSON prints one object a line, many lines at a time.
func WriteJSON(w io.Writer, lines []Line) error {
	const enough = 32 << 10 // bytes
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i := range lines {
		if err := e.Encode(&lines[i]); err != nil {
			return err
		}
		if b.Len() < enough && i+1 < len(lines) {
			continue
		}
		if _, err := b.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}
