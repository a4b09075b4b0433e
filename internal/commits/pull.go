package commits

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/internal/bancheck"
	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// Pull is what a pull request should say.
type Pull struct {
	Base, Head string // commits
	Commit
	Checked *bancheck.Answer
}

// Describe answers for the commits of a branch: BASE..HEAD, from where the two parted.
//
// The range begins at the merge base, as on a forge: what BASE got since is not
// counted.
func Describe(ctx context.Context, r *nodedb.Reader, o Options) (*Pull, error) {
	repo, err := gitrepo.Open(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	base, head, ok := strings.Cut(o.Revisions, "..")
	if !ok {
		base, head = o.Revisions, "HEAD"
	}
	if head = strings.TrimPrefix(head, "."); head == "" {
		head = "HEAD"
	}
	p := &Pull{}
	if p.Head, err = repo.Commit(ctx, head); err == nil {
		p.Base, err = repo.MergeBase(ctx, base, p.Head)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Revisions, blame.ErrTarget)
	}
	span := p.Base + ".." + p.Head
	c, err := known(ctx, r, &o, span)
	if err != nil {
		return nil, err
	}
	p.Commit = *c
	p.Checked, err = bancheck.Run(ctx, r, bancheck.Options{Dir: o.Dir, Project: o.Project, Range: span})
	return p, err
}

// Known reports whether an agent is known to have written any of it.
func (p *Pull) Known() bool { return len(p.Sessions) > 0 }

// WriteMarkdown writes it for a forge. All text of transcripts is escaped (plain), so
// that it cannot form links, headings or HTML.
func (p *Pull) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("## Decisions\n\n")
	if len(p.Decisions) == 0 {
		b.WriteString("No decision is known that these changes carry out.\n")
	}
	for i := range p.Decisions {
		d := &p.Decisions[i]
		fmt.Fprintf(&b, "- **%s**", plain(d.Title))
		if d.Title != d.Epitome {
			fmt.Fprintf(&b, "  \n  “%s”", plain(d.Epitome))
		}
		fmt.Fprintf(&b, "  \n  %s, %s, session `%s`, %s in %s\n", day(d.Timestamp), d.Source, d.SessionID, count(d.Lines, "line"), files(d.Files))
		for _, o := range d.Rejected {
			fmt.Fprintf(&b, "  - not: %s\n", plain(o))
		}
	}
	p.bans(&b)
	b.WriteString("\n## Where the lines come from\n\n| agent, decided | agent, no decision known | changed by hand after | not certain | not from a recorded edit |\n| --: | --: | --: | --: | --: |\n")
	o := &p.Origin
	fmt.Fprintf(&b, "| %d | %d | %d | %d | %d |\n", o.Decided, o.Edited, o.Hand, o.Ambiguous, o.None)
	_, err := io.WriteString(w, b.String())
	return err
}

// bans writes how the changes stand to what was forbidden.
func (p *Pull) bans(b *strings.Builder) {
	if p.Checked.Bans == 0 {
		return
	}
	b.WriteString("\n## Bans\n\n")
	broken := 0
	for i := range p.Checked.Breaches {
		k := &p.Checked.Breaches[i]
		what := "breaks"
		if k.Status != "broken" {
			what = "needs a yes for"
		} else {
			broken++
		}
		place := "`" + strings.ReplaceAll(k.File, "`", "'") + "`"
		if k.Line > 0 {
			place += fmt.Sprintf(" line %d", k.Line)
		}
		fmt.Fprintf(b, "- %s %s: “%s”\n", place, what, plain(k.Ban.Epitome))
	}
	if broken == 0 {
		fmt.Fprintf(b, "%s in force that a change can show, none broken.\n", count(p.Checked.Bans, "ban or rejected choice"))
	}
}

// plain returns a text on one line in which Markdown finds nothing to do.
func plain(s string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if strings.ContainsRune("\\`*_[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// files returns the first few names in code quotes, and how many more there are.
func files(names []string) string {
	const most = 5
	quoted := make([]string, 0, most)
	for _, n := range names[:min(len(names), most)] {
		quoted = append(quoted, "`"+strings.ReplaceAll(n, "`", "'")+"`")
	}
	text := strings.Join(quoted, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// day returns the date of a timestamp.
func day(timestamp string) string {
	d, _, _ := strings.Cut(timestamp, "T")
	return d
}

// count returns "1 decision" or "2 decisions".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// Base returns the branch that a pull request usually goes to: main or master, here or at
// the remote.
func Base(ctx context.Context, dir string) (string, error) {
	repo, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return "", err
	}
	for _, name := range []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"} {
		if _, err := repo.Commit(ctx, name); err == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("no branch main or master: name BASE..HEAD: %w", blame.ErrTarget)
}
