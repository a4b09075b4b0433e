package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/source"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/target"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

func (a *app) newMemDB() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memdb",
		Short: "Share what was captured as memories, and prove that nobody changed it",
		Long: `MemDB keeps what was captured as memories, with where they come from, how far
they can be trusted, and a chain of hashes that shows tampering. memscribe watch
--sink memdb writes to one, in a file or at a server.`,
		Example: `  memscribe memdb serve
  memscribe memdb verify`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(a.newMemDBServe(), a.newMemDBToken(), a.newMemDBVerify(), a.newMemDBRekey())
	return cmd
}

// memdbPlace are the flags about a database of memories.
type memdbPlace struct{ database, stateDir string }

func (p *memdbPlace) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.database, "db", "", "database of memories (default: memories.db in your data folder)")
	cli.AddStateDir(cmd, &p.stateDir)
}

// resolve finds the database, and the folder of its key.
func (p *memdbPlace) resolve(a *app) (database, state string, err error) {
	if database = p.database; database == "" {
		if database, err = a.DataDir(); err != nil {
			return "", "", fmt.Errorf("find data folder: %w", err)
		}
		database = filepath.Join(database, "memories.db")
	}
	state, err = target.MemDBState(a.Env, database, p.stateDir)
	return database, state, err
}

type serveOptions struct {
	memdbPlace
	server.Listening
}

func (a *app) newMemDBServe() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a database of memories over HTTP",
		Long: `Serve answers the calls of docs/api/memdb-v1.yaml until it is stopped. On an
address of this machine alone it needs nothing else; on any other one it needs a
token (--token-file, or those of memscribe memdb token), and TLS or --insecure. Everything that is written to it is redacted as
transcripts are.`,
		Example: `  memscribe memdb serve
  memscribe memdb serve --addr 0.0.0.0:7475 --token-file token --tls-cert cert.pem --tls-key key.pem`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serveMemDB(cmd.Context(), o) },
	}
	o.addFlags(cmd)
	cmd.Flags().StringVar(&o.Address, "addr", "127.0.0.1:7475", "address to listen on, as host:port")
	cmd.Flags().StringVar(&o.TokenFile, "token-file", "", "file with a token that may do everything, which only you may read")
	cmd.Flags().StringVar(&o.CertFile, "tls-cert", "", "certificate of TLS, as PEM")
	cmd.Flags().StringVar(&o.KeyFile, "tls-key", "", "key of the certificate, as PEM")
	cmd.Flags().BoolVar(&o.Insecure, "insecure", false, "listen beyond this machine without TLS, as behind a proxy that has it")
	return cmd
}

func (a *app) serveMemDB(ctx context.Context, o serveOptions) error {
	database, state, err := o.resolve(a)
	if err != nil {
		return err
	}
	if err = a.Private(database, ""); err != nil {
		return err
	}
	tokens, err := a.openTokens(ctx, state)
	if err != nil {
		return err
	}
	err = a.serveGuarded(ctx, o, guarded{database, state, tokens})
	return errors.Join(err, tokens.Close())
}

// guarded is a database, with who may use it.
type guarded struct {
	database, state string
	tokens          *access.List
}

func (a *app) serveGuarded(ctx context.Context, o serveOptions, g guarded) error {
	hasTokens, err := g.tokens.Any(ctx)
	if err != nil {
		return err
	}
	token, err := o.Check(hasTokens, o.Address)
	if err != nil {
		return cli.Usage(err)
	}
	p := source.Privacy{Rules: &a.Rules}
	encoder, err := p.Encoder()
	if err != nil {
		return err
	}
	log := a.Logger()
	memories, err := store.Open(ctx, g.database, store.Options{
		Now: a.Now, Random: rand.Reader, StateDir: g.state, Scrubber: encoder.Scrubber, Audit: log,
	})
	if err != nil {
		return err
	}
	target.SayMended(log, g.database, memories.Mended())
	listener, err := o.Listen(ctx)
	if err != nil {
		return errors.Join(err, memories.Close()) //nolint:contextcheck // what was opened is closed also when ctx has ended
	}
	log.Info("serving memories", slog.String("database", g.database), slog.String("address", listener.Addr().String()))
	s := server.New(server.Options{Store: memories, Version: cli.Version(), Token: token, Access: g.tokens, Log: log, Now: a.Now, Random: rand.Reader})
	err = errors.Join(s.Run(ctx, listener), memories.Close()) //nolint:contextcheck // the same
	if err != nil || cli.WasTerminated(ctx) {
		return err
	}
	return ctx.Err()
}

type verifyMemDBOptions struct {
	memdbPlace

	checkpoint string
	asJSON     bool
}

func (a *app) newMemDBVerify() *cobra.Command {
	var o verifyMemDBOptions
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that a database of memories is what was written",
		Long: `Verify walks the provenance chain and everything that hangs on it, and names the
first thing that is bad, and why. No server is needed, and one may be running. The
chain must reach as far as the last checkpoint that was signed with the key in the
state folder; one that was kept elsewhere can be given too.`,
		Example: `  memscribe memdb verify
  memscribe memdb verify --db team.db --checkpoint kept/memdb.checkpoint`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.verifyMemDB(cmd.Context(), o) },
	}
	o.addFlags(cmd)
	cmd.Flags().StringVar(&o.checkpoint, "checkpoint", "", "file with a checkpoint that was kept elsewhere")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print the report as JSON")
	return cmd
}

func (a *app) verifyMemDB(ctx context.Context, o verifyMemDBOptions) error {
	database, state, err := o.resolve(a)
	if err != nil {
		return err
	}
	if _, err = os.Stat(database); err != nil {
		return fmt.Errorf("verify memories: %w", err)
	}
	options := store.VerifyOptions{StateDir: state, Pages: true}
	if o.checkpoint != "" {
		var kept chain.Head
		if kept, err = readCheckpoint(o.checkpoint, state); err != nil {
			return err
		}
		options.Checkpoints = append(options.Checkpoints, kept)
	}
	report, err := store.VerifyFile(ctx, database, options)
	if err != nil {
		return err
	}
	if err = a.printVerdict(&report, o.asJSON); err != nil || report.OK {
		return err
	}
	return cli.ErrIncomplete
}

func readCheckpoint(name, state string) (chain.Head, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return chain.Head{}, fmt.Errorf("read checkpoint: %w", err)
	}
	key, err := chain.OpenVerifier(state)
	if err != nil {
		return chain.Head{}, err
	}
	return key.Read(string(text))
}

func (a *app) printVerdict(r *api.VerifyReport, asJSON bool) error {
	if asJSON {
		text, err := api.Append(nil, r)
		if err != nil {
			return err
		}
		_, err = a.Stdout.Text().Write(append(text, '\n'))
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
		_, err := a.Stdout.Printf("good: %d entries, %d memories; %s\nhead %s\n", r.Length, r.Memories, signed, r.Head)
		return err
	}
	f := r.Fault
	_, err := a.Stdout.Printf("bad: %s: %s\n", f.Reason, f.Detail)
	for _, part := range []struct{ name, value string }{{"entry", fmt.Sprint(f.Seq)}, {"id", f.EntryID}, {"memory", f.MemoryID}} {
		if part.value != "" && part.value != "0" && err == nil {
			_, err = a.Stdout.Printf("%s %s\n", part.name, part.value)
		}
	}
	return err
}
