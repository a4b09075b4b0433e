package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Reader queries a database that a [Sink] fills. It changes nothing. Many goroutines may use
// it.
type Reader struct{ pool *pg.Pool }

// OpenReader opens the database at a URL. One without the table of nodes is an error that says
// how to fill it.
func OpenReader(ctx context.Context, dsn string) (*Reader, error) {
	pool, err := pg.Dial(ctx, dsn)
	if err == nil {
		var there bool
		err = pool.QueryRow(ctx, "SELECT to_regclass('memscribe.nodes') IS NOT NULL").Scan(&there)
		if err == nil && !there {
			err = errors.New("it has no nodes; 'memscribe replay --out' or 'watch --out' with its URL delivers them")
		}
		if err != nil {
			pool.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", pg.Shown(dsn), pg.Explain(err))
	}
	return &Reader{pool}, nil
}

// Close releases the database.
func (r *Reader) Close() error {
	r.pool.Close()
	return nil
}

// Decisions returns decisions, bans among them, the newest first.
func (r *Reader) Decisions(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
	return r.newest(ctx, "kind = 'decision'", f, p)
}

// Bans returns the bans in force, the newest first.
func (r *Reader) Bans(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
	return r.newest(ctx, "kind = 'decision' AND is_ban AND superseded_by IS NULL", f, p)
}

// Episodes returns edits, the newest first.
func (r *Reader) Episodes(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
	return r.newest(ctx, "kind = 'episode'", f, p)
}

// Search returns the nodes that have the words of the filter, the newest first.
func (r *Reader) Search(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
	if f.Text == "" {
		return nodedb.Answer{}, fmt.Errorf("search nodes: %w", nodedb.ErrSearch)
	}
	return r.newest(ctx, "kind <> 'binding'", f, p)
}

// ErrFile is the error of a question that only a database in a file answers.
var ErrFile = errors.New("a database of PostgreSQL does not answer this yet; all other questions it does, and its views take SQL")

// Memories returns [ErrFile].
func (*Reader) Memories(context.Context, string, string, nodedb.Filter, nodedb.Page) (nodedb.Answer, error) {
	return nodedb.Answer{}, ErrFile
}

const fields = `n, id, kind, source, session, thread, seq, coalesce(timestamp, ''), project, coalesce(branch, ''),
	CASE WHEN kind IN ('decision', 'conversation') THEN coalesce(text, '') ELSE '' END, coalesce(title, ''), coalesce(speaker, ''), coalesce(is_ban, false),
	coalesce(decided_by, ''), coalesce(superseded_by, ''), coalesce(path, ''), coalesce(old_path, ''), coalesce(change, ''),
	coalesce(added, 0), coalesce(removed, 0), coalesce(tool, ''), coalesce(call_id, ''), json`

// newest answers a question that has a condition without values, the newest node first.
func (r *Reader) newest(ctx context.Context, where string, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
	return r.answer(ctx, &question{where: []string{where}}, f, p)
}

// answer answers a question, narrowed by a filter, a page at a time: 50 nodes unless the page
// says another number, at most [nodedb.MaxPage]. All of a page is read from one snapshot. The
// links of its nodes come with it unless the page is bare.
func (r *Reader) answer(ctx context.Context, q *question, f nodedb.Filter, p nodedb.Page) (a nodedb.Answer, err error) {
	limit := p.Limit
	if limit <= 0 {
		limit = 50
	}
	limit = min(limit, nodedb.MaxPage)
	if f.Session != "" {
		whole, failed := r.sessionID(ctx, f.Session)
		if failed != nil {
			return a, fmt.Errorf("session %s: %w", f.Session, failed)
		}
		q.and("session = ?", whole)
	}
	if err = q.filter(f); err == nil {
		err = q.after(p.After)
	}
	if err != nil {
		return a, err
	}
	err = pg.Look(ctx, r.pool, func(ctx context.Context, tx pg.Tx) error {
		if failed := q.projects(ctx, tx, f.Project); failed != nil {
			return failed
		}
		if a, err = q.ask(ctx, tx, limit); err != nil || p.Bare {
			return err
		}
		return link(ctx, tx, a.Nodes)
	})
	if err != nil {
		return a, fmt.Errorf("query nodes: %w", pg.Explain(err))
	}
	return a, nil
}

// question is a SELECT of nodes that is being built. Conditions are joined with AND. Values are
// sent apart from the text of the query.
type question struct {
	where []string
	args  []any
	// asItWent says that nodes come in the order of the transcript, and not the newest first.
	asItWent bool // in the order of the transcript, and not the newest first
}

// and adds a condition. Each ? in it stands for the next value.
//
//	q.and("n >= ? AND kind = ?", 5, "decision")   → n >= $1 AND kind = $2
func (q *question) and(condition string, values ...any) {
	for _, v := range values {
		q.args = append(q.args, v)
		condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(q.args)), 1)
	}
	q.where = append(q.where, condition)
}

// filter adds the conditions of a filter, all but its session and project. A search text
// without a word in it is an error.
func (q *question) filter(f nodedb.Filter) error {
	if f.Tool != "" {
		q.and("source = ?", string(f.Tool))
	}
	if len(f.Kinds) > 0 {
		q.and("kind = ANY (?::text[])", f.Kinds)
	}
	if !f.Since.IsZero() || !f.Until.IsZero() {
		q.and("n >= 0")
	}
	if !f.Since.IsZero() {
		q.and("n >= ?", ceil(f.Since.UnixNano()))
	}
	if !f.Until.IsZero() {
		q.and("n < ?", ceil(f.Until.UnixNano()))
	}
	if f.Text == "" {
		return nil
	}
	var all []string
	for _, t := range record.Terms(f.Text) {
		if phrase := pg.Phrase(pg.Term(t)); phrase != "" {
			all = append(all, phrase)
		}
	}
	if len(all) == 0 {
		return nodedb.ErrSearch
	}
	q.and("words @@ ?::tsquery", strings.Join(all, "&"))
	return nil
}

// ceil returns a moment, in nanoseconds, in milliseconds, rounded up: a node's n is rounded
// down, so that none is compared as later than it is.
func ceil(nanos int64) int64 { return (nanos + 999_999) / 1_000_000 }

// projects narrows the question to the projects that a name means: a path, or the last element
// of one.
func (q *question) projects(ctx context.Context, tx pg.Tx, name string) error {
	if name == "" {
		return nil
	}
	rows, err := tx.Query(ctx, "SELECT DISTINCT project FROM memscribe.nodes")
	if err != nil {
		return err
	}
	all, err := pg.Texts(rows)
	if err != nil {
		return err
	}
	if trimmed := strings.TrimRight(name, `/\`); trimmed != "" {
		name = trimmed
	}
	q.and("project = ANY (?::text[])", slices.DeleteFunc(all, func(p string) bool { return !nodedb.InProject(p, name) }))
	return nil
}

// ask reads one page, and one node more to know whether there is another page. If there is,
// Next is the cursor of that.
func (q *question) ask(ctx context.Context, tx pg.Tx, limit int) (a nodedb.Answer, err error) {
	rows, err := tx.Query(ctx, "SELECT "+fields+" FROM memscribe.nodes WHERE "+strings.Join(q.where, " AND ")+
		" ORDER BY "+q.order()+" LIMIT "+strconv.Itoa(limit+1), q.args...)
	if err != nil {
		return a, err
	}
	var (
		at   int64
		node nodedb.Node
	)
	last := int64(0)
	err = pg.ForEachRow(rows, []any{
		&at, &node.ID, &node.Kind, (*string)(&node.Source), &node.Session, &node.Thread, &node.Seq, &node.Timestamp, &node.Project, &node.Branch,
		&node.Text, &node.Title, &node.Speaker, &node.IsBan, &node.DecidedBy, &node.SupersededBy, &node.Path, &node.OldPath, &node.Change,
		&node.Added, &node.Removed, &node.Tool, &node.CallID, &node.JSON,
	}, func() error {
		if len(a.Nodes) == limit {
			a.Next = q.cursor(&a.Nodes[limit-1], last)
			return nil
		}
		one := node
		one.JSON = slices.Clone(node.JSON)
		a.Nodes, last = append(a.Nodes, one), at
		return nil
	})
	return a, err
}

// Link fills in the links of the nodes of a bare page, as [nodedb.Reader.Link] does.
func (r *Reader) Link(ctx context.Context, nodes []nodedb.Node) error {
	err := pg.Look(ctx, r.pool, func(ctx context.Context, tx pg.Tx) error {
		for i := range nodes {
			nodes[i].Links = nil // a server that was lost is asked again
		}
		return link(ctx, tx, nodes)
	})
	if err != nil {
		return fmt.Errorf("read what nodes are bound to: %w", pg.Explain(err))
	}
	return nil
}

// link finds the newest [nodedb.MaxLinks] links of each node, in one query.
func link(ctx context.Context, tx pg.Tx, nodes []nodedb.Node) error {
	at, ids := make(map[string]int, len(nodes)), make([]string, len(nodes))
	for i := range nodes {
		ids[i] = nodes[i].ID
		at[ids[i]] = i
	}
	rows, err := tx.Query(ctx, `SELECT w.id, o.id, o.kind, coalesce(l.relation, ''), coalesce(l.evidence, ''), coalesce(o.timestamp, ''),
		  CASE WHEN o.kind IN ('decision', 'conversation') THEN coalesce(o.text, '') ELSE '' END, coalesce(o.title, ''), coalesce(o.path, ''), coalesce(o.change, '')
		FROM unnest($1::text[]) AS w (id) CROSS JOIN LATERAL (
		  SELECT other, relation, evidence, n FROM memscribe.neighbours WHERE id = w.id ORDER BY n DESC, other DESC LIMIT $2) AS l
		  JOIN memscribe.nodes AS o ON o.id = l.other ORDER BY w.id, l.n DESC, o.id DESC`, ids, nodedb.MaxLinks)
	if err != nil {
		return err
	}
	var (
		of string
		l  nodedb.Link
	)
	err = pg.ForEachRow(rows, []any{&of, &l.ID, &l.Kind, &l.Relation, &l.Evidence, &l.Timestamp, &l.Text, &l.Title, &l.Path, &l.Change}, func() error {
		n := &nodes[at[of]]
		n.Links = append(n.Links, l)
		return nil
	})
	return err
}
