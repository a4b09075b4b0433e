// Package messages reads messages, whole, out of a database of nodes.
//
// A message is a row of the table messages, with its text packed if that is shorter (see
// package compress), and a row of talks, which many messages share: the tool, the session, the
// thread.
package messages

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Message is a message of the database. N is its row number, which sorts by time.
type Message struct {
	N                             int64
	Kind, Source, Session, Thread string
	Seq                           int64
	Project                       string
	Text                          string

	size   int
	packed []byte // the text as it is stored
}

// Read returns the messages for which a condition in SQL holds. The condition may be
// followed by an order and a limit.
func Read(ctx context.Context, q schema.Querier, where string, args ...any) (all []Message, err error) {
	all, err = schema.Collect(ctx, q, scan, `SELECT n, kind, source, session, thread, seq, project, size, text
		FROM messages CROSS JOIN talks USING (t) WHERE `+where, args...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	u, err := fulltext.NewUnpacker()
	if err != nil {
		return nil, err
	}
	defer u.Close()
	for i := range all {
		m := &all[i]
		if m.Text, err = fulltext.UnpackText(u, m.packed, m.size); err != nil {
			return nil, fmt.Errorf("read message of %s: %w", m.Session, err)
		}
	}
	return all, nil
}

// scan reads the columns of a message; its text is unpacked later, if it is needed.
func scan(rows *sql.Rows, m *Message) error {
	return rows.Scan(&m.N, &m.Kind, &m.Source, &m.Session, &m.Thread, &m.Seq, &m.Project, &m.size, &m.packed)
}
