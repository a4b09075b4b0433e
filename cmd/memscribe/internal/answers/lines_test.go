package answers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/answers"
	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/why"
)

// TestLines prints a line whose decision has a title of its own, and whose file was edited
// later.
func TestLines(t *testing.T) {
	var b strings.Builder
	err := answers.Lines(&b, []blame.Line{{
		File: "a.go", Line: 7, Text: "x", Status: "decision", Evidence: "the edit's lines stand as it left them", Later: 2,
		Episode:  &blame.Episode{CallID: "call", SessionID: "s", Source: "codex", Timestamp: "2026-01-02T03:04:05Z", Hunks: why.Hunks("@@ -1,2 +1,2 @@\n f(\n-\ty\n+x\n")},
		Decision: &blame.Decision{ID: "decision:1", Title: "Which store? → Postgres (not: MySQL)", Epitome: "Postgres"},
	}})
	want := `a.go:7  Which store? → Postgres (not: MySQL)
    in the words of the session: Postgres
    decision decision:1
    2026-01-02T03:04:05Z · codex · session s ·  call
    the edit's lines stand as it left them
       f(
      -    y
      +x
    the file has 2 later edits: memscribe query file a.go
`
	if diff := cmp.Diff(want, b.String()); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
