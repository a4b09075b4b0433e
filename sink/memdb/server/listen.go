package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/memscribe/memscribe/internal/local"
)

// Listening says where a server listens and how it is protected.
type Listening struct {
	local.Guard

	Address string // host:port
}

// Listen opens the port, with TLS if there is a certificate.
func (l *Listening) Listen(ctx context.Context) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", l.Address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	config, err := l.TLS("h2", "http/1.1")
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	if config == nil {
		return listener, nil
	}
	return tls.NewListener(listener, config), nil
}

// The times that a client has.
const (
	headerTime   = 10 * time.Second
	readTime     = time.Minute
	idleTime     = 2 * time.Minute
	shutdownTime = 10 * time.Second
	streams      = 256 // calls at a time of one connection
	// checkpointEvery is how long the end of the chain may be without a
	// signature.
	checkpointEvery = time.Second
)

// Run serves until ctx ends. Then it accepts no more calls, finishes the running ones, and
// signs the chain. It closes the listener in any case.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true) // where there is no TLS, gRPC knows beforehand that it may
	server := &http.Server{
		Handler: s, Protocols: &protocols, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: streams, SendPingTimeout: idleTime / 2, PingTimeout: headerTime},
		ReadHeaderTimeout: headerTime, ReadTimeout: readTime, IdleTimeout: idleTime, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	listening, quiet := context.WithCancel(ctx)
	heard := make(chan struct{})
	go func() { s.calls.Listen(listening); close(heard) }()
	defer func() { quiet(); <-heard }()
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
			err := s.finish(context.WithoutCancel(ctx), server)
			if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
				err = errors.Join(err, e)
			}
			return errors.Join(err, s.sign(context.WithoutCancel(ctx)))
		}
	}
}

// finish waits for the running calls. It closes the connections of clients that are too slow.
func (s *Server) finish(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownTime)
	defer cancel()
	s.calls.EndWatches()
	err := server.Shutdown(ctx)
	if err == nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	s.options.Log.LogAttrs(ctx, slog.LevelWarn, "closed connections that did not end", slog.Duration("waited", shutdownTime))
	return server.Close()
}

// sign signs the head of the chain, with a time limit of its own, so that slow clients do not
// prevent it.
func (s *Server) sign(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownTime)
	defer cancel()
	return s.options.Store.Checkpoint(ctx)
}
