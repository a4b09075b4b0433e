package nodedb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb/filename"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// rank orders decisions by how much they are rules: bans, what was told to be
// remembered, choices between options, what was confirmed. 9 is everything that is not
// sure enough. It is the expression of the index nodes_rules, and must be written to
// the letter as there, or SQLite does not use the index.
const rank = `(CASE
    WHEN coalesce(json_extract(json, '$.score'), 0) < 90 AND json_extract(json, '$.confirmation') IS NULL
      AND instr(json, '"category":"structured_choice"') = 0 THEN 9
    WHEN is_ban = 1 THEN 0
    WHEN instr(json, '"category":"memory"') > 0 THEN 1
    WHEN instr(json, '"category":"structured_choice"') > 0 AND json_extract(json, '$.confirmation') IS NULL
      OR instr(json, '"chosen":true') > 0 AND instr(json, '"chosen":false') > 0 THEN 2
    WHEN json_extract(json, '$.confirmation') IS NOT NULL OR source = 'person' THEN 3
    ELSE 9 END)`

// ProjectNames returns the folders of all projects, sorted.
func (r *Reader) ProjectNames(ctx context.Context) (names []string, err error) {
	err = r.look(ctx, func(v view) error {
		names, err = v.allProjects(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("query projects: %w", sqlitefile.Explain(err))
	}
	return names, nil
}

// Standing returns decisions of projects that nothing has replaced and that outlive
// their task, the best rank first and of one rank the newest: no more than limit. They
// come without links, text and title, which are in the JSON; a title that a person gave
// is there. It takes as long for a project of many decisions as for one of few.
func (r *Reader) Standing(ctx context.Context, projects []string, limit int) ([]Node, error) {
	if len(projects) == 0 {
		return nil, nil
	}
	q := standing(projects, limit)
	return r.numbered(ctx, "what is in force", func(v view) ([]int64, error) {
		return schema.Collect(ctx, v, schema.Single[int64], q.SQL, q.Args...)
	})
}

// numbered returns the nodes of the numbers that ask finds, in their order.
func (r *Reader) numbered(ctx context.Context, what string, ask func(view) ([]int64, error)) (nodes []Node, err error) {
	err = r.look(ctx, func(v view) error {
		ns, failed := ask(v)
		if failed != nil || len(ns) == 0 {
			return failed
		}
		if nodes, failed = v.brief(ctx, ns); failed == nil {
			failed = v.mark(ctx, nodes)
		}
		return failed
	})
	if err != nil {
		return nil, fmt.Errorf("query %s: %w", what, sqlitefile.Explain(err))
	}
	return nodes, nil
}

// stands is the condition of decisions that nothing has replaced, in the transcripts or
// by what people said, and that no person rejected.
const stands = `kind = 'decision' AND nodes.superseded_by IS NULL AND NOT EXISTS (
	SELECT * FROM marks WHERE marks.id = nodes.id AND (rejected OR marks.superseded_by IS NOT NULL))`

// standing returns the question for their numbers. Each project is asked for by itself, so
// that the index answers in order. What a person accepted or pinned is asked for too:
// the index knows nothing of that. A limit is no parameter: SQLite would compile the
// statement a second time, once it knows it.
func standing(projects []string, limit int) Query {
	var q Query
	most := strconv.Itoa(limit)
	var arms []string
	for _, p := range projects[:min(len(projects), manyProjects)] {
		arms = append(arms, "SELECT * FROM (SELECT n, "+rank+` AS rank FROM nodes INDEXED BY nodes_rules
			WHERE `+stands+" AND project = ? AND "+rank+" < 9 ORDER BY "+rank+", n DESC LIMIT "+most+")",
			`SELECT * FROM (SELECT n, -1 AS rank FROM nodes INDEXED BY nodes_id WHERE `+stands+` AND project = ?
			AND nodes.id IN (SELECT id FROM marks WHERE pinned OR json_extract(json, '$.accepted')) LIMIT `+most+")")
		q.Args = append(q.Args, p, p)
	}
	q.SQL = "SELECT n FROM (" + strings.Join(arms, " UNION ALL ") + ") GROUP BY n ORDER BY min(rank), n DESC LIMIT " + most
	return q
}

// Behind returns the decisions that nothing has replaced and that edits of a file in
// one of the projects carry out, those of the newest edits first: no more than limit.
// A path that is not absolute is the end of one.
func (r *Reader) Behind(ctx context.Context, projects []string, path string, limit int) ([]Node, error) {
	list, err := schema.JSONList(projects)
	if err != nil {
		return nil, err
	}
	return r.numbered(ctx, "decisions behind "+path, func(v view) ([]int64, error) { return v.behind(ctx, behind(list, path), limit) })
}

// lookedBack is how many edits of a file are looked at for the decisions behind them.
const lookedBack = 50

// behind reads the numbers of decisions until it has enough: of a file that was edited
// many times most edits are not looked at.
func (v view) behind(ctx context.Context, q Query, limit int) (ns []int64, err error) {
	rows, err := v.QueryContext(ctx, q.SQL, q.Args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	edits, last := 0, int64(0)
	for len(ns) < limit && rows.Next() {
		var edit int64
		var decision sql.NullInt64
		if err := rows.Scan(&edit, &decision); err != nil {
			return nil, err
		}
		if edits == 0 || edit != last {
			edits, last = edits+1, edit
		}
		if edits > lookedBack {
			break
		}
		if decision.Valid && !slices.Contains(ns, decision.Int64) {
			ns = append(ns, decision.Int64)
		}
	}
	return ns, rows.Err()
}

// behind returns the question for the numbers of the edits of a file, the newest first, and
// of the decisions behind each; an edit with none has a line too.
func behind(projects, path string) Query {
	file := filename.Of(path)
	end := cmp.Or(file.End, file.Path)
	return Query{
		SQL: `SELECT e.n, d.n FROM nodes AS e INDEXED BY nodes_base
		  LEFT JOIN nodes AS b INDEXED BY nodes_to ON b.to_id = e.id
		  LEFT JOIN nodes AS d INDEXED BY nodes_id ON d.id = b.from_id AND d.` + strings.ReplaceAll(stands, "nodes.", "d.") + `
		  WHERE e.base = ? AND (e.path = ? OR substr(replace(e.path, '\', '/'), -length(?)) = ?) AND e.project IN (SELECT value FROM json_each(?))
		  ORDER BY e.n DESC, b.n DESC`,
		Args: []any{file.Base, file.Path, end, end, projects},
	}
}

// brief returns nodes in the order of their numbers, with what their columns hold and
// the JSON: its members are not taken out one by one.
func (v view) brief(ctx context.Context, ns []int64) ([]Node, error) {
	list, err := schema.JSONList(ns)
	if err != nil {
		return nil, err
	}
	return schema.Collect(ctx, v, scanBrief, `SELECT n, nodes.id, kind, source, session, seq, coalesce(timestamp, ''), project,
		coalesce(is_ban, 0), coalesce(decided_by, ''), coalesce(superseded_by, ''), nodes.json
		FROM json_each(?) AS wanted CROSS JOIN nodes ON nodes.n = wanted.value ORDER BY wanted.key`, list)
}

// scanBrief reads the columns of a node that a list shows.
func scanBrief(rows *sql.Rows, n *Node) error {
	return rows.Scan(&n.n, &n.ID, &n.Kind, &n.Source, &n.Session, &n.Seq, &n.Timestamp, &n.Project, &n.IsBan, &n.DecidedBy, &n.SupersededBy, &n.JSON)
}

// maxReplaced is how many decisions that one replaced are returned.
const maxReplaced = 20

// Replaced returns the decisions of the same session in whose place one stands, and those that
// a person said it replaces.
func (r *Reader) Replaced(ctx context.Context, id string) (nodes []Node, err error) {
	err = r.look(ctx, func(v view) error {
		nodes, err = v.fetch(ctx, `n IN (SELECT old.n FROM nodes AS by CROSS JOIN nodes AS old ON old.session = by.session AND old.source = by.source
			WHERE by.id = ?1 AND old.superseded_by = ?1 UNION SELECT old.n FROM marks CROSS JOIN nodes AS old ON old.id = marks.id WHERE marks.superseded_by = ?1)`,
			"n DESC LIMIT ?2", []any{id, maxReplaced})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what %s replaced: %w", id, sqlitefile.Explain(err))
	}
	return nodes, nil
}
