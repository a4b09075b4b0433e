package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/install"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/corrections"
	"github.com/memscribe/memscribe/internal/app/mcpserver"
	"github.com/memscribe/memscribe/internal/app/mcpsettings"
	"github.com/memscribe/memscribe/internal/buildinfo"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// mcpFlags are the flags of mcp. The guard is used with --addr only.
type mcpFlags struct {
	local.Guard

	db, addr string
	notes    bool
}

// newMCP returns the command mcp with its subcommands. Tools start it themselves, with
// their standard streams; what it has to say to people goes to stderr.
func (a *app) newMCP() *cobra.Command {
	var o mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the database to agents over the Model Context Protocol",
		Long: `MCP serves the database to an agent, over standard input and output as tools start it,
or with --addr over streamable HTTP at /mcp. It has the tools why, search, decisions,
rules, check, session and recent, resources for decisions and sessions, and prompts for a
hand-over and a decision record. It is read-only unless --allow-notes adds the tools note
and supersede. What these store is marked as an agent's words. A decision that an agent
wants to replace stays in force until a person confirms it with 'memscribe supersede'.

Answers are small (max_tokens, 1500 by default) and paged. Agents' words and file
contents are marked as such, and instructions aimed at an agent are removed from them. The
project is that of the folder in which the agent works.

A loopback address needs nothing else. Any other address needs a token, and TLS or
--insecure.`,
		Example: `  memscribe mcp install claude_code
  claude mcp add memscribe -- memscribe mcp
  memscribe mcp --addr 127.0.0.1:7477`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.mcp(cmd.Context(), &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.db, "db", "", "database (default: the one of watch)")
	f.BoolVar(&o.notes, "allow-notes", false, "let agents add notes, and propose replacements for decisions")
	f.StringVar(&o.addr, "addr", "", "serve streamable HTTP on this address, as host:port, instead")
	addGuardFlags(f, &o.Guard)
	cmd.AddCommand(a.newServers()...)
	return cmd
}

// newServers returns install, uninstall and status, which edit the settings of tools so
// that they start `memscribe mcp` by themselves.
func (a *app) newServers() []*cobra.Command {
	var toInstall, toRemove, toShow mcpsettings.Options
	in := &cobra.Command{
		Use:   "install [TOOL…]",
		Short: "Add the server to the settings of tools",
		Long: `Install adds the server to the settings of the named tools, or of all tools that are used
on this machine. Everything else in the settings stays as it is, comments and order
included, and a copy of the original is kept.`,
		Example: "  memscribe mcp install claude_code --dry-run\n  memscribe mcp install codex gemini",
		RunE:    func(_ *cobra.Command, tools []string) error { return install.Servers(a.App, toInstall, tools) },
	}
	out := &cobra.Command{
		Use:   "uninstall [TOOL…]",
		Short: "Remove the server from the settings of tools",
		Long: `Uninstall removes the server from the settings of the named tools, or of all. Settings
that have not been changed since are restored byte for byte; from others only the server
is removed.`,
		Example: "  memscribe mcp uninstall codex",
		RunE:    func(_ *cobra.Command, tools []string) error { return install.RemoveServers(a.App, toRemove, tools) },
	}
	show := &cobra.Command{
		Use:     "status [TOOL…]",
		Short:   "Show which tools start the server",
		Example: "  memscribe mcp status\n  memscribe mcp status --json",
		RunE:    func(_ *cobra.Command, tools []string) error { return install.ServerStatus(a.App, toShow, tools) },
	}
	for sub, o := range map[*cobra.Command]*mcpsettings.Options{in: &toInstall, out: &toRemove, show: &toShow} { // in any order
		sub.Flags().StringVar(&o.Home, "home", "", "home folder of the tools (default: yours)")
		cli.AddStateDir(sub, &o.StateDir)
		if sub != show {
			sub.Flags().BoolVar(&o.DryRun, "dry-run", false, "only show what would change")
		}
		if sub != out {
			sub.Flags().StringVar(&o.Program, "program", "", "program for the tools to start (default: this one)")
			sub.Flags().StringVar(&o.Database, "db", "", "database to serve (default: the one of watch)")
		}
	}
	show.Flags().BoolVar(&toShow.JSON, "json", false, "print JSON")
	return []*cobra.Command{in, out, show}
}

// mcp serves agents over standard input and output or, with --addr, over HTTP.
//
// A database that does not exist yet is no error: the server starts, answers that
// nothing is there, and opens the database when watch has created it. With
// --allow-notes agents may add annotations, through the same code as the command note.
func (a *app) mcp(ctx context.Context, o *mcpFlags) error {
	path, err := flags.Database(a.App, o.db)
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	r := nodedb.Follow(path)
	if err = r.Ready(ctx); err != nil {
		if !nodedb.Absent(err) {
			return flags.Advised(err)
		}
		// the agent is told the same when it asks
		a.Logger().Warn("nothing can be answered yet", slog.Any("error", err))
	}
	options := mcpserver.Options{Reader: r, Dir: dir, World: a.findWorld(), Version: buildinfo.Version(), Now: a.Now}
	if o.notes {
		options.Keep = func(ctx context.Context, said annotate.Annotation) (annotate.Annotation, error) {
			kept, failed := (&corrections.Place{Database: path, By: said.By}).Keep(ctx, &a.Setup, said)
			if failed != nil {
				return said, failed
			}
			return kept[0], nil
		}
	}
	s, err := mcpserver.New(ctx, options)
	if err == nil && o.addr != "" {
		err = a.serveMCP(ctx, s, o)
	} else if err == nil {
		err = s.Serve(ctx, &mcp.IOTransport{Reader: io.NopCloser(interrupt.Reader(ctx, a.Stdin)), Writer: unclosed{a.Stdout.Data()}})
		if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) && ctx.Err() == nil {
			err = nil // the client has gone
		}
	}
	return errors.Join(err, r.Close())
}

// unclosed is a writer that the protocol may close.
type unclosed struct{ io.Writer }

// Close does nothing: the stream belongs to the process.
func (unclosed) Close() error { return nil }

// serveMCP serves agents over streamable HTTP at /mcp, behind the checks of Host,
// Origin and token.
func (a *app) serveMCP(ctx context.Context, s *mcpserver.Server, o *mcpFlags) error {
	return a.listen(ctx, o.addr, &o.Guard, func(l *listening) (http.Handler, error) {
		a.Logger().Info("serving agents", slog.String("url", l.scheme()+"://"+l.at+"/mcp"))
		mux := http.NewServeMux()
		mux.Handle("/mcp", mcpserver.Guarded(s.Handler(), l.token))
		return mux, nil
	})
}
