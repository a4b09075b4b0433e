package gitrepo

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Past is what commits tell of one file: which of them touched it, under which name,
// and which one each of its lines is from. To find that out git walks all commits, so
// it is kept from one question to the next, and only what was committed since is asked
// for:
//
//	kept at X      X ─ … ─ HEAD ─ work tree
//	               └ git looks only here; a line that it follows back to X
//	                 has the commit that was kept for that line of X
type Past struct {
	repo *Repo
	path string // below the root, with slashes
	file string // where it is kept, "" if it is not
	kept kept
}

// kept is a Past as it is written down.
type kept struct {
	Path    string   `json:"path"`
	Head    string   `json:"head"`    // the commit for which the rest is known
	Touched []Touch  `json:"touched"` // the newest first
	Ignored string   `json:"ignored"` // the digest of .git-blame-ignore-revs
	Lines   []string `json:"lines"`   // the commit of each line, nil if that was not asked
}

// Touch is a commit that changed a file.
type Touch struct {
	ID   string `json:"id"`
	Time int64  `json:"time"` // when it was committed, in seconds
	Name string `json:"name"` // the name of the file in it
}

// Past finds out what commits tell of a file below the root. Dir is a folder in which
// that is kept; with "" it is not.
func (r *Repo) Past(ctx context.Context, dir, path string) (*Past, error) {
	p := &Past{repo: r, path: path, file: keptFile(dir, r.Root, path)}
	head, err := r.Commit(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	p.kept = readKept(p.file)
	ignored := r.ignoredSum()
	if p.kept.Path != path || p.kept.Ignored != ignored || !p.later(ctx, head) {
		p.kept = kept{Path: path, Head: head, Ignored: ignored}
		if p.kept.Touched, _, err = r.touches(ctx, head, path); err != nil {
			return nil, err
		}
		p.write()
	}
	return p, nil
}

// later brings what is kept up to date. It reports false if that cannot be told from
// what was committed since: history was rewritten, or the file got another name.
func (p *Past) later(ctx context.Context, head string) bool {
	if p.kept.Head == head {
		return true
	}
	if _, err := p.repo.git(ctx, "merge-base", "--is-ancestor", p.kept.Head, head); err != nil {
		return false
	}
	since, renamed, err := p.repo.touches(ctx, p.kept.Head+".."+head, p.path)
	if err != nil || renamed {
		return false
	}
	if len(since) == 0 {
		return true // what was known of the older commit is as true of this one
	}
	if p.kept.Lines != nil {
		lines, ok := p.since(ctx, []string{head}, 0, 0)
		if !ok {
			return false
		}
		p.kept.Lines = inOrder(lines)
	}
	p.kept.Head, p.kept.Touched = head, append(since, p.kept.Touched...)
	p.write()
	return true
}

// touches lists the commits of a revision or range that changed a file, through its
// renames.
func (r *Repo) touches(ctx context.Context, revisions, path string) (all []Touch, renamed bool, err error) {
	out, err := r.git(ctx, "log", "--follow", "-M", "--name-status", "--format=%x01%H %ct", "--no-ext-diff", "--no-color", "--end-of-options", revisions, "--", path)
	if err != nil {
		return nil, false, err
	}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if about, ok := strings.CutPrefix(line, "\x01"); ok {
			id, at, _ := strings.Cut(about, " ")
			seconds, _ := strconv.ParseInt(at, 10, 64)
			all = append(all, Touch{ID: id, Time: seconds, Name: path})
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) < 2 || len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		last.Name = unquoted(fields[len(fields)-1])
		if len(fields) == 3 {
			renamed, path = true, unquoted(fields[1]) // its name in the commits before
		}
	}
	return all, renamed, nil
}

// Names returns the names that the file had before, the newest first.
func (p *Past) Names() []string {
	var names []string
	last := p.path
	for _, t := range p.kept.Touched {
		if t.Name != last {
			names, last = append(names, t.Name), t.Name
		}
	}
	return names
}

// Before returns what the file held in the last commit before a time (RFC 3339), and
// whether there was such a commit.
func (p *Past) Before(ctx context.Context, at string) (content string, found bool) {
	when, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return "", false
	}
	for _, t := range p.kept.Touched {
		if t.Time <= when.Unix() {
			content, err = p.repo.At(ctx, t.ID, t.Name)
			return content, err == nil
		}
	}
	return "", false
}

// Blame returns the commit of each line of the file as it is in the work tree, from
// first to last of n lines; "" for lines that are in none. Changes of space alone do not
// count, and lines that moved within the file keep their commit.
func (p *Past) Blame(ctx context.Context, first, last, n int) (map[int]string, error) {
	if p.kept.Lines == nil && p.file != "" && last-first+1 == n { // a few lines are not worth all
		all, err := p.repo.blame(ctx, p.path, []string{p.kept.Head}, 0, 0)
		if err != nil {
			return nil, err
		}
		p.kept.Lines = inOrder(commitsOf(all))
		p.write()
	}
	if p.kept.Lines != nil {
		if lines, ok := p.since(ctx, nil, first, last); ok {
			return lines, nil
		}
	}
	all, err := p.repo.blame(ctx, p.path, nil, first, last)
	return commitsOf(all), err
}

// commitsOf returns the commit of each line.
func commitsOf(all map[int]blamed) map[int]string {
	commits := make(map[int]string, len(all))
	for n, b := range all {
		commits[n] = b.commit
	}
	return commits
}

// inOrder returns the commits of all lines of a file, the first of which is 1.
func inOrder(lines map[int]string) []string {
	out := make([]string, len(lines))
	for i := range out {
		out[i] = lines[i+1]
	}
	return out
}

// since blames a revision, or the work tree, and follows lines no further back than to
// the commit for which they are known.
func (p *Past) since(ctx context.Context, revisions []string, first, last int) (lines map[int]string, ok bool) {
	all, err := p.repo.blame(ctx, p.path, append([]string{"^" + p.kept.Head}, revisions...), first, last)
	if err != nil {
		return nil, false
	}
	lines = make(map[int]string, len(all))
	for n, b := range all {
		switch {
		case b.commit == p.kept.Head:
			if b.name != p.path || b.line < 1 || b.line > len(p.kept.Lines) {
				return nil, false
			}
			lines[n] = p.kept.Lines[b.line-1]
		case b.boundary:
			return nil, false // by way of a merge it is from before
		default:
			lines[n] = b.commit
		}
	}
	return lines, true
}
