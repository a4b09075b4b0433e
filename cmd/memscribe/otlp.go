package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/io/otlp"
)

// listening are the flags about telemetry that is received.
type listening struct {
	web, rpc string
	guard    local.Guard
}

func (l *listening) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.web, "otlp-http", "", "receive telemetry by OTLP over HTTP at this address, as 127.0.0.1:4318")
	cmd.Flags().StringVar(&l.rpc, "otlp-grpc", "", "receive telemetry by OTLP over gRPC at this address, as 127.0.0.1:4317")
	cmd.Flags().StringVar(&l.guard.TokenFile, "otlp-token-file", "",
		"file with the token that senders must show, which only you may read; without it, only loopback addresses are listened on")
	cmd.Flags().StringVar(&l.guard.CertFile, "otlp-tls-cert", "", "certificate of TLS for OTLP, as PEM")
	cmd.Flags().StringVar(&l.guard.KeyFile, "otlp-tls-key", "", "key of the certificate, as PEM")
	cmd.Flags().BoolVar(&l.guard.Insecure, "otlp-insecure", false, "receive telemetry beyond this machine without TLS, as behind a proxy that has it")
	cli.Configurable(cmd, "otlp-http", "otlp.http")
	cli.Configurable(cmd, "otlp-grpc", "otlp.grpc")
	cli.ConfigurablePath(cmd, "otlp-token-file", "otlp.token_file")
	cli.ConfigurablePath(cmd, "otlp-tls-cert", "otlp.tls_cert")
	cli.ConfigurablePath(cmd, "otlp-tls-key", "otlp.tls_key")
	cli.Configurable(cmd, "otlp-insecure", "otlp.insecure")
}

func (l *listening) wanted() bool { return l.web != "" || l.rpc != "" }

// check refuses what does not go together.
func (l *listening) check(o watchOptions) error {
	switch {
	case !l.wanted():
		return nil
	case o.once:
		return cli.Usagef("--otlp-http and --otlp-grpc are for what goes on: not for --once")
	case o.noContent:
		return cli.Usagef("--otlp-http and --otlp-grpc keep what they receive, content and all: not with --no-content")
	}
	return nil
}

// receiver listens, and keeps what comes in a journal.
func (l *listening) receiver(ctx context.Context, journals string, rules redact.Options, log *slog.Logger) (*otlp.Receiver, error) {
	scrub, err := newScrubbing(rules)
	if err != nil {
		return nil, err
	}
	j, err := journal.Open(filepath.Join(journals, cli.OtlpJournal), journal.Limits{Segment: 64 << 20, Total: 1 << 30})
	if err != nil {
		return nil, err
	}
	r, err := otlp.Listen(ctx, otlp.Options{HTTP: l.web, GRPC: l.rpc, Guard: l.guard, Keep: j.Append, Scrub: scrub, Now: time.Now, Log: log})
	if errors.Is(err, local.ErrOpen) {
		return nil, cli.Usagef("%w; see --otlp-token-file, --otlp-tls-cert and --otlp-insecure", err)
	}
	if err != nil {
		return nil, err
	}
	web, rpc := r.Addresses()
	log.Info("receiving telemetry", slog.String("http", web), slog.String("grpc", rpc))
	return r, nil
}

// newScrubbing returns a way to scrub that several goroutines may use at once.
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
