package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/tailing"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// TestTailIdle has tail ask nothing of a database into which nothing is written: what it
// allocates meanwhile does not grow with what is there.
func TestTailIdle(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC)}
	var days []string
	for day := range 100 {
		days = append(days, time.Date(2026, 4, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	w.sessions(t, days...)
	db := filepath.Join(t.TempDir(), "n.db")
	w.run(t, cli.ExitDone, "replay", "--sink", "sqlite", "--out", db, w.home)

	var out strings.Builder
	a := cli.New(cli.Env{Stdout: &out, Stderr: &out, Machine: host.Machine{Getenv: func(string) string { return "" }, Now: func() time.Time { return w.now }}})
	enough := errors.New("seen enough")
	var made []uint64 // objects, after each look
	err := tailing.Run(t.Context(), a, tailing.Options{DB: db, Limit: 1, Pause: func(context.Context) error {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if made = append(made, m.Mallocs); len(made) == 10 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || strings.Count(out.String(), "\n") != 1 {
		t.Fatalf("%v: %s", err, &out)
	}
	if each := (made[9] - made[0]) / 9; each > 500 {
		t.Errorf("a look at %d sessions makes %d objects, and nothing was written", len(days), each)
	}
}

// TestTailWaits has tail wait for a database that another process is just creating: the
// file is there and has no tables yet.
func TestTailWaits(t *testing.T) {
	db := filepath.Join(t.TempDir(), "n.db")
	c, err := sqlitefile.Dial(db, sqlitefile.Options{Connections: 1})
	if err == nil {
		_, err = c.ExecContext(t.Context(), "PRAGMA journal_mode = WAL")
	}
	if err = errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(db); err != nil || info.Size() == 0 {
		t.Fatalf("the database is not begun: %v", err)
	}
	var out strings.Builder
	a := cli.New(cli.Env{Stdout: &out, Stderr: &out, Machine: host.Machine{Getenv: func(string) string { return "" }, Now: time.Now}})
	enough := errors.New("waited enough")
	looks := 0
	err = tailing.Run(t.Context(), a, tailing.Options{DB: db, Pause: func(context.Context) error {
		if looks++; looks == 3 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || strings.Count(out.String(), "waiting: ") != 1 {
		t.Errorf("%v: %s", err, &out)
	}
}
