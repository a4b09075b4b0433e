package flagset_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/flagset"
	"github.com/memscribe/memscribe/internal/config"
)

// flags returns flags of every type, with what they are now.
func flags(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	f := pflag.NewFlagSet("x", pflag.ContinueOnError)
	f.String("kind", "ndjson", "what to write")
	f.StringSlice("tools", nil, "which tools")
	f.StringArray("root", []string{"/r"}, "where")
	f.Int("batch", 7, "how many")
	f.Duration("keep", time.Hour, "how long")
	f.Bool("verbose", false, "say more")
	f.String("other", "o", "no key")
	flagset.Bind(f.Lookup("kind"), "sink.kind", "ndjson", "sqlite")
	flagset.Bind(f.Lookup("tools"), "capture.tools")
	flagset.WithoutArguments(f.Lookup("tools"))
	flagset.Bind(f.Lookup("root"), "capture.roots")
	flagset.IsPath(f.Lookup("root"))
	flagset.Bind(f.Lookup("batch"), "sink.batch")
	flagset.Bind(f.Lookup("keep"), "sink.keep")
	flagset.Bind(f.Lookup("verbose"), "log.verbose")
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestApply(t *testing.T) {
	const file = "[sink]\nkind='sqlite'\nbatch=9\nkeep='2h'\n[capture]\ntools=['a','b']\nroots=['~/x','y','/z']\n[log]\nverbose=true\n"
	tests := []struct {
		name  string
		args  []string
		env   map[string]string
		given []string // arguments
		want  map[string]string
	}{
		{name: "file", want: map[string]string{
			"kind": `"sqlite"`, "batch": "9", "keep": `"2h0m0s"`, "tools": `["a", "b"]`, "root": `["/home/x", "/etc/y", "/z"]`, "verbose": "true",
		}},
		{
			name: "environment beats file", env: map[string]string{"MEMSCRIBE_SINK_KIND": "ndjson", "MEMSCRIBE_CAPTURE_TOOLS": "c, d", "MEMSCRIBE_CAPTURE_ROOTS": "/a:/b", "MEMSCRIBE_LOG_VERBOSE": "false"},
			want: map[string]string{"kind": `"ndjson"`, "batch": "9", "keep": `"2h0m0s"`, "tools": `["c", "d"]`, "root": `["/a", "/b"]`, "verbose": "false"},
		},
		{
			name: "flag beats environment", args: []string{"--kind", "ndjson", "--tools", "e", "--batch=1"}, env: map[string]string{"MEMSCRIBE_SINK_KIND": "sqlite", "MEMSCRIBE_SINK_BATCH": "2"},
			want: map[string]string{"kind": `"ndjson"`, "batch": "1", "keep": `"2h0m0s"`, "tools": `["e"]`, "root": `["/home/x", "/etc/y", "/z"]`, "verbose": "true"},
		},
		{name: "arguments say better", given: []string{"a.jsonl"}, want: map[string]string{
			"kind": `"sqlite"`, "batch": "9", "keep": `"2h0m0s"`, "tools": `[]`, "root": `["/home/x", "/etc/y", "/z"]`, "verbose": "true",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := config.Parse("/etc/memscribe.toml", []byte(file))
			if err != nil {
				t.Fatal(err)
			}
			s := config.Settings{File: d, Getenv: func(n string) string { return tt.env[n] }, Home: func() (string, error) { return "/home", nil }}
			f := flags(t, tt.args...)
			if err := flagset.Apply(&s, f, tt.given); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			f.VisitAll(func(x *pflag.Flag) {
				if _, ok := flagset.KeyOf(x); ok {
					got[x.Name] = flagset.ValueOf(x)
				}
			})
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestApplyProblems(t *testing.T) {
	tests := []struct{ file, variable, value, want string }{
		{"", "MEMSCRIBE_SINK_KIND", "sqlit", `MEMSCRIBE_SINK_KIND: unknown value "sqlit"; did you mean "sqlite"?`},
		{"", "MEMSCRIBE_SINK_BATCH", "many", `MEMSCRIBE_SINK_BATCH: "many": invalid syntax`},
		{"", "MEMSCRIBE_CAPTURE_TOOLS", `"a`, `MEMSCRIBE_CAPTURE_TOOLS: cannot be read as a list: `},
		{"\n[capture]\nroots = ['~/x']\n", "", "", `f.toml:3:1: capture.roots: no home`},
		{"\n[sink]\nkeep = 'long'\n", "", "", `f.toml:3:1: sink.keep: `},
	}
	for _, tt := range tests {
		d, err := config.Parse("f.toml", []byte(tt.file))
		if err != nil {
			t.Fatal(err)
		}
		s := config.Settings{File: d, Getenv: func(n string) string {
			if n == tt.variable {
				return tt.value
			}
			return ""
		}, Home: func() (string, error) { return "", errors.New("no home") }}
		if err := flagset.Apply(&s, flags(t), nil); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

func TestOrigin(t *testing.T) {
	d, err := config.Parse("f.toml", []byte("[sink]\nbatch = 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := config.Settings{File: d, Getenv: func(n string) string { return map[string]string{"MEMSCRIBE_SINK_KEEP": "5m"}[n] }}
	f := flags(t, "--kind", "sqlite")
	for name, want := range map[string]string{"kind": "--kind", "keep": "MEMSCRIBE_SINK_KEEP", "batch": "f.toml:2:1", "tools": "default"} {
		o, p := flagset.Set(&s, f.Lookup(name))
		if p != nil || o.String() != want {
			t.Errorf("%s is from %s (%v), want %s", name, o, p, want)
		}
	}
}

// FuzzApply holds the settings of any file to this: no panic, and every problem says
// something and names a place in the file.
func FuzzApply(f *testing.F) {
	for _, s := range []string{
		"", "[sink]\nkind = 'sqlite'\nbatch = 1e99\n", "[capture]\ntools = [1]\nroots = ['~', '']\n", "sink = 3\n", "sink.keep = '1s'\nlog.verbose = 'x'\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := config.Parse("f.toml", data)
		if err != nil {
			return
		}
		settings := config.Settings{File: d, Home: func() (string, error) { return "/home", nil }}
		found, _ := errors.AsType[config.Problems](flagset.Apply(&settings, flags(t), nil))
		for _, p := range found {
			if p.Place.File != "f.toml" || p.Place.Line < 1 || p.Place.Line > 1+strings.Count(string(data), "\n") || p.Message == "" {
				t.Fatalf("problem without a place: %v", p)
			}
		}
	})
}
