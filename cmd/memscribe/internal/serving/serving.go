// Package serving opens the local page for the command serve. It prints a link, and the next
// link when that was used, and opens the browser.
//
//	Open http://127.0.0.1:PORT/…
//	The link was used. The next one: http://127.0.0.1:PORT/…
//
// A link works once and signs in the browser that opens it. The page itself is in
// internal/page, and internal/app/pagesource answers its questions from a database.
package serving

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/pagesource"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/page"
	"github.com/memscribe/memscribe/internal/page/wall"
)

// Options say what is served, and where.
type Options struct {
	Source *pagesource.Source
	Addr   string // host:port as it was asked for
	At     string // host:port where it is served
	Token  string
	Knows  func(host string) bool // whether the certificate is for a host; nil without TLS
	Secure bool                   // by TLS
	Open   bool                   // open the browser
}

// Handler returns the handler of the page, and prints the first link. Each time a link is used,
// it prints another. Done ends the page's background work; the handler must not be used after
// that.
func Handler(ctx context.Context, a *cli.App, o Options) (h http.Handler, done func(), err error) {
	host, port, err := net.SplitHostPort(o.At)
	if err != nil {
		return nil, nil, fmt.Errorf("read address %s: %w", o.At, err)
	}
	w := wall.New(wall.Options{
		Local: local.IsLoopback(host), Token: o.Token, Secure: o.Secure, Knows: o.Knows, Cookie: "memscribe_" + port, Now: a.Now,
	})
	p, err := page.New(page.Options{Source: o.Source, Wall: w, Log: a.Logger(), Now: a.Now})
	if err != nil {
		return nil, nil, err
	}
	base := o.base(host, port)
	w.Used = func() {
		// the page works without it
		_, _ = a.Stdout.Printf("The link was used. The next one: %s\n", base+w.Link())
	}
	if _, err := a.Stdout.Printf("Open %s\n", base+w.Link()); err != nil {
		return nil, nil, err
	}
	if o.Open {
		if err := open(ctx, a.OS, base+w.Link()); err != nil {
			a.Stderr.Printf("the browser was not opened: %v\n", err)
		}
	}
	return p.Handler(), p.Close, nil
}

// base returns the address of the page without a path. If all interfaces are served, the host
// is the one that was asked for, else localhost.
func (o *Options) base(host, port string) string {
	scheme := "http"
	if o.Secure {
		scheme = "https"
	}
	if asked, _, err := net.SplitHostPort(o.Addr); err == nil && asked != "" && !isEvery(asked) {
		host = asked
	} else if isEvery(host) {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// isEvery reports whether an address stands for all interfaces: 0.0.0.0 or ::.
func isEvery(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsUnspecified()
}

// open shows an address in the browser, with the program that the system has for that.
func open(ctx context.Context, system, address string) error {
	command := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[system]
	if command == nil {
		command = []string{"xdg-open"}
	}
	if err := exec.CommandContext(ctx, command[0], append(command[1:], address)...).Start(); err != nil { //nolint:gosec // the address is our own
		return fmt.Errorf("run %s: %w", strings.Join(command, " "), err)
	}
	return nil
}
