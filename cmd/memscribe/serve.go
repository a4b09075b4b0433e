package main

import (
	"context"
	"crypto/x509"
	"errors"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/serving"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/corrections"
	"github.com/memscribe/memscribe/internal/app/pagesource"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	local.Guard

	db, addr string
	watch    string // the address at which watch says how it stands
	open     bool
}

// newServe returns the command serve.
func (a *app) newServe() *cobra.Command {
	var o serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve a local web page",
		Long: `Serve shows the database on a local web page: decisions by day and project, each with the
talk around it, its edits and the evidence for it; sessions; files with the decision
behind each line; search, rules in force, usage, and the state of the capture. New nodes
appear while watch runs. Every view has its own URL and, with ?format=json, a JSON form.
Decisions can be accepted, rejected, pinned and annotated as with the commands of these
names.

It prints a link that works once and sets a cookie, and then the next link. The page
loads nothing from other servers, and other web pages cannot reach it.

A loopback address needs nothing else. Any other address needs a token, and TLS or
--insecure; there the page shows no files from the disk and accepts no changes.`,
		Example: `  memscribe serve
  memscribe serve --open
  memscribe serve --addr 0.0.0.0:7478 --token-file token --tls-cert c.pem --tls-key k.pem`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.db, "db", "", "database (default: the one of watch)")
	f.StringVar(&o.addr, "addr", "127.0.0.1:7478", "serve on this address, as host:port")
	f.StringVar(&o.watch, "status-addr", "", "address of the machine where watch serves /healthz, /status and /metrics, as 127.0.0.1:9464")
	cli.Configurable(cmd, "status-addr", "capture.status_addr")
	f.BoolVar(&o.open, "open", false, "open the page in the browser")
	addGuardFlags(f, &o.Guard)
	return cmd
}

// serve opens the database and serves the page until the context ends.
func (a *app) serve(ctx context.Context, o *serveFlags) error {
	path, err := flags.Database(a.App, o.db)
	if err != nil {
		return err
	}
	r := nodedb.Follow(path)
	if err = r.Ready(ctx); err != nil {
		return flags.Advised(err)
	}
	done := func() {}
	s := &pagesource.Source{Reader: r, Database: path, Now: a.Now, World: a.findWorld(), Watch: o.watch}
	err = a.listen(ctx, o.addr, &o.Guard, func(l *listening) (h http.Handler, failed error) {
		var end func()
		if h, end, failed = a.pageOf(ctx, s, o, l); failed == nil {
			done = end
			s.Prepare(ctx)
		}
		return h, failed
	})
	done()
	return errors.Join(err, s.Close(), r.Close())
}

// pageOf makes the handler of the page. On a loopback address the page can also
// annotate nodes and show lines of files, with their secrets taken out; on any other
// address it only reads the database.
func (a *app) pageOf(ctx context.Context, s *pagesource.Source, o *serveFlags, l *listening) (h http.Handler, done func(), err error) {
	if isOwn(l.at) {
		s.Clean = a.Guard.Clean
		s.Annotate = func(ctx context.Context, said annotate.Annotation) error {
			_, kept := (&corrections.Place{Database: s.Database}).Keep(ctx, &a.Setup, said)
			return kept
		}
	}
	with := serving.Options{Source: s, Addr: o.addr, At: l.at, Token: l.token, Secure: l.secure != nil, Open: o.open}
	if l.secure != nil {
		leaf, bad := x509.ParseCertificate(l.secure.Certificates[0].Certificate[0])
		if bad != nil {
			return nil, nil, bad
		}
		with.Knows = func(host string) bool { return leaf.VerifyHostname(host) == nil }
	}
	return serving.Handler(ctx, a.App, with)
}
