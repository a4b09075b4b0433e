// Package memories serves, verifies, copies and rekeys a database of memories (MemDB), and
// manages its access tokens. Begin with [Serve].
//
// A database is a SQLite file or a PostgreSQL database ([target.MemoryPlace]). A state folder
// belongs to it:
//
//	<state>/memdb-<hash of the path or URL>/
//	    the key that signs checkpoints of the hash chain
//	    the last checkpoint
//	    the access tokens, as hashes
//
// Who can write the database but not the state folder cannot forge a checkpoint, so [Verify]
// finds what was changed behind the program's back.
package memories

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/buildinfo"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/audit"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// ServeOptions say what is served, where, and to whom.
type ServeOptions struct {
	target.MemoryPlace
	server.Listening

	Audit string // a file or a URL to which every call is reported; "": there is none
}

// Serve answers the calls of MemDB until ctx ends. A termination by signal is no error. On a
// loopback address it requires nothing; on any other a token, and TLS or o.Insecure.
func Serve(ctx context.Context, s *setup.Setup, o ServeOptions) error {
	database, state, err := o.Resolve(s.Machine)
	if err != nil {
		return err
	}
	if !pgstore.IsURL(database) {
		if err = s.Private(s.Logger(), database, ""); err != nil {
			return err
		}
	}
	tokens, err := openTokens(ctx, s.Machine, state)
	if err != nil {
		return err
	}
	// The folder of the database's state lies in the one that sinks have too.
	err = serveGuarded(ctx, s, o, guarded{database, state, tokens, access.NewOwn(filepath.Dir(state))})
	return errors.Join(err, tokens.Close())
}

// guarded is a database and who may use it.
type guarded struct {
	database, state string
	tokens          *access.List
	own             *access.Own
}

// serveGuarded serves with the tokens and the TLS that the address demands.
func serveGuarded(ctx context.Context, s *setup.Setup, o ServeOptions, g guarded) error {
	hasTokens, err := g.tokens.Any(ctx)
	if err != nil {
		return err
	}
	token, err := o.Check(hasTokens, o.Address)
	if err != nil {
		return usage.Mark(err)
	}
	p := source.Privacy{Rules: &s.Rules}
	encoder, err := p.Encoder()
	if err != nil {
		return err
	}
	log := s.Logger()
	embedder, err := target.Embedder(s)
	if err != nil {
		return err
	}
	memories, err := openStore(ctx, s, g, opening{encoder.Scrubber, embedder})
	if err != nil {
		return err
	}
	listener, trail, err := openDoors(ctx, o, log)
	if err != nil {
		return errors.Join(err, memories.Close())
	}
	log.Info("serving memories", slog.String("database", Shown(g.database)), slog.String("address", listener.Addr().String()))
	answering := server.New(server.Options{
		Store: memories, Version: buildinfo.Version(), Token: token, Access: g.tokens, Own: g.own, Log: log, Audit: trail, Now: s.Now, Random: rand.Reader,
	})
	end := embedder.Start(ctx, memories)
	err = answering.Run(ctx, listener)
	end()
	err = errors.Join(err, memories.Close())
	if trail != nil {
		err = errors.Join(err, trail.Close())
	}
	if err != nil || interrupt.WasTerminated(ctx) {
		return err
	}
	return ctx.Err()
}

// openDoors opens the audit log, if one is wanted, and the port.
func openDoors(ctx context.Context, o ServeOptions, log *slog.Logger) (listener net.Listener, trail *audit.Trail, err error) {
	if o.Audit != "" {
		if trail, err = audit.Open(ctx, o.Audit, log); err != nil {
			return nil, nil, err
		}
	}
	listener, err = o.Listen(ctx)
	if err != nil && trail != nil {
		err = errors.Join(err, trail.Close())
	}
	return listener, trail, err
}

// served is a store that a server serves.
type served interface {
	calls.Store
	embed.Shelf
	Close() error
}

// opening is what a store is opened with.
type opening struct {
	scrubber core.Scrubber
	embedder *embed.Embedder // nil: there are no vectors
}

// openStore opens a database of memories: a file, or PostgreSQL.
func openStore(ctx context.Context, s *setup.Setup, g guarded, o opening) (served, error) {
	log := s.Logger()
	if pgstore.IsURL(g.database) {
		return pgstore.Open(ctx, g.database, pgstore.Options{
			Now: s.Now, Random: rand.Reader, StateDir: g.state, Scrubber: o.scrubber, Audit: log, Embedder: o.embedder,
		})
	}
	memories, err := store.Open(ctx, g.database, store.Options{
		Now: s.Now, Random: rand.Reader, StateDir: g.state, Scrubber: o.scrubber, Audit: log, Embedder: o.embedder,
	})
	if err != nil {
		return nil, err
	}
	target.LogRebuiltIndexes(log, g.database, memories.RebuiltIndexes())
	return memories, nil
}

// Shown returns a database as logs and people may see it: a URL without its password.
func Shown(database string) string {
	if pgstore.IsURL(database) {
		return pgstore.Shown(database)
	}
	return database
}

// VerifyOptions say which database is verified.
type VerifyOptions struct {
	target.MemoryPlace

	Checkpoint string // a file with a checkpoint that was kept elsewhere; "": there is none
}

// Verify checks that a database holds what was written to it. A database that does not is
// no error: the report names the first bad entry and the reason. A server may be running.
func Verify(ctx context.Context, m host.Machine, o VerifyOptions) (api.VerifyReport, error) {
	database, state, err := o.Resolve(m)
	if err != nil {
		return api.VerifyReport{}, err
	}
	return verify(ctx, o, database, state)
}

// verify verifies a database of memories: SQLite with its pages, or PostgreSQL,
// against the last signed checkpoint.
func verify(ctx context.Context, o VerifyOptions, database, state string) (verified api.VerifyReport, err error) {
	if pgstore.IsURL(database) {
		return verifyServer(ctx, o, database, state)
	}
	if _, err = os.Stat(database); err != nil {
		return verified, fmt.Errorf("verify memories: %w", err)
	}
	options := store.VerifyOptions{StateDir: state, Pages: true}
	if o.Checkpoint != "" {
		var kept chain.Head
		if kept, err = readCheckpoint(o.Checkpoint, state); err != nil {
			return verified, err
		}
		options.Checkpoints = append(options.Checkpoints, kept)
	}
	return store.VerifyFile(ctx, database, options)
}

// verifyServer verifies a PostgreSQL database. It has a chain for each namespace, so one
// checkpoint vouches for several.
func verifyServer(ctx context.Context, o VerifyOptions, database, state string) (verified api.VerifyReport, err error) {
	options := pgstore.VerifyOptions{StateDir: state}
	if o.Checkpoint != "" {
		key, text, err := openCheckpoint(o.Checkpoint, state)
		if err != nil {
			return verified, err
		}
		kept, err := key.ReadHeads(text)
		if err != nil {
			return verified, err
		}
		options.Checkpoints = append(options.Checkpoints, kept)
	}
	return pgstore.VerifyURL(ctx, database, options)
}

// readCheckpoint returns the head that the checkpoint in a file, or in the state
// folder, vouches for.
func readCheckpoint(name, state string) (chain.Head, error) {
	key, text, err := openCheckpoint(name, state)
	if err != nil {
		return chain.Head{}, err
	}
	return key.Read(text)
}

// openCheckpoint reads a checkpoint that was kept elsewhere, and the key that must have
// signed it.
func openCheckpoint(name, state string) (key *chain.Verifier, checkpoint string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, "", fmt.Errorf("read checkpoint: %w", err)
	}
	key, err = chain.OpenVerifier(state)
	return key, string(text), err
}
