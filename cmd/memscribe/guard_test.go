package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/panics"
)

const aToken = "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"

func TestGuard(t *testing.T) {
	var out bytes.Buffer
	a := newApp(cli.Env{Stderr: &out})
	a.Logger().Error("went wrong")
	a.NewReporter().Log.Info("read " + aToken)
	a.Rules.Redaction.Rules = []redact.Rule{{ID: "badge", Pattern: `BADGE-\d{6}`}}
	n, err := a.Stderr.Text().Write([]byte("cannot open /home/x/BADGE-123456\n"))
	if err != nil || n != 33 {
		t.Errorf("wrote %d bytes, %v", n, err)
	}
	for _, leak := range []string{aToken, "BADGE-123456"} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("%s leaks:\n%s", leak, &out)
		}
	}
	if !strings.Contains(out.String(), "went wrong") || !strings.Contains(out.String(), "/home/x/[REDACTED:badge]") {
		t.Errorf("messages are missing:\n%s", &out)
	}
}

func TestGuardWithholds(t *testing.T) {
	var out bytes.Buffer
	a := newApp(cli.Env{Stderr: &out})
	a.Rules.Redaction.Rules = []redact.Rule{{ID: "broken", Pattern: "("}}
	if _, err := a.Stderr.Printf("read %s\n", aToken); err != nil {
		t.Fatal(err)
	}
	if out.String() != "memscribe: a message was withheld: it could not be redacted\n" {
		t.Errorf("wrote %q", &out)
	}
}

// TestCrash holds a panic to the ways of other messages: its text is redacted and
// it ends the program with 1.
func TestCrash(t *testing.T) {
	var out bytes.Buffer
	a := newApp(cli.Env{Stderr: &out})
	err := panics.Caught(func() error { panic("no room for " + aToken) })
	code := a.Exit(context.Background(), a.newRoot(), err)
	if code != cli.ExitIncomplete || strings.Contains(out.String(), aToken) || !strings.Contains(out.String(), "fault of the program: no room for [REDACTED:github_pat]") ||
		!strings.Contains(out.String(), "guard_test.go") {
		t.Errorf("ends with %d, says:\n%s", code, &out)
	}
}
