package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/memories"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/target"
)

// NewMemDB is the command memdb.
func NewMemDB(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memdb",
		Short: "Share what was captured as memories, and prove that it was not changed",
		Long: `MemDB keeps what was captured as memories, with where they come from, how far
they can be trusted, and a chain of hashes that shows tampering. memscribe watch
--sink memdb writes to one, in a file or at a server.`,
		Example: `  memscribe memdb serve
  memscribe memdb verify`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newMemDBServe(a), newMemDBToken(a), newMemDBVerify(a), newMemDBRekey(a), newMemDBCopy(a))
	return cmd
}

// addMemoryPlaceFlags adds the flags that say where a memory database and its state
// folder are.
func addMemoryPlaceFlags(cmd *cobra.Command, p *target.MemoryPlace) {
	cmd.Flags().StringVar(&p.Database, "db", "", "database of memories: a file, or postgres://user@host/name (default: memories.db in your data folder)")
	cli.AddStateDir(cmd, &p.StateDir)
}

// newMemDBServe returns the command memdb serve.
func newMemDBServe(a *cli.App) *cobra.Command {
	var o memories.ServeOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a database of memories over HTTP",
		Long: `Serve answers the calls of docs/api/memdb-v1.yaml, and by gRPC those of docs/proto,
until it is stopped. On an
address of this machine alone it needs nothing else; on any other one it needs a
token (--token-file, or those of memscribe memdb token), and TLS or --insecure. Everything that is written to it is redacted as
transcripts are. With --db postgres://… any number of servers serve one PostgreSQL; a
password stands better in PGPASSWORD or ~/.pgpass than in the URL.`,
		Example: `  memscribe memdb serve
  memscribe memdb serve --addr 0.0.0.0:7475 --token-file token --tls-cert cert.pem --tls-key key.pem
  memscribe memdb serve --db "postgres://memdb@db.example/team?sslmode=verify-full"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return memories.Serve(cmd.Context(), a, o) },
	}
	addMemoryPlaceFlags(cmd, &o.MemoryPlace)
	cmd.Flags().StringVar(&o.Address, "addr", "127.0.0.1:7475", "address to listen on, as host:port")
	cmd.Flags().StringVar(&o.TokenFile, "token-file", "", "file with a token that may do everything, which only you may read")
	cmd.Flags().StringVar(&o.CertFile, "tls-cert", "", "certificate of TLS, as PEM")
	cmd.Flags().StringVar(&o.KeyFile, "tls-key", "", "key of the certificate, as PEM")
	cmd.Flags().StringVar(&o.Audit, "audit", "", "tell every call to a file too, to http(s)://… as lines of JSON, or to otlp+http(s)://… as logs")
	cmd.Flags().BoolVar(&o.Insecure, "insecure", false, "listen beyond this machine without TLS, as behind a proxy that has it")
	return cmd
}

// newMemDBVerify returns the command memdb verify.
func newMemDBVerify(a *cli.App) *cobra.Command {
	var o memories.VerifyOptions
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
		RunE: func(cmd *cobra.Command, _ []string) error { return memories.Verify(cmd.Context(), a, o) },
	}
	addMemoryPlaceFlags(cmd, &o.MemoryPlace)
	cmd.Flags().StringVar(&o.Checkpoint, "checkpoint", "", "file with a checkpoint that was kept elsewhere")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the report as JSON")
	return cmd
}

// newMemDBRekey returns the command memdb rekey.
func newMemDBRekey(a *cli.App) *cobra.Command {
	var p target.MemoryPlace
	cmd := &cobra.Command{
		Use:   "rekey",
		Short: "Accept a restored database of memories and sign it with a new key",
		Long: `Rekey accepts a database of memories as it is: one that was restored from an older
copy, that was deleted, or that has lost the folder of its key. It makes a new key
and appends an entry to the chain that says so, for everybody to see. The last
checkpoint of the old key is kept beside the new one. It cannot tell a copy that
you restored from one that somebody cut: look at what is missing first. A database
that is bad in itself is refused. Stop watch and memdb serve before. Of several servers
before one PostgreSQL each has a key of its own, and is rekeyed with its own state
folder.`,
		Example: `  memscribe memdb rekey
  memscribe memdb rekey --db team.db
  memscribe memdb rekey --db "postgres://memdb@db.example/team"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return memories.Rekey(cmd.Context(), a, p) },
	}
	addMemoryPlaceFlags(cmd, &p)
	return cmd
}

// newMemDBCopy returns the command memdb copy.
func newMemDBCopy(a *cli.App) *cobra.Command {
	var o memories.CopyOptions
	cmd := &cobra.Command{
		Use:   "copy",
		Short: "Copy a database of memories into another, with its chain",
		Long: `Copy copies all memories, with their chain, from a file into PostgreSQL, back, or
into another of the same kind. The source is verified before, the copy after. Entries
keep their ids, times and contents, and what was forgotten stays forgotten. A file has
one chain, PostgreSQL one for each namespace: so the copy prints the head of each
namespace as a chain of its own, which is the same in both.

A copy that was interrupted goes on when it is called again, and later it adds what has
come since. A target that holds anything else is refused. Stop what writes to the target
before. Tokens are not copied.`,
		Example: `  memscribe memdb copy --out "postgres://memdb@db.example/team?sslmode=verify-full"
  memscribe memdb copy --db "postgres://memdb@db.example/team" --out team.db`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return memories.Copy(cmd.Context(), a, o) },
	}
	addMemoryPlaceFlags(cmd, &o.MemoryPlace)
	cmd.Flags().StringVar(&o.To, "out", "", "database that is copied to: a file, or postgres://user@host/name")
	return cmd
}

// newMemDBToken returns the command memdb token with its subcommands.
func newMemDBToken(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Say who may do what in a database of memories",
		Long: `A token is for namespaces, and for rights in them: read; write, of what is
external; internal, to say of what is written that it is internal, and so trusted;
forget; admin, which is all of these and the namespaces themselves. Once a token was
made, every call of the server needs one.`,
		Example: `  memscribe memdb token create capture --namespace team --right write,internal
  memscribe memdb token list
  memscribe memdb token revoke capture`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newTokenCreate(a), newTokenList(a), newTokenRevoke(a))
	return cmd
}

// newTokenCreate returns the command memdb token create.
func newTokenCreate(a *cli.App) *cobra.Command {
	var o memories.TokenOptions
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Make a token and print it, once",
		Long: `Create prints the new token, and keeps only a hash of it. The name stands in the
logs for what is done with the token.`,
		Example: `  memscribe memdb token create capture --namespace team --right write,internal > token
  memscribe memdb token create reviewer --namespace team,other --right read --expires 720h`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name = args[0]
			return memories.CreateToken(cmd.Context(), a, o)
		},
	}
	addMemoryPlaceFlags(cmd, &o.MemoryPlace)
	cmd.Flags().StringSliceVar(&o.Namespaces, "namespace", nil, "namespace that the token is for (can be repeated; * is all)")
	cmd.Flags().StringSliceVar(&o.Rights, "right", nil, "right that it has there: read, write, internal, forget or admin (can be repeated)")
	cmd.Flags().DurationVar(&o.Expires, "expires", 0, "how long it holds, as 720h (default: until it is revoked)")
	return cmd
}

// newTokenList returns the command memdb token list.
func newTokenList(a *cli.App) *cobra.Command {
	var (
		p      target.MemoryPlace
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show which tokens there are, and what they are for",
		Long: `List shows every token that was ever made, by name. The tokens themselves are not
kept. With --json one object a token: name, namespaces, rights, created, and
expires and revoked where they are set.`,
		Example: `  memscribe memdb token list
  memscribe memdb token list --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return memories.ListTokens(cmd.Context(), a, p, asJSON)
		},
	}
	addMemoryPlaceFlags(cmd, &p)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a token")
	return cmd
}

// newTokenRevoke returns the command memdb token revoke.
func newTokenRevoke(a *cli.App) *cobra.Command {
	var p target.MemoryPlace
	cmd := &cobra.Command{
		Use:     "revoke NAME",
		Short:   "End a token, at once",
		Long:    `Revoke ends a token; a server that runs refuses the next call with it. Its name is not used again.`,
		Example: `  memscribe memdb token revoke capture`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return memories.RevokeToken(cmd.Context(), a, p, args[0])
		},
	}
	addMemoryPlaceFlags(cmd, &p)
	return cmd
}
