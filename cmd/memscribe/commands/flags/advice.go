package flags

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/usage"
)

// Advised adds advice to an error about a database or a question, and returns other errors
// unchanged:
//
//	open database nodes.db: no such file or directory; 'memscribe watch' keeps one from now on, …
//
// A question that cannot be asked (a search without words, an invalid cursor) becomes a usage
// error.
func Advised(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w; 'memscribe watch' keeps one from now on, 'memscribe replay --sink sqlite' makes one of what there is, --db names another", err)
	case errors.Is(err, schema.ErrOlder):
		return fmt.Errorf("%w; 'memscribe watch --once' brings it up to date", err)
	case errors.Is(err, newer.Err):
		return fmt.Errorf("%w; 'memscribe replay --sink sqlite --out FILE' makes another of the transcripts", err)
	case errors.Is(err, schema.ErrForeign):
		return fmt.Errorf("%w; --db names another", err)
	case errors.Is(err, nodedb.ErrNode):
		return fmt.Errorf("%w; 'memscribe query decisions --ids' shows some", err)
	case errors.Is(err, nodedb.ErrProject):
		return fmt.Errorf("%w; 'memscribe projects' lists them, --project names one", err)
	case errors.Is(err, nodedb.ErrSession):
		return fmt.Errorf("%w; 'memscribe sessions' lists them", err)
	case errors.Is(err, nodedb.ErrSearch):
		return usage.Errorf("%w; give a word that is wanted, beside filters and words that are not; 'memscribe query' lists without one", err)
	case errors.Is(err, nodedb.ErrCursor):
		return usage.Errorf("--cursor: %w; leave it out to begin at the beginning", err)
	}
	return err
}
