package nodedb

import (
	"database/sql"
	"fmt"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/compress"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// stored is a message as it lies in the table.
type stored struct {
	n                             int64
	kind, source, session, thread string
	seq                           int64
	project                       string
	size                          int
	packed                        []byte
	text                          string
}

const storedSQL = `SELECT n, kind, source, session, thread, seq, project, size, text FROM messages CROSS JOIN talks USING (t)`

func scanStored(rows *sql.Rows, m *stored) error {
	return rows.Scan(&m.n, &m.kind, &m.source, &m.session, &m.thread, &m.seq, &m.project, &m.size, &m.packed)
}

// unpackAll decompresses the texts of messages.
func unpackAll(all []stored, u *compress.Unpacker) (err error) {
	for i := range all {
		if all[i].text, err = fulltext.UnpackText(u, all[i].packed, all[i].size); err != nil {
			return fmt.Errorf("read message of %s: %w", all[i].session, err)
		}
	}
	return nil
}

// hit is the message as a search finds it.
func (m *stored) hit() Hit {
	return Hit{
		Kind: m.kind, Source: core.Tool(m.source), Session: m.session, Thread: m.thread, Seq: m.seq,
		Timestamp: schema.StampOf(m.n), Project: m.project, ByPerson: m.kind == string(core.Asked),
	}
}
