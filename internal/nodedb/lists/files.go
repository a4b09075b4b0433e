package lists

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/search"
)

// mostFiles is how many files are named.
const mostFiles = 5

// FilesLike returns the paths of at most five edited files whose name is nearly that of the
// last element of a path, or the same in another folder: those of that name first, else sorted. For a
// message that says "did you mean".
func FilesLike(ctx context.Context, r *nodedb.Reader, path string) (files []string, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		// From each name to the next: files are edited many times.
		names, failed := schema.Collect(ctx, s, schema.Single[string], `WITH RECURSIVE each(base) AS (
			SELECT min(base) FROM nodes WHERE base IS NOT NULL
			UNION ALL SELECT (SELECT min(base) FROM nodes WHERE base > each.base) FROM each WHERE each.base IS NOT NULL)
			SELECT base FROM each WHERE base IS NOT NULL`)
		if failed != nil {
			return failed
		}
		name := path[strings.LastIndexAny(path, `/\`)+1:]
		near, failed := json.Marshal(search.Near(name, names))
		if failed != nil {
			return failed
		}
		files, err = schema.Collect(ctx, s, schema.Single[string], `SELECT DISTINCT path FROM nodes
			WHERE base IN (SELECT value FROM json_each(?)) ORDER BY base <> ?, path LIMIT ?`, string(near), name, mostFiles)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for files like %s: %w", path, err)
	}
	return files, nil
}

// Edits returns the ids of all edits of the files that wanted selects by project and path.
// Wanted is called once for each file, not for each edit.
func Edits(ctx context.Context, r *nodedb.Reader, wanted func(project, path string) bool) (ids []string, err error) {
	type file struct{ Project, Path string }
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		all, failed := schema.Collect(ctx, s, func(rows *sql.Rows, f *file) error { return rows.Scan(&f.Project, &f.Path) },
			"SELECT DISTINCT project, path FROM nodes WHERE kind = 'episode' AND path IS NOT NULL")
		if failed != nil {
			return failed
		}
		all = slices.DeleteFunc(all, func(f file) bool { return !wanted(f.Project, f.Path) })
		if len(all) == 0 {
			return nil
		}
		list, failed := json.Marshal(all)
		if failed != nil {
			return failed
		}
		ids, failed = schema.Collect(ctx, s, schema.Single[string], `SELECT id FROM nodes WHERE kind = 'episode' AND (project, path) IN
			(SELECT value ->> 'Project', value ->> 'Path' FROM json_each(?))`, string(list))
		return failed
	})
	if err != nil {
		return nil, fmt.Errorf("look for edits: %w", err)
	}
	return ids, nil
}
