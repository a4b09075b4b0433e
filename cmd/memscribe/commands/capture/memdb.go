package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/memories"
	"github.com/memscribe/memscribe/internal/app/target"
)

// NewMemDB returns the command memdb with its subcommands:
//
//	serve     answers HTTP and gRPC until it is stopped
//	verify    checks the chain; exit code 3 if it is bad
//	rekey     accepts a restored database and signs it with a new key
//	copy      copies a database with its chain, also between a file and PostgreSQL
//	token     create, list and revoke access tokens
func NewMemDB(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memdb",
		Short: "Serve, verify and copy memory databases",
		Long: `MemDB stores what was captured as memories, with their provenance, a trust level, and a
hash chain that shows tampering. memscribe watch --sink memdb writes to a MemDB, in a
file or on a server.`,
		Example: `  memscribe memdb serve
  memscribe memdb verify`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newMemDBServe(a), newMemDBToken(a), newMemDBVerify(a), newMemDBRekey(a), newMemDBCopy(a))
	return cmd
}

// addMemoryPlaceFlags adds --db and --state-dir. Verification needs both: the database, and the
// key in the state folder that signed its chain.
func addMemoryPlaceFlags(cmd *cobra.Command, p *target.MemoryPlace) {
	cmd.Flags().StringVar(&p.Database, "db", "", "database of memories: a file, or postgres://user@host/name (default: memories.db in your data folder)")
	cli.AddStateDir(cmd, &p.StateDir)
}

// newMemDBServe returns the command memdb serve. It returns when the context ends, and refuses
// to listen on other addresses than loopback without a token, and without TLS or --insecure.
func newMemDBServe(a *cli.App) *cobra.Command {
	var o memories.ServeOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a memory database over HTTP and gRPC",
		Long: `Serve answers the HTTP calls of docs/api/memdb-v1.yaml and the gRPC calls of docs/proto
until it is stopped. A loopback address needs nothing else. Any other address needs a token
(--token-file, or those of memscribe memdb token), and TLS or --insecure. Everything
written to it is redacted like transcripts. With --db postgres://… any number of servers
can share one PostgreSQL; put a password into PGPASSWORD or ~/.pgpass rather than the
URL.`,
		Example: `  memscribe memdb serve
  memscribe memdb serve --addr 0.0.0.0:7475 --token-file token --tls-cert cert.pem --tls-key key.pem
  memscribe memdb serve --db "postgres://memdb@db.example/team?sslmode=verify-full"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return memories.Serve(cmd.Context(), &a.Setup, o) },
	}
	addMemoryPlaceFlags(cmd, &o.MemoryPlace)
	cmd.Flags().StringVar(&o.Address, "addr", "127.0.0.1:7475", "address to listen on, as host:port")
	cmd.Flags().StringVar(&o.TokenFile, "token-file", "", "file with a token that has all rights, readable only by you")
	cmd.Flags().StringVar(&o.CertFile, "tls-cert", "", "TLS certificate in PEM")
	cmd.Flags().StringVar(&o.KeyFile, "tls-key", "", "key of the certificate in PEM")
	cmd.Flags().StringVar(&o.Audit, "audit", "", "report every call: to a file, to http(s)://… as lines of JSON, or to otlp+http(s)://… as logs")
	cmd.Flags().BoolVar(&o.Insecure, "insecure", false, "listen on other addresses without TLS, for example behind a proxy")
	return cmd
}

// newMemDBVerify returns the command memdb verify. It only reads, so it may run beside a
// server.
func newMemDBVerify(a *cli.App) *cobra.Command {
	var (
		o      memories.VerifyOptions
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Verify that a memory database was not changed",
		Long: `Verify checks the provenance chain and everything that depends on it, and names the first
bad entry and the reason. It needs no server, and one may be running. The chain must
contain the last checkpoint that was signed with the key in the state folder. A checkpoint
kept elsewhere can be given too.

The exit code is 3 if the database is bad.`,
		Example: `  memscribe memdb verify
  memscribe memdb verify --db team.db --checkpoint kept/memdb.checkpoint`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return verifyMemories(cmd.Context(), a, o, asJSON) },
	}
	addMemoryPlaceFlags(cmd, &o.MemoryPlace)
	cmd.Flags().StringVar(&o.Checkpoint, "checkpoint", "", "file with a checkpoint that was kept elsewhere")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

// newMemDBRekey returns the command memdb rekey. Nothing may write to the database meanwhile.
func newMemDBRekey(a *cli.App) *cobra.Command {
	var p target.MemoryPlace
	cmd := &cobra.Command{
		Use:   "rekey",
		Short: "Accept a restored memory database and sign it with a new key",
		Long: `Rekey accepts a memory database as it is: restored from an older copy, deleted, or
without the folder of its key. It makes a new key and appends an entry to the chain that
says so. The last checkpoint of the old key is kept beside the new one. Rekey cannot tell
a copy that you restored from one that was cut by someone else: check first what is
missing. A database that is inconsistent in itself is refused. Stop watch and memdb serve
first. When several servers share one PostgreSQL, each has its own key and must be rekeyed
with its own state folder.`,
		Example: `  memscribe memdb rekey
  memscribe memdb rekey --db team.db
  memscribe memdb rekey --db "postgres://memdb@db.example/team"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return rekeyMemories(cmd.Context(), a, p) },
	}
	addMemoryPlaceFlags(cmd, &p)
	return cmd
}

// newMemDBCopy returns the command memdb copy. It can be repeated, and then adds what the
// target lacks.
func newMemDBCopy(a *cli.App) *cobra.Command {
	var o memories.CopyOptions
	cmd := &cobra.Command{
		Use:   "copy",
		Short: "Copy a memory database with its chain",
		Long: `Copy copies all memories with their chain, from a file to PostgreSQL, back, or to another
database of the same kind. The source is verified before, and the copy afterwards. Entries
keep their ids, times and contents, and what was forgotten stays forgotten. A file has one
chain and PostgreSQL one for each namespace, so copy prints the head of each namespace as
a chain of its own, which is the same in both.

Run copy again to continue an interrupted copy, or later to add what is new. A target that
holds anything else is refused. Stop everything that writes to the target first. Tokens
are not copied.`,
		Example: `  memscribe memdb copy --out "postgres://memdb@db.example/team?sslmode=verify-full"
  memscribe memdb copy --db "postgres://memdb@db.example/team" --out team.db`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return copyMemories(cmd.Context(), a, o) },
	}
	addMemoryPlaceFlags(cmd, &o.MemoryPlace)
	cmd.Flags().StringVar(&o.To, "out", "", "database to copy to: a file, or postgres://user@host/name")
	return cmd
}

// newMemDBToken returns the command memdb token with its subcommands.
func newMemDBToken(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Manage the access tokens of a memory database",
		Long: `A token has namespaces and rights: read; write, for external content; internal, to store
content as internal and therefore trusted; forget; and admin, which includes all rights
and the management of namespaces. Once a token exists, every call to the server needs
one.`,
		Example: `  memscribe memdb token create capture --namespace team --right write,internal
  memscribe memdb token list
  memscribe memdb token revoke capture`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newTokenCreate(a), newTokenList(a), newTokenRevoke(a))
	return cmd
}

// newTokenCreate returns the command memdb token create. The token is printed once, on a line
// of its own, so that it can be redirected to a file. Only its hash is stored.
func newTokenCreate(a *cli.App) *cobra.Command {
	var o memories.TokenOptions
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Create a token and print it once",
		Long: `Create prints the new token and stores only a hash of it. The name identifies the token
in logs.`,
		Example: `  memscribe memdb token create capture --namespace team --right write,internal > token
  memscribe memdb token create reviewer --namespace team,other --right read --expires 720h`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name = args[0]
			return createToken(cmd.Context(), a, o)
		},
	}
	addMemoryPlaceFlags(cmd, &o.MemoryPlace)
	cmd.Flags().StringSliceVar(&o.Namespaces, "namespace", nil, "namespace that the token is for (can be repeated; * is all)")
	cmd.Flags().StringSliceVar(&o.Rights, "right", nil, "right in these namespaces: read, write, internal, forget or admin (can be repeated)")
	cmd.Flags().DurationVar(&o.Expires, "expires", 0, "how long it is valid, such as 720h (default: until it is revoked)")
	return cmd
}

// newTokenList returns the command memdb token list.
//
//	NAME     NAMESPACES  RIGHTS          CREATED               STATE
//	capture  team        write,internal  2026-11-22T09:43:00Z  good
func newTokenList(a *cli.App) *cobra.Command {
	var (
		p      target.MemoryPlace
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List tokens with their namespaces and rights",
		Long: `List shows every token that was ever created, by name. The tokens themselves are not
stored. With --json it prints one object per token: name, namespaces, rights, created,
and expires and revoked where set.`,
		Example: `  memscribe memdb token list
  memscribe memdb token list --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listTokens(cmd.Context(), a, p, asJSON)
		},
	}
	addMemoryPlaceFlags(cmd, &p)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per token")
	return cmd
}

// newTokenRevoke returns the command memdb token revoke.
func newTokenRevoke(a *cli.App) *cobra.Command {
	var p target.MemoryPlace
	cmd := &cobra.Command{
		Use:     "revoke NAME",
		Short:   "Revoke a token immediately",
		Long:    `Revoke ends a token; a running server refuses the next call with it. The name cannot be used again.`,
		Example: `  memscribe memdb token revoke capture`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return memories.RevokeToken(cmd.Context(), &a.Setup, p, args[0])
		},
	}
	addMemoryPlaceFlags(cmd, &p)
	return cmd
}
