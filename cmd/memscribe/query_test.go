package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
	"github.com/memscribe/memscribe/testkit/schema"
)

func TestMoment(t *testing.T) {
	zone := time.FixedZone("there", 2*60*60)
	now := time.Date(2026, 8, 10, 12, 0, 0, 0, zone)
	for s, want := range map[string][2]string{ // as --since, as --until
		"":                          {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		"2026-08-01":                {"2026-08-01T00:00:00+02:00", "2026-08-02T00:00:00+02:00"},
		"2026-08-01 15:04":          {"2026-08-01T15:04:00+02:00", "2026-08-01T15:04:00+02:00"},
		"2026-08-01T15:04":          {"2026-08-01T15:04:00+02:00", "2026-08-01T15:04:00+02:00"},
		"2026-08-01 15:04:05":       {"2026-08-01T15:04:05+02:00", "2026-08-01T15:04:05+02:00"},
		"2026-08-01T15:04:05":       {"2026-08-01T15:04:05+02:00", "2026-08-01T15:04:05+02:00"},
		"2026-08-01T15:04:05Z":      {"2026-08-01T15:04:05Z", "2026-08-01T15:04:05Z"},
		"2026-08-01T15:04:05-07:00": {"2026-08-01T15:04:05-07:00", "2026-08-01T15:04:05-07:00"},
		"90m":                       {"2026-08-10T10:30:00+02:00", "2026-08-10T10:30:00+02:00"},
		"36h":                       {"2026-08-09T00:00:00+02:00", "2026-08-09T00:00:00+02:00"},
		"7d":                        {"2026-08-03T12:00:00+02:00", "2026-08-03T12:00:00+02:00"},
		"2w":                        {"2026-07-27T12:00:00+02:00", "2026-07-27T12:00:00+02:00"},
	} {
		for i, end := range []bool{false, true} {
			got, err := flags.Moment(s, now, end)
			if err != nil || got.Format(time.RFC3339) != want[i] {
				t.Errorf("%q, end %v: got %s, %v; want %s", s, end, got.Format(time.RFC3339), err, want[i])
			}
		}
	}
	for _, s := range []string{"someday", "7", "d", "-7d", "7y", "2026-13-01", "2026-08-01 25:00", "99999999999w", " "} {
		if got, err := flags.Moment(s, now, false); err == nil {
			t.Errorf("%q: got %s, want an error", s, got)
		}
	}
}

// TestAnswerSchema holds every answer over a fixture to the schema.
func TestAnswerSchema(t *testing.T) {
	schemas, err := schema.Load("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "nodes.db")
	var out, stderr bytes.Buffer
	ends := func(want int, args ...string) []byte {
		t.Helper()
		out.Reset()
		e := cli.Env{Stdout: &out, Stderr: &stderr, Machine: host.Machine{Getenv: func(string) string { return "" }, Now: time.Now}}
		if code := run(args, e); code != want {
			t.Fatalf("%v ended with %d: %s", args, code, &stderr)
		}
		return out.Bytes()
	}
	memscribe := func(args ...string) []byte { return ends(cli.ExitDone, args...) }
	memscribe("replay", "../../fixtures/claude_code", "--sink", "sqlite", "--out", db)
	memories, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(memories.Apply(t.Context(), sinktest.Memories()), memories.Close()); err != nil {
		t.Fatal(err)
	}
	for _, query := range [][]string{{"decisions"}, {"bans"}, {"episodes"}, {"file", "orders.js"}, {"search", "orders"}, {"memories"}} {
		args := append([]string{"query", "--db", db, "--json", "--limit", "100"}, query...)
		answer := memscribe(args...)
		if err := schemas.Answer(answer); err != nil {
			t.Errorf("%v: %v", query, err)
		}
		if !bytes.Contains(answer, []byte(`"node":`)) {
			t.Errorf("%v finds nothing", query)
		}
	}
	if err := schemas.Answer(ends(cli.ExitIncomplete, "query", "--db", db, "--json", "search", "nowheretobefound")); err != nil {
		t.Error(err)
	}
}
