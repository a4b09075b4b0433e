package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// validSince sets since when a memory is valid, if it does not say: the time of its last
// version, else the present.
func (w *write) validSince(ctx context.Context, m *api.Memory, old held) error {
	if m.ValidAt != "" {
		return nil
	}
	m.ValidAt = m.TransactionAt
	if !old.n.Valid {
		return nil
	}
	r, err := w.version(ctx, old.n.Int64)
	if err == nil {
		m.ValidAt = record.ValidSince(&r.Memory, w.now)
	}
	return err
}

// version reads a version.
func (w *write) version(ctx context.Context, n int64) (*record.Record, error) {
	var text []byte
	if err := w.db.QueryRowContext(ctx, "SELECT CAST(record AS BLOB) FROM versions WHERE n = ?", n).Scan(&text); err != nil {
		return nil, err
	}
	return record.Read(text)
}

// invalidSince sets since when a superseded memory is invalid: since the memory that supersedes
// it is valid. As long as that one is not known it stays in force. Once the time was known it
// stays, even if the other memory is forgotten.
func (w *write) invalidSince(ctx context.Context, m *api.Memory, old held) error {
	if m.SupersededBy == "" {
		return nil
	}
	var by int64
	err := w.db.QueryRowContext(ctx, "SELECT n FROM memories WHERE id = ? AND namespace = ? AND n IS NOT NULL", m.SupersededBy, w.namespace).Scan(&by)
	if err == nil {
		var r *record.Record
		if r, err = w.version(ctx, by); err == nil {
			m.InvalidAt = later(m.ValidAt, r.Memory.ValidAt)
		}
		return err
	}
	if !errors.Is(err, sql.ErrNoRows) || !old.n.Valid {
		return ignore(err, sql.ErrNoRows)
	}
	was, err := w.version(ctx, old.n.Int64)
	if err == nil && was.Memory.SupersededBy == m.SupersededBy && was.Memory.InvalidAt != "" {
		m.InvalidAt = later(m.ValidAt, was.Memory.InvalidAt)
	}
	return err
}

// ignore returns an error unless it is of the kind what.
func ignore(err, what error) error {
	if errors.Is(err, what) {
		return nil
	}
	return err
}

// later returns the later of two timestamps.
func later(a, b string) string {
	if core.ParseTime(a).Compare(core.ParseTime(b)) > 0 {
		return a
	}
	return b
}

// settle gives memories that are superseded by what was written their time. Each
// that has another than before gets a version, and an entry; length is that of
// the chain before the transaction.
//
// An example: memory a says "superseded by b" and b is not there yet, so a stays in
// force. When b is written, valid since noon, a gets a new version that is invalid
// since noon, and the chain an entry "invalidate" in the same transaction.
func (w *write) settle(ctx context.Context, length int64) error {
	var written []string
	for _, r := range w.results {
		if r.Outcome == api.Created || r.Outcome == api.Updated {
			written = append(written, r.ID)
		}
	}
	if len(written) == 0 {
		return nil
	}
	list, err := json.Marshal(written)
	if err != nil {
		return err
	}
	// The entries of this very write come later.
	numbers, err := sqlitefile.Column[int64](ctx, w.db, `SELECT v.n FROM versions AS v LEFT JOIN entries AS e USING (seq)
		WHERE v.superseded IN (SELECT value FROM json_each(?)) AND v.until IS NULL AND coalesce(e.namespace, ?2) = ?2 ORDER BY v.seq`, string(list), w.namespace)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		was, err := w.version(ctx, n)
		if err != nil {
			return err
		}
		if err := w.invalidate(ctx, &was.Memory, step{length + int64(len(w.entries)) + 1, chain.Invalidate}); err != nil {
			return err
		}
	}
	return nil
}

// invalidate rewrites the present version of a memory, if the time since when
// it is invalid has become another.
func (w *write) invalidate(ctx context.Context, m *api.Memory, do step) error {
	if m.Namespace != w.namespace {
		return nil // its entry says otherwise: Verify names it
	}
	var old held
	err := w.db.QueryRowContext(ctx, "SELECT n, digest FROM memories WHERE namespace = ? AND id = ?", m.Namespace, m.ID).Scan(&old.n, &old.digest)
	if err != nil {
		return err
	}
	before := m.InvalidAt
	if err = w.invalidSince(ctx, m, old); err != nil || m.InvalidAt == before {
		return err
	}
	m.TransactionAt = w.now
	r, err := record.New(m)
	if err != nil {
		return err
	}
	return w.store1(ctx, r, old, do)
}
