// Package near keeps vectors of memories in PostgreSQL, beside their versions, and finds the
// nearest. Where the database has pgvector it compares them; else they are compared here.
//
//	versions      (namespace, seq, record, until)          one row per version of a memory
//	embeddings    (namespace, seq, model, hash, vector)    at most one row per version
//	spaces        (namespace, model, dims, filled)         the length of vectors of a model
//
// hash is that of the text that the vector is made of. A new version that says the same takes
// the vector of the old one. [Check] compares both, so that a vector never belongs to another
// text.
package near

import (
	"context"
	"slices"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Vectors are those of the memories of a write.
type Vectors struct {
	Model string
	Of    map[embed.Hash]embed.Vector // by what they are made of
}

// Space is a model in a namespace.
type Space struct{ Namespace, Model string }

// Version is a version that gets a vector.
type Version struct {
	Seq     int64
	Old     int64 // the version of the database that it takes the place of; 0 is none
	Content string
}

// Forgotten returns the ids of those memories that were forgotten.
func Forgotten(ctx context.Context, tx pg.Tx, namespace string, memories []api.Memory) (map[string]bool, error) {
	ids := make([]string, len(memories))
	for i := range memories {
		ids[i] = memories[i].ID
	}
	rows, err := tx.Query(ctx, "SELECT id FROM memories WHERE namespace = $1 AND id = ANY ($2::text[]) AND NOT live", namespace, ids)
	if err != nil {
		return nil, err
	}
	found, err := pg.Texts(rows)
	gone := make(map[string]bool, len(found))
	for _, id := range found {
		gone[id] = true
	}
	return gone, err
}

// Stored returns the vectors of texts that a namespace has.
func Stored(ctx context.Context, tx pg.Tx, in Space, hashes []embed.Hash) (map[embed.Hash]embed.Vector, error) {
	all := make([][]byte, len(hashes))
	for i := range hashes {
		all[i] = hashes[i][:]
	}
	rows, err := tx.Query(ctx, "SELECT hash, vector FROM embeddings WHERE namespace = $1 AND model = $2 AND hash = ANY ($3::bytea[])", in.Namespace, in.Model, all)
	if err != nil {
		return nil, err
	}
	var (
		hash    []byte
		numbers []float32
	)
	found := map[embed.Hash]embed.Vector{}
	err = pg.ForEachRow(rows, []any{&hash, &numbers}, func() error {
		var h embed.Hash
		if copy(h[:], hash) == len(h) {
			found[h] = slices.Clone(numbers)
		}
		return nil
	})
	return found, err
}

// Queue queues what stores the vectors of the versions of a write: those that were made,
// and those of the versions before that say the same.
func (v *Vectors) Queue(ctx context.Context, tx pg.Tx, b *pg.Batch, namespace string, versions []Version) error {
	var (
		seqs, to, from []int64
		made           []string
		hashes, same   [][]byte
		dims           int
	)
	for _, is := range versions {
		if len(v.Of) == 0 && is.Old == 0 {
			continue
		}
		h := embed.HashOf(is.Content)
		if numbers := v.Of[h]; numbers != nil {
			seqs, hashes, made, dims = append(seqs, is.Seq), append(hashes, h[:]), append(made, pg.Real(numbers)), len(numbers)
		} else if is.Old != 0 {
			to, from, same = append(to, is.Seq), append(from, is.Old), append(same, h[:])
		}
	}
	if len(to) > 0 {
		b.Queue(`INSERT INTO embeddings (namespace, seq, model, hash, vector)
			SELECT e.namespace, c.seq, e.model, e.hash, e.vector FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS c (seq, old, hash)
			JOIN embeddings AS e ON e.namespace = $1 AND e.seq = c.old AND e.hash = c.hash`, namespace, to, from, same)
	}
	if len(seqs) == 0 {
		return nil
	}
	b.Queue(`INSERT INTO embeddings (namespace, seq, model, hash, vector)
		SELECT $1, m.seq, $2, m.hash, m.vector::real[] FROM unnest($3::bigint[], $4::bytea[], $5::text[]) AS m (seq, hash, vector)`,
		namespace, v.Model, seqs, hashes, made)
	return admit(ctx, tx, Space{namespace, v.Model}, dims)
}

// admit refuses vectors that have another number of numbers than those that are there.
func admit(ctx context.Context, tx pg.Tx, s Space, dims int) error {
	_, err := tx.Exec(ctx, "INSERT INTO spaces (namespace, model, dims, filled) VALUES ($1, $2, $3, 0) ON CONFLICT (namespace, model) DO NOTHING", s.Namespace, s.Model, dims)
	if err != nil {
		return err
	}
	var is int
	if err = tx.QueryRow(ctx, "SELECT dims FROM spaces WHERE namespace = $1 AND model = $2", s.Namespace, s.Model).Scan(&is); err != nil {
		return err
	}
	return embed.CheckDims(s.Model, dims, is)
}

// Lacking returns the memories behind a place that have no vector of a model, so many at most.
func Lacking(ctx context.Context, tx pg.Tx, model string, after embed.Place, most int) (all []embed.Lacking, err error) {
	rows, err := tx.Query(ctx, `SELECT v.namespace, v.seq, v.record FROM versions AS v
		WHERE (v.namespace, v.seq) > ($1::text, $2::bigint) AND v.until IS NULL
		AND NOT EXISTS (SELECT 1 FROM embeddings AS e WHERE e.namespace = v.namespace AND e.seq = v.seq AND e.model = $3)
		ORDER BY v.namespace, v.seq LIMIT $4`, after.Namespace, after.Seq, model, most)
	if err != nil {
		return nil, err
	}
	var (
		at   embed.Place
		json []byte
	)
	err = pg.ForEachRow(rows, []any{&at.Namespace, &at.Seq, &json}, func() error {
		if r, bad := record.Read(json); bad == nil { // what is bad is left to Verify to name
			all = append(all, embed.Lacking{Place: at, Content: r.Memory.Content})
		}
		return nil
	})
	return all, err
}

// Fill stores vectors of a model beside those versions that are still there and present.
func Fill(ctx context.Context, tx pg.Tx, in Space, filled []embed.Filled) error {
	var (
		seqs   []int64
		hashes [][]byte
		made   []string
	)
	for i := range filled {
		f := &filled[i]
		seqs, hashes, made = append(seqs, f.Seq), append(hashes, f.Hash[:]), append(made, pg.Real(f.Vector))
	}
	if err := admit(ctx, tx, in, len(filled[0].Vector)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO embeddings (namespace, seq, model, hash, vector)
		SELECT v.namespace, v.seq, $2, m.hash, m.vector::real[] FROM unnest($3::bigint[], $4::bytea[], $5::text[]) AS m (seq, hash, vector)
		JOIN versions AS v ON v.namespace = $1 AND v.seq = m.seq AND v.until IS NULL
		ON CONFLICT (namespace, seq) DO UPDATE SET model = excluded.model, hash = excluded.hash, vector = excluded.vector`,
		in.Namespace, in.Model, seqs, hashes, made)
	if err == nil {
		_, err = tx.Exec(ctx, "UPDATE spaces SET filled = filled + 1 WHERE namespace = $1 AND model = $2", in.Namespace, in.Model)
	}
	return err
}

const fromVectors = ` FROM versions AS v JOIN embeddings AS e ON e.namespace = v.namespace AND e.seq = v.seq
	WHERE v.namespace = ANY ($1::text[]) AND e.model = $2 AND cardinality(e.vector) = $3 AND `

// Question is a search by a vector.
type Question struct {
	Model    string
	Vector   embed.Vector
	PGVector bool // the database compares
}

// Filters are conditions of versions v. The namespaces are $1, and what is given stands
// behind them.
type Filters func(before ...any) (conditions string, args []any)

// Nearest returns the places of the nearest versions, the nearest first. All vectors that the
// filters leave are compared: what is found is exact, unless the database has an index of
// its own for vectors.
//
// pgvector adds up in another order than [embed.Vector.Dot] does, so that its sums differ in
// their last digits. It only chooses the candidates, twice as many as are wanted; their order is
// worked out here. So every store finds the same, in the same order.
func Nearest(ctx context.Context, tx pg.Tx, q Question, filters Filters) ([]embed.Place, error) {
	const columns = "SELECT v.namespace, v.seq, v.valid, e.vector" + fromVectors
	var (
		rows *pg.Rows
		err  error
	)
	if q.PGVector {
		conditions, args := filters(q.Model, len(q.Vector), pg.Real(q.Vector), 2*embed.Most)
		rows, err = tx.QueryPlanned(ctx, columns+conditions+
			" ORDER BY e.vector::vector <=> $4::real[]::vector, v.valid DESC, v.namespace DESC, v.seq DESC LIMIT $5", args...)
	} else {
		conditions, args := filters(q.Model, len(q.Vector))
		rows, err = tx.QueryPlanned(ctx, columns+conditions, args...)
	}
	if err != nil {
		return nil, err
	}
	var (
		found   embed.Nearest
		at      embed.Candidate
		numbers []float32
	)
	err = pg.ForEachRow(rows, []any{&at.Namespace, &at.Seq, &at.Valid, &numbers}, func() error {
		found.Add(at, q.Vector.Dot(numbers))
		return nil
	})
	return found.Places(), err
}

// Records reads the records of versions, by where they are.
func Records(ctx context.Context, tx pg.Tx, places []embed.Place) (map[embed.Place][]byte, error) {
	var (
		names []string
		seqs  []int64
	)
	for _, p := range places {
		names, seqs = append(names, p.Namespace), append(seqs, p.Seq)
	}
	rows, err := tx.Query(ctx, `SELECT v.namespace, v.seq, v.record FROM unnest($1::text[], $2::bigint[]) AS n (namespace, seq)
		JOIN versions AS v ON v.namespace = n.namespace AND v.seq = n.seq`, names, seqs)
	if err != nil {
		return nil, err
	}
	var (
		at   embed.Place
		json []byte
	)
	all := make(map[embed.Place][]byte, len(places))
	err = pg.ForEachRow(rows, []any{&at.Namespace, &at.Seq, &json}, func() error {
		all[at] = json
		return nil
	})
	return all, err
}

// Kept is the question for every vector with its version, as [Check] reads the answer.
const Kept = `SELECT e.namespace, e.hash, cardinality(e.vector), v.seq, v.record
		FROM embeddings AS e LEFT JOIN versions AS v ON v.namespace = e.namespace AND v.seq = e.seq ORDER BY e.namespace, e.seq`

// Check wants the vector of a row to belong to a version that says what the vector is made
// of.
func Check(rows *pg.Rows) (namespace string, fault *chain.Fault, err error) {
	var (
		k   embed.Kept
		seq *int64
	)
	if err = rows.Scan(&k.Namespace, &k.Hash, &k.Dims, &seq, &k.Record); err != nil {
		return "", nil, err
	}
	if seq != nil {
		k.Seq = *seq
	}
	return k.Namespace, embed.CheckStored(k), nil
}
