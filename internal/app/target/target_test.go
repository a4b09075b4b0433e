package target_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/target"
)

// TestResolve works out where nodes go, in a world of its own.
func TestResolve(t *testing.T) {
	watch := target.Usual{Kind: target.Database}
	replay := target.Usual{Kind: target.Lines, Stream: true, Database: func() (string, error) { return "kept.db", nil }}
	data := filepath.Join("home", ".local", "share", "memscribe")
	for _, tt := range []struct {
		name       string
		o          target.Options
		kind, out  string
		wrong      string // part of what is said; "" is nothing
		redactsNot bool
	}{
		{"watch", target.Options{Usual: watch}, target.Database, filepath.Join(data, "nodes.db"), "", false},
		{"watch to lines", target.Options{Usual: watch, Kind: target.Lines}, target.Lines, filepath.Join(data, "nodes.ndjson"), "", false},
		{"replay", target.Options{Usual: replay}, target.Lines, "-", "", false},
		{"replay adds to what watch keeps", target.Options{Usual: replay, Kind: target.Database}, target.Database, "kept.db", "", false},
		{"a name says the kind", target.Options{Usual: watch, Out: "x.jsonl"}, target.Lines, "x.jsonl", "", false},
		{"a name that says nothing", target.Options{Usual: watch, Out: "x"}, target.Database, "x", "", false},
		{"standard output is lines", target.Options{Usual: watch, Out: "-"}, target.Lines, "-", "", false},
		{"a database has a file", target.Options{Usual: watch, Kind: target.Database, Out: "-"}, "", "", "cannot write to standard output", false},
		{"no such kind", target.Options{Usual: watch, Kind: "csv"}, "", "", `unknown sink "csv"`, false},
		{"secrets to standard output", target.Options{Usual: replay}, target.Lines, "-", "", true},
		{"secrets to a file", target.Options{Usual: replay, Out: "x.ndjson"}, "", "", "--no-redact is only for", true},
		{"secrets to a MemDB", target.Options{Usual: watch, Kind: target.Memories}, "", "", "--no-redact is only for", true},
		{
			"a server has no file",
			target.Options{Usual: watch, Out: "x.db", MemDB: target.MemDB{URL: "http://127.0.0.1:1", Namespace: "n"}},
			"", "", "--out is the file of a database", false,
		},
		{"no namespace", target.Options{Usual: watch, Kind: target.Memories, MemDB: target.MemDB{Namespace: "a/b"}}, "", "", "--memdb-namespace", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.NoRedact = tt.redactsNot
			to, err := tt.o.Resolve(someone("home"))
			switch {
			case tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)):
				t.Errorf("got %v, want %q", err, tt.wrong)
			case tt.wrong == "" && (err != nil || to.Name() != tt.kind || to.Out != tt.out):
				t.Errorf("got %s to %q, %v; want %s to %q", to.Name(), to.Out, err, tt.kind, tt.out)
			}
		})
	}
}

// TestKeptDatabase: a watch that keeps something else has its database in the usual
// place.
func TestKeptDatabase(t *testing.T) {
	usual := filepath.Join("home", ".local", "share", "memscribe", "nodes.db")
	for want, o := range map[string]target.Options{
		"mine.db": {Out: "mine.db", Usual: target.Usual{Kind: target.Database}},
		usual:     {Out: "mine.ndjson", Usual: target.Usual{Kind: target.Database}},
	} {
		if got, err := o.KeptDatabase(someone("home")); err != nil || got != want {
			t.Errorf("out %s: got %q, %v; want %q", o.Out, got, err, want)
		}
	}
	o := target.Options{Usual: target.Usual{Kind: target.Database}}
	a := someone("")
	a.Home = func() (string, error) { return "", errors.New("no home") }
	if got, err := o.KeptDatabase(a); err == nil {
		t.Errorf("without a home folder: got %q", got)
	}
}

// someone is a user of Linux with a home folder and nothing in the environment.
func someone(home string) *setup.Setup {
	return &setup.Setup{Machine: host.Machine{
		OS:     "linux",
		Getenv: func(string) string { return "" },
		Home:   func() (string, error) { return home, nil },
	}}
}
