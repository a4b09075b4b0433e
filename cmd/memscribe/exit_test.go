package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/usage"
)

// TestExitCodes holds what the program ends with to the contract, and has the page
// for those who operate it list each code.
func TestExitCodes(t *testing.T) {
	stopped, stop := context.WithCancelCause(t.Context())
	stop(&interrupt.Signal{Signal: os.Interrupt})
	for _, tt := range []struct {
		name        string
		interrupted bool
		err         error
		code        int
		says        string
	}{
		{"done", false, nil, 0, ""},
		{"a reader that has had enough", false, fmt.Errorf("write: %w", syscall.EPIPE), 0, ""},
		{"an input", false, fmt.Errorf("x: %w", report.ErrIncomplete), 1, ""},
		{"anything else", false, errors.New("open x: bad disk"), 1, "memscribe: open x: bad disk\n"},
		{"usage", false, usage.Errorf("no such thing"), 2, "memscribe: no such thing\nRun 'memscribe --help' for usage.\n"},
		{"settings", false, config.Problems{{Message: "unknown key"}}, 2, "memscribe config init --out -"},
		{"something found", false, report.ErrFound, 3, ""},
		{"an interruption", true, fmt.Errorf("read: %w", context.Canceled), 130, ""},
		{"something else that was given up", false, context.Canceled, 1, "canceled"},
	} {
		ctx := t.Context()
		if tt.interrupted {
			ctx = stopped
		}
		var stderr strings.Builder
		a := newApp(cli.Env{Stderr: &stderr})
		if code := a.Exit(ctx, a.bareRoot(), tt.err); code != tt.code {
			t.Errorf("%s: %d, want %d", tt.name, code, tt.code)
		}
		if !strings.Contains(stderr.String(), tt.says) || tt.says == "" && stderr.Len() > 0 {
			t.Errorf("%s: it says %q", tt.name, &stderr)
		}
	}
	page := readText(t, "../../docs/operations.md")
	for _, code := range []int{cli.ExitDone, cli.ExitIncomplete, cli.ExitUsage, cli.ExitFound, cli.ExitInterrupted} {
		if !strings.Contains(page, "\n| "+strconv.Itoa(code)+" | ") {
			t.Errorf("docs/operations.md does not list %d", code)
		}
	}
}
