package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/wordindex"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// unindexedNodes returns a [wordindex.Reread] for the table nodes.
func (s *Sink) unindexedNodes(ctx context.Context, first, last int64) (e wordindex.Entries, next int64, err error) {
	type node struct {
		table.Row

		json                        []byte
		inSearch, inWords, hasTwins bool // the latter: messages have the same words
	}
	scan := func(rows *sql.Rows, n *node) error {
		return rows.Scan(&n.N, &n.Kind, &n.Source, &n.Root, &n.Speaker, &n.DecidedBy, &n.IsBan, &n.json, &n.inSearch, &n.inWords, &n.hasTwins)
	}
	nodes, err := schema.Collect(ctx, s.conn, scan, `SELECT n, kind, source, project,
		coalesce(speaker, ''), coalesce(decided_by, ''), coalesce(is_ban, 0), json,
		EXISTS (SELECT * FROM search_docsize WHERE id = n), EXISTS (SELECT * FROM words_docsize WHERE id = 2 * n),
		kind = 'conversation' AND EXISTS (SELECT * FROM talks CROSS JOIN messages USING (t) WHERE talks.session = nodes.session
		  AND talks.source = nodes.source AND talks.thread = nodes.thread AND messages.seq = nodes.seq)
		FROM nodes WHERE n >= ? AND n <= ? AND kind <> 'binding' ORDER BY n LIMIT ?`, first, last, wordindex.RereadRows)
	if err != nil || len(nodes) == 0 {
		return e, last + 1, err
	}
	for i := range nodes {
		n := &nodes[i]
		if n.inSearch && n.inWords {
			continue
		}
		if err := s.rows.Again(&n.Row, n.json, n.hasTwins); err != nil {
			return e, 0, err
		}
		if !n.inSearch && n.Words != (table.Words{}) {
			e.Search = append(e.Search, s.scopes.EntryOf(&n.Row))
		}
		if !n.inWords && n.Spoken != "" {
			e.Words = append(e.Words, s.scopes.TextOf(&n.Row))
		}
	}
	return e, nodes[len(nodes)-1].N + 1, nil
}

var errUnreadable = errors.New("the text of a message cannot be decompressed")

// unindexedMessages returns a [wordindex.Reread] for the table messages. If a text is
// errUnreadable, its range stays.
func (s *Sink) unindexedMessages(ctx context.Context, first, last int64) (e wordindex.Entries, next int64, err error) {
	type stored struct {
		table.Message

		size    int
		inWords bool
	}
	scan := func(rows *sql.Rows, m *stored) error {
		return rows.Scan(&m.N, &m.Kind, &m.Source, &m.Root, &m.size, &m.Packed, &m.inWords)
	}
	all, err := schema.Collect(ctx, s.conn, scan, `SELECT n, kind, source, project, size, text,
		EXISTS (SELECT * FROM words_docsize WHERE id = 2 * n + 1)
		FROM messages CROSS JOIN talks USING (t) WHERE n >= ? AND n <= ? ORDER BY n LIMIT ?`, first, last, wordindex.RereadRows)
	if err != nil || len(all) == 0 {
		return e, last + 1, err
	}
	u, err := fulltext.NewUnpacker()
	if err != nil {
		return e, 0, err
	}
	defer u.Close()
	for i := range all {
		m := &all[i]
		if m.inWords {
			continue
		}
		if m.Text, err = fulltext.UnpackText(u, m.Packed, m.size); err != nil {
			return e, 0, errors.Join(errUnreadable, err)
		}
		e.Words = append(e.Words, s.scopes.TextOfMessage(&m.Message))
	}
	return e, all[len(all)-1].N + 1, nil
}
