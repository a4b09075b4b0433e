package watch

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/shape"
	"github.com/memscribe/memscribe/io/capture"
)

// novelties logs records in transcripts that this version does not know, once for each tool and
// shape. It waits until everything is read, so that a backfill gives one message and not
// hundreds.
type novelties struct {
	log   func() *slog.Logger
	clean func(string) string
	told  map[string]bool              // what was logged
	next  map[core.Tool][]shape.Unseen // to be logged when there is nothing to read
}

// newNovelties returns a reporter that has logged nothing yet.
func newNovelties(log func() *slog.Logger, clean func(string) string) *novelties {
	return &novelties{log: log, clean: clean, told: map[string]bool{}, next: map[core.Tool][]shape.Unseen{}}
}

// most is how many names a message has: a new version of a tool may have many.
const most = 12

// note adds what was found, and logs it when everything is read.
func (n *novelties) note(ctx context.Context, p capture.Progress) {
	for _, f := range p.Files {
		for u := range f.Unseen { // order does not matter: sorted before it is shown
			if key := string(f.Tool) + " " + u.String(); !n.told[key] {
				n.told[key] = true
				n.next[f.Tool] = append(n.next[f.Tool], u)
			}
		}
	}
	if !p.Idle {
		return
	}
	for _, tool := range sortedTools(n.next) {
		n.tell(ctx, tool, n.next[tool])
	}
	clear(n.next)
}

// sortedTools returns the keys in order, so that messages do not depend on the order
// of a map.
func sortedTools(m map[core.Tool][]shape.Unseen) []core.Tool {
	tools := make([]core.Tool, 0, len(m))
	for tool := range m { // sorted below
		tools = append(tools, tool)
	}
	slices.Sort(tools)
	return tools
}

// tell logs the unknown shapes of one tool, the first few by name. It is a warning if records
// are of an unknown kind, else a debug message.
func (n *novelties) tell(ctx context.Context, tool core.Tool, met []shape.Unseen) {
	slices.SortStableFunc(met, shape.Unseen.Compare)
	names := make([]string, 0, most+1)
	for _, u := range met[:min(len(met), most)] {
		names = append(names, n.clean(u.String()))
	}
	if len(met) > most {
		names = append(names, fmt.Sprintf("and %d more", len(met)-most))
	}
	level := slog.LevelDebug // unknown members and versions do no harm
	if slices.ContainsFunc(met, func(u shape.Unseen) bool { return u.What != "version" }) {
		level = slog.LevelWarn
	}
	n.log().Log(ctx, level, "a tool writes what this version does not know; it is kept as it is",
		slog.String("tool", string(tool)), slog.String("what", strings.Join(names, ", ")))
}
