// Package memories implements the command memdb: it serves a memory database,
// manages its tokens, verifies its chain and replaces its key.
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

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/report"
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

	Audit string // where calls are told too: a file or a URL; "" is nowhere
}

// Serve answers the calls of MemDB until ctx ends.
func Serve(ctx context.Context, a *cli.App, o ServeOptions) error {
	database, state, err := o.Resolve(a.Machine)
	if err != nil {
		return err
	}
	if !pgstore.IsURL(database) {
		if err = a.Private(a.Logger(), database, ""); err != nil {
			return err
		}
	}
	tokens, err := openTokens(ctx, a, state)
	if err != nil {
		return err
	}
	// The folder of the database's state lies in the one that sinks have too.
	err = serveGuarded(ctx, a, o, guarded{database, state, tokens, access.NewOwn(filepath.Dir(state))})
	return errors.Join(err, tokens.Close())
}

// guarded is a database, with who may use it.
type guarded struct {
	database, state string
	tokens          *access.List
	own             *access.Own
}

// serveGuarded serves with the tokens and the TLS that the address demands. On
// loopback neither is needed.
func serveGuarded(ctx context.Context, a *cli.App, o ServeOptions, g guarded) error {
	hasTokens, err := g.tokens.Any(ctx)
	if err != nil {
		return err
	}
	token, err := o.Check(hasTokens, o.Address)
	if err != nil {
		return usage.Mark(err)
	}
	p := source.Privacy{Rules: &a.Rules}
	encoder, err := p.Encoder()
	if err != nil {
		return err
	}
	log := a.Logger()
	embedder, err := target.Embedder(&a.Setup)
	if err != nil {
		return err
	}
	memories, err := openStore(ctx, a, g, opening{encoder.Scrubber, embedder})
	if err != nil {
		return err
	}
	listener, trail, err := openDoors(ctx, o, log)
	if err != nil {
		return errors.Join(err, memories.Close())
	}
	log.Info("serving memories", slog.String("database", shown(g.database)), slog.String("address", listener.Addr().String()))
	s := server.New(server.Options{
		Store: memories, Version: buildinfo.Version(), Token: token, Access: g.tokens, Own: g.own, Log: log, Audit: trail, Now: a.Now, Random: rand.Reader,
	})
	end := embedder.Start(ctx, memories)
	err = s.Run(ctx, listener)
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
func openStore(ctx context.Context, a *cli.App, g guarded, o opening) (served, error) {
	log := a.Logger()
	if pgstore.IsURL(g.database) {
		return pgstore.Open(ctx, g.database, pgstore.Options{
			Now: a.Now, Random: rand.Reader, StateDir: g.state, Scrubber: o.scrubber, Audit: log, Embedder: o.embedder,
		})
	}
	memories, err := store.Open(ctx, g.database, store.Options{
		Now: a.Now, Random: rand.Reader, StateDir: g.state, Scrubber: o.scrubber, Audit: log, Embedder: o.embedder,
	})
	if err != nil {
		return nil, err
	}
	target.LogRebuiltIndexes(log, g.database, memories.RebuiltIndexes())
	return memories, nil
}

// shown is a database as logs and people may see it.
func shown(database string) string {
	if pgstore.IsURL(database) {
		return pgstore.Shown(database)
	}
	return database
}

// VerifyOptions say which database is checked.
type VerifyOptions struct {
	target.MemoryPlace

	Checkpoint string // a file with one that was kept elsewhere; "" is none
	JSON       bool
}

// Verify checks that a database is what was written. One that is not is an
// [report.ErrIncomplete].
func Verify(ctx context.Context, a *cli.App, o VerifyOptions) error {
	database, state, err := o.Resolve(a.Machine)
	if err != nil {
		return err
	}
	verified, err := verify(ctx, o, database, state)
	if err != nil {
		return err
	}
	if err = printVerdict(a.Stdout, &verified, o.JSON); err != nil || verified.OK {
		return err
	}
	return report.ErrIncomplete
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

// verifyServer is verify of a database of PostgreSQL, whose checkpoints are of several
// chains.
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

// openCheckpoint reads a checkpoint that was kept elsewhere, and the key that it is
// held to.
func openCheckpoint(name, state string) (key *chain.Verifier, checkpoint string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, "", fmt.Errorf("read checkpoint: %w", err)
	}
	key, err = chain.OpenVerifier(state)
	return key, string(text), err
}

// printVerdict prints the result of a verification: the first bad entry and why, or
// the length and the head of the chain.
func printVerdict(out *console.Printer, r *api.VerifyReport, asJSON bool) error {
	if asJSON {
		text, err := api.Append(nil, r)
		if err != nil {
			return err
		}
		_, err = out.Text().Write(append(text, '\n'))
		return err
	}
	signed := "no checkpoint vouches for it: a tail that was cut off would not show"
	if r.Checkpoint > 0 {
		signed = fmt.Sprintf("a checkpoint vouches for the first %d", r.Checkpoint)
	}
	if r.Rekeyed > 0 {
		signed += fmt.Sprintf("; since entry %d another key signs", r.Rekeyed)
	}
	if r.OK {
		_, err := out.Printf("good: %d entries, %d memories; %s\nhead %s\n", r.Length, r.Memories, signed, r.Head)
		return err
	}
	f := r.Fault
	_, err := out.Printf("bad: %s: %s\n", f.Reason, f.Detail)
	for _, part := range []struct{ name, value string }{{"entry", fmt.Sprint(f.Seq)}, {"id", f.EntryID}, {"memory", f.MemoryID}} {
		if part.value != "" && part.value != "0" && err == nil {
			_, err = out.Printf("%s %s\n", part.name, part.value)
		}
	}
	return err
}
