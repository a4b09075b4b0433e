package blame

import (
	"context"
	"strings"

	"github.com/memscribe/memscribe/internal/gitrepo"
)

// before is what a file held before an edit that gave it its whole content, as far as
// the commits tell. It is read when it is first asked for.
type before struct {
	repo *gitrepo.Repo
	past *gitrepo.Past // nil without commits
	time string

	read    bool
	lines   map[string]bool
	history bool // there are commits of that time, with the file or without
}

// held reports whether the file held a line: 1 yes, -1 no, 0 not known.
//
// A repository that is younger than the edit does not know whether the file was there.
// Mostly it was not, for then the project was new. But if it was, the frame of the file
// is what survives being written again, so lines of the frame are left open:
//
//	module.exports = {      not known
//	  port: 8080,           written by the edit
//	};                      not known
func (b *before) held(ctx context.Context, line string) int {
	if !b.read {
		content, found := "", false
		if b.past != nil {
			content, found = b.past.Before(ctx, b.time)
		}
		b.read, b.lines = true, map[string]bool{}
		b.history = found || b.repo.Had(ctx, b.time)
		for l := range strings.Lines(content) {
			b.lines[strings.TrimRight(l, "\r\n")] = true
		}
	}
	switch {
	case b.lines[strings.TrimRight(line, "\r\n")]:
		return 1
	case !b.history && frame(line):
		return 0
	}
	return -1
}

// frame reports whether a line only opens or closes a block, or says nothing.
func frame(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.ContainsAny(line[:1], "})]") || strings.ContainsAny(line[len(line)-1:], "{([:")
}
