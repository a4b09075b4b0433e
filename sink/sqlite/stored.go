package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/pack"
)

// stored is a message as it lies in the table.
type stored struct {
	message

	size     int
	isSpoken bool
}

const storedSQL = `SELECT n, kind, source, session, thread, seq, project, size, text FROM messages CROSS JOIN talks USING (t)`

func scanStored(rows *sql.Rows, m *stored) error {
	return rows.Scan(&m.n, &m.kind, &m.source, &m.session, &m.thread, &m.seq, &m.root, &m.size, &m.packed)
}

func newUnpacker() (*pack.Unpacker, error) { return pack.NewUnpacker(maxSaid + 64) }

func (m *stored) unpack(u *pack.Unpacker) (string, error) {
	if len(m.packed) == m.size {
		return string(m.packed), nil
	}
	return u.Unpack(m.packed)
}

func unpackAll(all []stored, u *pack.Unpacker) (err error) {
	for i := range all {
		if all[i].text, err = all[i].unpack(u); err != nil {
			return fmt.Errorf("read message of %s: %w", all[i].session, err)
		}
	}
	return nil
}

// hit is the message as a search finds it.
func (m *stored) hit() Hit {
	return Hit{
		Kind: m.kind, Source: core.Tool(m.source), Session: m.session, Thread: m.thread, Seq: m.seq,
		Timestamp: stampOf(m.n), Project: m.root, ByPerson: m.kind == string(core.Asked),
	}
}

// stampOf is the timestamp of a number, to the millisecond; "" if it has none.
func stampOf(n int64) string {
	ms, ok := timeOf(n)
	if !ok {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

func jsonList[T any](values []T) (string, error) {
	if len(values) == 0 {
		return "[]", nil
	}
	b, err := json.Marshal(values)
	return string(b), err
}
