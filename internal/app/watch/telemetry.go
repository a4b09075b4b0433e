package watch

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/budget"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/io/otlp"
)

// Telemetry says at which addresses telemetry is received.
type Telemetry struct {
	HTTP, GRPC string // addresses; "" means that there is no receiver
	Guard      local.Guard
}

// wanted reports whether there is an address.
func (t *Telemetry) wanted() bool { return t.HTTP != "" || t.GRPC != "" }

// check returns a usage error for options that exclude each other.
func (t *Telemetry) check(once, noContent bool) error {
	switch {
	case !t.wanted():
		return nil
	case once:
		return usage.Errorf("--otlp-http and --otlp-grpc are for a watch that keeps running: not for --once")
	case noContent:
		return usage.Errorf("--otlp-http and --otlp-grpc keep what they receive, content and all: not with --no-content")
	}
	return nil
}

// receiver returns a receiver that listens and writes what it receives to a journal, redacted.
func (t *Telemetry) receiver(ctx context.Context, journals string, rules redact.Options, memory *budget.Budget, now func() time.Time, log *slog.Logger) (*otlp.Receiver, error) {
	scrub, err := newScrubbing(rules)
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(filepath.Join(journals, host.OtlpJournal), journal.Limits{Segment: 64 << 20, Total: 1 << 30})
	if err != nil {
		return nil, err
	}
	r, err := otlp.Listen(ctx, otlp.Options{HTTP: t.HTTP, GRPC: t.GRPC, Guard: t.Guard, Keep: j.Append, Scrub: scrub, Memory: memory, Now: now, Log: log})
	if errors.Is(err, local.ErrOpen) {
		return nil, usage.Errorf("%w; see --otlp-token-file, --otlp-tls-cert and --otlp-insecure", err)
	}
	if err != nil {
		return nil, err
	}
	web, rpc := r.Addresses()
	log.Info("receiving telemetry", slog.String("http", web), slog.String("grpc", rpc))
	return r, nil
}

// newScrubbing returns a function for scrubbing that is safe for concurrent use.
//
// An engine can be used by one goroutine at a time. Idle engines are kept for later requests. The
// first one is never used, since others are forked from it.
func newScrubbing(rules redact.Options) (func([]byte) ([]byte, error), error) {
	first, err := redact.New(rules)
	if err != nil {
		return nil, err
	}
	var (
		mu   sync.Mutex
		idle = []*redact.Engine{first}
	)
	return func(value []byte) ([]byte, error) {
		mu.Lock()
		var (
			e   *redact.Engine
			err error
		)
		if n := len(idle); n > 1 {
			e, idle = idle[n-1], idle[:n-1]
		} else {
			e, err = first.Fork()
		}
		mu.Unlock()
		if err != nil {
			return nil, err
		}
		defer func() {
			mu.Lock()
			idle = append(idle, e)
			mu.Unlock()
		}()
		return journal.Scrubbed(e, value)
	}, nil
}

// beside runs do while a receiver works. When either ends, the other is ended.
//
// When ctx ends, the receiver stops accepting requests. It still runs until do has read what was
// accepted and has returned.
func beside(ctx context.Context, r *otlp.Receiver, do func(context.Context) error) error {
	receiving, stop := context.WithCancel(context.WithoutCancel(ctx))
	doing, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan error, 1)
	go func() {
		err := r.Run(receiving)
		if err != nil {
			cancel(err)
		}
		done <- err
	}()
	go func() { // requests after the end of ctx are refused
		<-doing.Done()
		stop()
	}()
	err := do(doing)
	stop()
	if failed := <-done; failed != nil {
		return failed
	}
	return err
}
