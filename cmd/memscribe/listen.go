package main

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/usage"
)

// The bounds of a connection: how long the head of a request may take, and how long
// nothing may be asked.
const (
	// The body has no bound here: each server bounds the requests that it takes.
	maxHeaderWait = 10 * time.Second
	maxIdle       = 2 * time.Minute
	maxHeader     = 64 << 10
)

// addGuardFlags adds the flags of what keeps others out.
// The same flags guard every server of the program.
func addGuardFlags(f *pflag.FlagSet, g *local.Guard) {
	f.StringVar(&g.TokenFile, "token-file", "", "file with a token, readable only by you")
	f.StringVar(&g.CertFile, "tls-cert", "", "TLS certificate in PEM")
	f.StringVar(&g.KeyFile, "tls-key", "", "key of the certificate in PEM")
	f.BoolVar(&g.Insecure, "insecure", false, "listen on other addresses without TLS, for example behind a proxy")
}

// listening is where a server listens, and who may ask.
type listening struct {
	at     string // host:port
	token  string // "" is none
	secure *tls.Config
}

// scheme returns the scheme of the server's addresses.
func (l *listening) scheme() string {
	if l.secure != nil {
		return "https"
	}
	return "http"
}

// listen serves HTTP until the context ends. g says who may connect: an address that
// other machines reach needs a token, and TLS or --insecure, otherwise the flags are a
// usage error. make builds the handler once the address is known (port 0 is resolved).
//
// An interrupt closes open connections at once. It ends with the context's error, or
// with nil if a service manager asked for the end.
// Requests that run when the context ends are cut off: there is nothing that a half
// answer could damage, since servers here only read, or write in transactions.
func (a *app) listen(ctx context.Context, addr string, g *local.Guard, make func(*listening) (http.Handler, error)) error {
	var (
		at  listening
		err error
	)
	if at.token, err = g.Check(false, addr); errors.Is(err, local.ErrOpen) {
		return usage.Errorf("%w; see --token-file, --tls-cert and --insecure", err)
	} else if err != nil {
		return usage.Mark(err)
	}
	if at.secure, err = g.TLS("h2", "http/1.1"); err != nil {
		return usage.Mark(err)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	at.at = l.Addr().String()
	handler, err := make(&at)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	server := &http.Server{
		Handler: handler, TLSConfig: at.secure, ErrorLog: slog.NewLogLogger(a.Logger().Handler(), slog.LevelDebug),
		ReadHeaderTimeout: maxHeaderWait, IdleTimeout: maxIdle, MaxHeaderBytes: maxHeader,
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if at.secure != nil {
		err = server.ServeTLS(l, "", "")
	} else {
		err = server.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	if err != nil || interrupt.WasTerminated(ctx) {
		return err
	}
	return ctx.Err()
}

// isOwn reports whether only this machine reaches an address.
func isOwn(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && local.IsLoopback(host)
}
