// Package near keeps vectors of memories in a database of SQLite, beside their versions,
// and finds the nearest.
//
// It looks at each vector that the filters of a search leave: what it finds is exact.
//
// A vector has the space of its model: the name, and the number of dimensions that the first
// vector had. Vectors of different models are never compared. The hash of the text that a vector
// was made from is stored with it; [Check] compares it with the version, and [Keep] uses the
// vector of an earlier version with the same text again.
//
// The cost of a search is linear in the versions that the filters leave: about a million
// multiplications for 1,000 vectors of 1,024 dimensions.
//
// The tables. A row of embeddings is beside a row of versions, with the same number n:
//
//	embeddings   n, namespace, model, hash of the text, vector (4 bytes for each number)
//	spaces       namespace, model, dims, filled
//
// The number "filled" grows when vectors are added later. A search that is repeated compares
// it, to see whether its results may have changed. Vectors are not in the chain: they can be
// made again from the memories.
package near

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Tables are what vectors are kept in, beside the tables of memories. The chain does not
// vouch for them: they can be made again.
const Tables = `
-- The vector of a version; n is versions.n.
CREATE TABLE embeddings (
  n         INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  model     TEXT NOT NULL,
  hash      BLOB NOT NULL, -- of what the vector is made of
  vector    BLOB NOT NULL  -- of length one, each number in four bytes
) STRICT;
CREATE INDEX embeddings_hash ON embeddings(namespace, hash);

-- What the vectors of a model are like in a namespace.
CREATE TABLE spaces (
  namespace TEXT NOT NULL,
  model     TEXT NOT NULL,
  dims      INTEGER NOT NULL, -- numbers of each vector
  filled    INTEGER NOT NULL, -- how often vectors were filled in, after their memories were written
  PRIMARY KEY (namespace, model)
) STRICT, WITHOUT ROWID;
`

// Vectors are the vectors of a model in the namespace that is written to.
type Vectors struct {
	Model string
	Of    map[embed.Hash]embed.Vector // by what they are made of
}

// Stored returns the vectors of texts that a namespace has.
func Stored(ctx context.Context, db chain.DB, namespace, model string, hashes []embed.Hash) (map[embed.Hash]embed.Vector, error) {
	found := map[embed.Hash]embed.Vector{}
	for _, h := range hashes {
		var b []byte
		err := db.QueryRowContext(ctx, "SELECT vector FROM embeddings WHERE namespace = ? AND hash = ? AND model = ? LIMIT 1", namespace, h[:], model).Scan(&b)
		switch {
		case err == nil:
			found[h] = embed.FromBytes(b, nil)
		case !errors.Is(err, sql.ErrNoRows):
			return nil, fmt.Errorf("read vectors: %w", err)
		}
	}
	return found, nil
}

// Version is a version that gets a vector.
type Version struct {
	N   int64
	Old int64 // the version that it takes the place of; 0 is none
}

// Keep stores the vector of a version: one that was just made, or else the one of the
// version before, if both say the same.
func (v *Vectors) Keep(ctx context.Context, db chain.DB, m *api.Memory, is Version) error {
	if len(v.Of) == 0 && is.Old == 0 {
		return nil
	}
	h := embed.HashOf(m.Content)
	made := v.Of[h]
	if made == nil {
		_, err := db.ExecContext(ctx, `INSERT INTO embeddings (n, namespace, model, hash, vector)
			SELECT ?, namespace, model, hash, vector FROM embeddings WHERE n = ? AND hash = ?`, is.N, is.Old, h[:])
		return err
	}
	if err := admit(ctx, db, space{m.Namespace, v.Model}, len(made)); err != nil {
		return err
	}
	return put(ctx, db, is.N, space{m.Namespace, v.Model}, embed.Filled{Hash: h, Vector: made})
}

// put writes the vector of a memory in place of an earlier one.
func put(ctx context.Context, db chain.DB, n int64, s space, f embed.Filled) error {
	_, err := db.ExecContext(ctx, `INSERT INTO embeddings (n, namespace, model, hash, vector) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (n) DO UPDATE SET model = excluded.model, hash = excluded.hash, vector = excluded.vector`, n, s.namespace, s.model, f.Hash[:], f.Vector.Bytes())
	return err
}

// space is a model in a namespace.
type space struct{ namespace, model string }

// admit refuses vectors that have another number of numbers than those that are there.
func admit(ctx context.Context, db chain.DB, s space, dims int) error {
	_, err := db.ExecContext(ctx, "INSERT INTO spaces (namespace, model, dims, filled) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING", s.namespace, s.model, dims)
	if err != nil {
		return err
	}
	var is int
	if err = db.QueryRowContext(ctx, "SELECT dims FROM spaces WHERE namespace = ? AND model = ?", s.namespace, s.model).Scan(&is); err != nil {
		return err
	}
	return embed.CheckDims(s.model, dims, is)
}

// Lacking returns the memories behind a place that have no vector of a model, so many at most.
func Lacking(ctx context.Context, db chain.DB, model string, after embed.Place, most int) (all []embed.Lacking, err error) {
	rows, err := db.QueryContext(ctx, `SELECT v.seq, CAST(v.record AS BLOB) FROM versions AS v WHERE v.seq > ? AND v.until IS NULL
		AND NOT EXISTS (SELECT 1 FROM embeddings AS e WHERE e.n = v.n AND e.model = ?) ORDER BY v.seq LIMIT ?`, after.Seq, model, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			l    embed.Lacking
			json []byte
		)
		if err = rows.Scan(&l.Seq, &json); err != nil {
			return nil, err
		}
		r, bad := record.Read(json)
		if bad != nil {
			continue // left to Verify to name
		}
		l.Namespace, l.Content = r.Memory.Namespace, r.Memory.Content
		all = append(all, l)
	}
	return all, rows.Err()
}

// Fill stores vectors of a model beside the versions that are still there and present.
func Fill(ctx context.Context, db chain.DB, model string, filled []embed.Filled) error {
	for _, f := range filled {
		var n int64
		err := db.QueryRowContext(ctx, "SELECT n FROM versions WHERE seq = ? AND until IS NULL", f.Seq).Scan(&n)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		s := space{f.Namespace, model}
		if err == nil {
			err = admit(ctx, db, s, len(f.Vector))
		}
		if err == nil {
			err = put(ctx, db, n, s, f)
		}
		if err == nil {
			_, err = db.ExecContext(ctx, "UPDATE spaces SET filled = filled + 1 WHERE namespace = ? AND model = ?", f.Namespace, model)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Filled returns how often vectors of a model were filled in, in some namespaces together.
func Filled(ctx context.Context, db chain.DB, model string, namespaces []string) (all int64, err error) {
	for _, name := range namespaces {
		var one int64
		if err = db.QueryRowContext(ctx, "SELECT coalesce(sum(filled), 0) FROM spaces WHERE namespace = ? AND model = ?", name, model).Scan(&one); err != nil {
			return 0, err
		}
		all += one
	}
	return all, nil
}

// Question is a search by a vector. Where says which versions v it looks at, with Args,
// among those whose words the index has.
type Question struct {
	Model  string
	Vector embed.Vector
	Where  string
	Args   []any
}

// Nearest returns the places of the nearest versions, the nearest first.
func Nearest(ctx context.Context, db chain.DB, q Question) ([]embed.Place, error) {
	vector := q.Vector
	rows, err := db.QueryContext(ctx, `SELECT e.namespace, v.seq, v.valid, e.vector FROM words JOIN versions AS v ON v.n = words.rowid JOIN embeddings AS e ON e.n = v.n
		WHERE `+q.Where+` AND e.model = ? AND length(e.vector) = ?`, append(q.Args, q.Model, len(vector.Bytes()))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var (
		found embed.Nearest
		at    embed.Candidate
		b     sql.RawBytes
		other embed.Vector
	)
	for rows.Next() {
		if err = rows.Scan(&at.Namespace, &at.Seq, &at.Valid, &b); err != nil {
			return nil, err
		}
		if other = embed.FromBytes(b, other); len(other) == len(vector) {
			found.Add(at, vector.Dot(other))
		}
	}
	return found.Places(), rows.Err()
}

// Records returns the records of versions, by the entries that made them. One that is not there is
// left out.
func Records(ctx context.Context, db chain.DB, places []embed.Place) (map[int64][]byte, error) {
	all := make(map[int64][]byte, len(places))
	if len(places) == 0 {
		return all, nil
	}
	args := make([]any, len(places))
	for i, p := range places {
		args[i] = p.Seq
	}
	rows, err := db.QueryContext(ctx, "SELECT seq, CAST(record AS BLOB) FROM versions WHERE seq IN (?"+strings.Repeat(", ?", len(args)-1)+")", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			seq  int64
			json []byte
		)
		if err = rows.Scan(&seq, &json); err != nil {
			return nil, err
		}
		all[seq] = json
	}
	return all, rows.Err()
}

// Check wants each vector to belong to a version that says what the vector is made of.
func Check(ctx context.Context, db chain.DB) (*chain.Fault, error) {
	rows, err := db.QueryContext(ctx, `SELECT e.namespace, e.hash, CASE WHEN length(e.vector) % 4 = 0 THEN length(e.vector) / 4 ELSE 0 END, coalesce(v.seq, 0), CAST(v.record AS BLOB)
		FROM embeddings AS e LEFT JOIN versions AS v ON v.n = e.n ORDER BY e.n`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			namespace  string
			hash, json []byte
			dims, seq  int64
		)
		if err = rows.Scan(&namespace, &hash, &dims, &seq, &json); err != nil {
			return nil, err
		}
		if fault := embed.CheckStored(embed.Kept{Namespace: namespace, Hash: hash, Dims: dims, Seq: seq, Record: json}); fault != nil {
			return fault, nil
		}
	}
	return nil, rows.Err()
}
