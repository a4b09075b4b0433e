// Package pgstore stores memories in PostgreSQL, so that several servers can share one
// database.
//
// A server holds nothing that another one needs: any number of them serve one database. Each
// namespace is a chain of its own. A writer locks the row of its chain, so that writers of one
// namespace wait for each other and others do not. A write is one transaction, as in the store
// of a file: memories, their words and the entries of the chain are committed together or not
// at all.
//
// The statements use what dialects of PostgreSQL have in common: no advisory locks, no
// triggers, no stored functions. LISTEN and NOTIFY are hints, and if they fail nothing
// changes but the delay.
package pgstore

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/answers"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Options say how a Store works.
type Options struct {
	Now    func() time.Time // must not be nil
	Random io.Reader        // where ids and keys come from; must not be nil
	// StateDir is the folder of the key by which the heads of the chains are signed,
	// and of what was signed last; "" is none.
	StateDir string
	// Scrubber takes secrets out of everything that is written. nil is for what
	// has been scrubbed before.
	Scrubber core.Scrubber
	// Audit gets a line for each write; nil means no audit.
	Audit *slog.Logger
	// Embedder gives memories vectors; nil: they have none.
	Embedder *embed.Embedder
}

// Store is a database of memories. Many goroutines, and many servers, may use it at once.
type Store struct {
	options  Options
	preparer *record.Preparer
	ids      record.IDs
	pool     *pg.Pool
	crier    *crier
	cache    answers.Cache
	pgvector bool // the database compares vectors by itself

	signing sync.Mutex // held by who uses what follows
	signer  *chain.Signer
	signed  chain.Heads
}

//go:embed schema.sql
var schema string

//go:embed embeddings.sql
var embeddings string

// upgrades returns the steps from each version of the schema to the next. A step that
// has been released is never changed.
func upgrades() pg.Schema {
	return pg.Schema{Table: "memdb_schema", Steps: []string{schema, embeddings}, Tables: tables()}
}

// tables returns those of the schema.
func tables() []string {
	return []string{"memdb_schema", "chains", "entries", "memories", "versions", "embeddings", "spaces"}
}

// Open opens the database at a URL, and makes its tables if there are none. A database whose
// chains are not those that were signed in the state folder is refused with a [sink.Fault].
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	s := &Store{options: o, ids: record.IDs{Random: o.Random}}
	if err := s.open(ctx, dsn); err != nil {
		s.close()
		return nil, fmt.Errorf("open memories %s: %w", pg.Shown(dsn), pg.Explain(err))
	}
	return s, nil
}

// open connects, migrates the schema and checks it. On an error the caller closes
// the store.
func (s *Store) open(ctx context.Context, dsn string) (err error) {
	if s.preparer, err = record.NewPreparer(s.options.Scrubber); err != nil {
		return err
	}
	if s.pool, err = pg.Dial(ctx, dsn); err != nil {
		return err
	}
	s.crier = newCrier(ctx, s.pool)
	if err = pg.Migrate(everywhere(ctx), s.pool, upgrades()); err != nil {
		return err
	}
	if s.pgvector, err = s.comparesVectors(ctx); err != nil {
		return err
	}
	return s.openSigner(ctx)
}

// IsURL reports whether a text names a database of PostgreSQL rather than a file.
func IsURL(s string) bool { return pg.IsURL(s) }

// Shown returns the URL of a database as a person may see it: without user and password.
func Shown(dsn string) string { return pg.Shown(dsn) }

// Kind returns what a Store says of itself.
func (s *Store) Kind() string { return "postgresql" }

// Close releases the database, after a checkpoint of the chains. Closing twice is
// safe.
func (s *Store) Close() error {
	err := s.Checkpoint(context.Background())
	s.close()
	if err != nil {
		return fmt.Errorf("close memories: %w", pg.Explain(err))
	}
	return nil
}

// close closes the connections. It waits for a signature that is being made.
func (s *Store) close() {
	s.signing.Lock()
	defer s.signing.Unlock()
	if s.pool != nil {
		s.crier.close()
		s.pool.Close()
	}
	s.pool, s.signer = nil, nil
}

// problem returns an error that says what failed. An error about the request is returned as it
// is. If the server is away, or it is unknown whether a write counts, it is also a problem that
// asks the client to write again with the same ids.
func problem(what string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*api.Problem](err); ok {
		return err
	}
	if _, ok := errors.AsType[*api.Invalid](err); ok {
		return err
	}
	err = fmt.Errorf("%s: %w", what, pg.Explain(err))
	if pg.Passes(err) || errors.Is(err, pg.ErrUnknown) {
		return fmt.Errorf("%w: %w", api.NewProblem(api.Unavailable, "the database is away; write again with the same ids"), err)
	}
	return err
}

// head is the row of a namespace in chains, locked by the transaction.
type head struct {
	chain.Head

	record *string // nil when it was deleted
	at     int64   // the time of the transaction
}

// lock locks the chain of a namespace until the end of the transaction, and sets the time of
// its entries: never before the last entry's, unless that one is further in the future than
// record.Drift. known is false if the namespace never existed.
func (s *Store) lock(ctx context.Context, tx pg.Tx, namespace string) (h head, known bool, err error) {
	var last int64
	err = tx.QueryRow(ctx, "SELECT length, hash, at, record FROM chains WHERE namespace = $1 FOR UPDATE", namespace).
		Scan(&h.Length, &h.Hash, &last, &h.record)
	known = err == nil
	if errors.Is(err, pg.ErrNoRows) {
		err = nil
	}
	h.at = s.options.Now().UnixMilli()
	if last <= h.at+record.Drift.Milliseconds() {
		h.at = max(last, h.at)
	}
	return h, known, err
}

// make is lock for a chain that may not exist yet: it makes it.
func (s *Store) make(ctx context.Context, tx pg.Tx, namespace string) (head, error) {
	const row = "INSERT INTO chains (namespace, length, hash, at) VALUES ($1, 0, '', 0) ON CONFLICT (namespace) DO NOTHING"
	if _, err := tx.Exec(ctx, row, namespace); err != nil {
		return head{}, err
	}
	h, _, err := s.lock(ctx, tx, namespace)
	return h, err
}

// noNamespace returns the problem for a namespace that does not exist.
func noNamespace(name string) error {
	return api.NewProblem(api.NotFound, "there is no namespace %s", name)
}

// lockThere is lock for a namespace that must exist. A deleted one does not.
func (s *Store) lockThere(ctx context.Context, tx pg.Tx, namespace string) (head, error) {
	h, _, err := s.lock(ctx, tx, namespace)
	if err == nil && h.record == nil {
		err = noNamespace(namespace)
	}
	return h, err
}

// seal gives entries their ids, places and hashes after a head, and returns the new head.
func (s *Store) seal(h head, entries []*chain.Entry) (sealed []chain.Stored, end chain.Head, err error) {
	end = h.Head
	for _, e := range entries {
		if e.EntryID == "" {
			if e.EntryID, err = s.ids.New(h.at); err != nil {
				return nil, end, err
			}
		}
		one, err := chain.Seal(e, end)
		if err != nil {
			return nil, end, err
		}
		sealed = append(sealed, one)
		end = chain.Head{Length: e.Seq, Hash: e.Hash}
	}
	return sealed, end, nil
}

// enter queues the statements that append entries to a chain that is locked.
func (s *Store) enter(b *pg.Batch, h head, entries []*chain.Entry) error {
	sealed, end, err := s.seal(h, entries)
	if err != nil {
		return err
	}
	var memories, actions, bodies, hashes []string
	var places []int64
	for i, e := range entries {
		memories, actions = append(memories, e.MemoryID), append(actions, e.Action)
		bodies, hashes, places = append(bodies, string(sealed[i].Body)), append(hashes, sealed[i].Hash), append(places, sealed[i].Place)
	}
	namespace := entries[0].Namespace
	b.Queue(`INSERT INTO entries (namespace, seq, memory, action, body, hash)
		SELECT $1, e.seq, e.memory, e.action, e.body, e.hash
		FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) AS e (seq, memory, action, body, hash)`,
		namespace, places, memories, actions, bodies, hashes)
	b.Queue("UPDATE chains SET length = $2, hash = $3, at = $4 WHERE namespace = $1", namespace, end.Length, end.Hash, h.at)
	return nil
}
