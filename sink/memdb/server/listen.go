package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// Listening says where a server listens and how it is protected.
type Listening struct {
	Address   string // host:port
	TokenFile string
	CertFile  string // of TLS, with KeyFile
	KeyFile   string
	Insecure  bool // without TLS beyond this machine, as behind a proxy that has it
}

// minToken is how short a token may be: shorter ones can be guessed.
const minToken = 16

// Check refuses what would put memories at risk: beyond loopback there must be a
// token, and TLS unless somebody insists. It returns the token.
func (l *Listening) Check() (token string, err error) {
	host, _, err := net.SplitHostPort(l.Address)
	if err != nil {
		return "", fmt.Errorf("read address %s: %w", l.Address, err)
	}
	if (l.CertFile == "") != (l.KeyFile == "") {
		return "", errors.New("TLS needs a certificate and its key")
	}
	if l.TokenFile != "" {
		text, err := os.ReadFile(l.TokenFile)
		if err != nil {
			return "", fmt.Errorf("read token: %w", err)
		}
		token = strings.TrimSpace(string(text))
		if len(token) < minToken || strings.ContainsAny(token, " \t\r\n") {
			return "", fmt.Errorf("read token %s: a token is one word of at least %d characters", l.TokenFile, minToken)
		}
	}
	switch {
	case isLoopback(host):
		return token, nil
	case token == "":
		return "", fmt.Errorf("listen on %s: others can reach this address; that needs a token", l.Address)
	case l.CertFile == "" && !l.Insecure:
		return "", fmt.Errorf("listen on %s: others can reach this address; that needs TLS", l.Address)
	}
	return token, nil
}

// Listen opens the port, with TLS if there is a certificate.
func (l *Listening) Listen(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", l.Address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if l.CertFile == "" {
		return listener, nil
	}
	cert, err := tls.LoadX509KeyPair(l.CertFile, l.KeyFile)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read certificate: %w", err), listener.Close())
	}
	return tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}), nil
}

// The times that a client has.
const (
	headerTime   = 10 * time.Second
	readTime     = time.Minute
	idleTime     = 2 * time.Minute
	shutdownTime = 10 * time.Second
	// checkpointEvery is how long the end of the chain may be without a
	// signature.
	checkpointEvery = time.Second
)

// Run serves until ctx ends; then it takes no more calls, finishes those that it
// has, and signs the chain. The listener is closed in any case.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, IdleTimeout: idleTime, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	signing := time.NewTicker(checkpointEvery)
	defer signing.Stop()
	for {
		select {
		case err := <-ended:
			return fmt.Errorf("serve: %w", err)
		case <-signing.C:
			if err := s.options.Store.Checkpoint(ctx); err != nil && ctx.Err() == nil {
				s.options.Log.LogAttrs(ctx, slog.LevelError, "cannot sign the chain", slog.Any("error", err))
			}
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
			defer cancel()
			err := server.Shutdown(last)
			if err != nil {
				err = errors.Join(err, server.Close())
			}
			if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
				err = errors.Join(err, e)
			}
			return errors.Join(err, s.options.Store.Checkpoint(last))
		}
	}
}
