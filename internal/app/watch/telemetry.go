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

// Telemetry says where telemetry is received, if anywhere.
type Telemetry struct {
	HTTP, GRPC string // addresses; "" is none
	Guard      local.Guard
}

// wanted reports whether a receiver was asked for.
func (t *Telemetry) wanted() bool { return t.HTTP != "" || t.GRPC != "" }

// check refuses what does not go together.
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

// receiver listens, and keeps what comes in a journal.
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

// newScrubbing returns a way to scrub that several goroutines may use at once.
//
// An engine serves one goroutine at a time. Idle ones are kept for the next request;
// the first is never handed out, because it is the one that others are forked from.
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

// beside runs a receiver while something else is done; when either ends, so does
// the other.
//
// The receiver outlives ctx for as long as do needs to finish what it has taken in: it
// stops accepting when ctx ends and is waited for after do has returned.
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
	go func() { // what comes after the end was asked for is not taken any more
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
