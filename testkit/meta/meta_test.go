package meta_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/meta"
)

// Run many with: go test ./testkit/meta -run Schedules -schedules 1000 -seed 1
func flags() (schedules, steps *int, seed *uint64) {
	return flag.Int("schedules", 30, "how many schedules to play"), flag.Int("steps", 40, "how many things happen in each"),
		flag.Uint64("seed", 1, "of the first schedule; the others follow")
}

var schedules, steps, seed = flags()

func TestSchedules(t *testing.T) {
	cases := load(t)
	for i := range *schedules {
		s := meta.Schedule{Seed: *seed + uint64(i), Cases: cases, Steps: *steps}
		t.Run(fmt.Sprint("seed ", s.Seed), func(t *testing.T) {
			t.Parallel()
			if err := s.Play(t.Context(), t.TempDir()); err != nil {
				t.Errorf("%v\nagain: go test ./testkit/meta -run Schedules -schedules 1 -seed %d -steps %d", err, s.Seed, s.Steps)
			}
		})
	}
}

// load reads the sessions of the fixtures, the shorter ones, and where there are
// recordings of hooks and telemetry those too.
func load(t *testing.T) []meta.Case {
	t.Helper()
	all, err := corpus.Load("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	var cases []meta.Case
	for _, c := range all {
		played := played(t, c)
		if !played.IsShort() || len(played.Files)+len(played.Databases) == 0 {
			continue
		}
		cases = append(cases, played)
		if len(played.Databases) > 0 { // they are few
			cases = append(cases, played, played, played)
		}
	}
	cases = append(cases, pushed(t)...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	return cases
}

// played is what of a session can be played: not conversations in many files.
func played(t *testing.T, c *corpus.Case) (p meta.Case) {
	t.Helper()
	a, ok := adapters.ByTool(c.Tool)
	if !ok {
		t.Fatalf("no adapter for %s", c.Tool)
	}
	_, database := a.(core.DatabaseAdapter)
	_, tree := a.(core.TreeAdapter)
	for _, f := range c.Files {
		if !database || !strings.HasSuffix(f.Name, corpus.Dump) {
			continue
		}
		script, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		p.Databases = append(p.Databases, meta.Database{Name: strings.TrimSuffix(path.Base(f.Name), corpus.Dump), Script: string(script)})
	}
	if tree || len(p.Databases) > 0 {
		return p
	}
	var err error
	if p.Files, err = trial.Inputs(c, a); err != nil {
		t.Fatal(err)
	}
	return p
}

// pushed are recorded runs with what their hooks were passed, and telemetry.
func pushed(t *testing.T) (cases []meta.Case) {
	t.Helper()
	const shared = "../../../shared/transcripts"
	var runs []string
	for _, pattern := range []string{"happy_path", "permission_denied", "subagent_thread", "resume_two_processes"} {
		some, err := filepath.Glob(filepath.Join(shared, "hooks/*/*", pattern+"+hooks"))
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, some...)
	}
	if len(runs) == 0 {
		t.Logf("no recordings at %s: hooks and telemetry are not played", shared)
		return nil
	}
	beside := map[string]*corpus.Case{}
	all, err := corpus.Load(shared)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		beside[c.Name()] = c
	}
	for _, dir := range runs {
		rel := strings.TrimPrefix(filepath.ToSlash(dir), shared+"/hooks/")
		tool, _, _ := strings.Cut(rel, "/")
		if beside[rel] == nil {
			continue
		}
		p := played(t, beside[rel])
		p.Pushed = []meta.Pushed{{Journal: "hooks/" + tool, Lines: payloads(t, dir, tool)}}
		cases = append(cases, p, p, p) // they are few
	}
	telemetry, err := filepath.Glob(filepath.Join(shared, "otlp/*/*/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range telemetry {
		if lines := requests(t, dir); len(lines) > 0 {
			cases = append(cases, meta.Case{Pushed: []meta.Pushed{{Journal: "otlp", Lines: lines}}})
		}
	}
	return slices.DeleteFunc(cases, func(c meta.Case) bool { return !c.IsShort() })
}

// payloads are what the hooks of a run were passed, as a journal keeps it.
func payloads(t *testing.T, dir, tool string) (lines [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names) // they begin with the time
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Appendf(nil, `{"schema":"memscribe.hook/v1","tool":%q,"received":"2026-01-01T00:00:00.000Z","payload":%s}`, tool, bytes.TrimSpace(text)))
	}
	return lines
}

// requests are those of telemetry, a line each.
func requests(t *testing.T, dir string) (lines [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_logs.body"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var line bytes.Buffer
		if json.Compact(&line, text) == nil { // or else it is in protobuf
			lines = append(lines, line.Bytes())
		}
	}
	return lines
}
