package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/memscribe/memscribe/internal/local"
)

const (
	// headerTime limits receiving the header of a request; shutdownTime limits running
	// requests when the server ends.
	headerTime   = 5 * time.Second
	shutdownTime = 500 * time.Millisecond
	maxHeader    = 64 << 10 // bytes
)

// ErrRemote is the error of an address that can be reached from other machines.
var ErrRemote = errors.New("not a loopback address: what transcripts there are is private")

// Listen opens an address for [Serve]. It must be a loopback address.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen for status: %w", err)
	}
	if !local.IsLoopback(host) {
		return nil, fmt.Errorf("listen for status on %s: %w", address, ErrRemote)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for status: %w", err)
	}
	return l, nil
}

// Serve serves /healthz, /status and /metrics until ctx ends, and then returns nil. An error means
// that it could not listen any more. Errors of single requests are logged.
func Serve(ctx context.Context, l net.Listener, b *Board, log *slog.Logger) error {
	server := &http.Server{
		Handler: Handler(b), ReadHeaderTimeout: headerTime, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		_ = server.Shutdown(end)
	}()
	err := server.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		<-stopped
		return nil
	}
	return fmt.Errorf("serve status: %w", err)
}

// Handler serves /healthz, /status and /metrics for requests to a loopback name or address, and
// refuses all others.
func Handler(b *Board) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", expositionType)
		_, _ = w.Write(exposition(b)) // an error means that the client has gone
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(b.Summary()) // whoever asked has gone
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { health(w, b) })
	return local.Own(mux)
}

// health answers 200 if nodes can be delivered, else 503.
func health(w http.ResponseWriter, b *Board) {
	s := b.Look()
	answer := struct {
		Status     string `json:"status"`
		Transcript int    `json:"transcripts"`
		Errors     int64  `json:"errors"`
		LastError  string `json:"last_error,omitempty"`
		Waiting    string `json:"waiting,omitempty"`
	}{"catching up", s.Known, s.Errors, s.Error, s.Waiting}
	code := http.StatusOK
	switch {
	case s.Waiting != "":
		answer.Status, code = "waiting", http.StatusServiceUnavailable
	case s.Idle:
		answer.Status = "following"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer) // whoever asked has gone
}
