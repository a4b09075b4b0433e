package testkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/adapters/otel"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/otlp"
)

// TestTelemetryOfRecorded has the real receiver take what the recorded clients
// posted, byte for byte, and reads it together with the transcripts of the same
// sessions: before them, after them, and in turns while both grow. What stands is
// what the transcripts give alone, node for node.
func TestTelemetryOfRecorded(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(recorded(), "otlp", "*", "*", "*"))
	if err != nil || len(dirs) == 0 {
		t.Skipf("no telemetry at %s", recorded())
	}
	both := map[core.Tool]int{}
	for _, dir := range dirs {
		rel, _ := filepath.Rel(filepath.Join(recorded(), "otlp"), dir)
		name := filepath.ToSlash(rel)
		t.Run(name, func(t *testing.T) {
			pushed := pushedInput(received(t, dir))
			echoes := sessionsIn(t, pushed)
			for _, s := range sessions(t, recorded()) {
				if path.Dir(s.Name()) == path.Dir(name) && s.speaksOf(t, echoes) {
					both[s.Tool]++
					seenTwice(t, s, pushed)
				}
			}
			if nodes := whole(t, []trial.Input{pushed}).Nodes; len(nodes) > 0 {
				t.Errorf("%d nodes come of telemetry alone: %s", len(nodes), nodes[0].JSON)
			}
		})
	}
	for _, tool := range []core.Tool{core.ClaudeCode, core.Codex, core.Gemini, core.Qwen} {
		if both[tool] == 0 && !partial() && *elsewhere == "" {
			t.Errorf("no session of %s was recorded both ways", tool)
		}
	}
}

// TestTelemetryOfFixtures does the same with what of both is in the repository.
func TestTelemetryOfFixtures(t *testing.T) {
	files, err := filepath.Glob("../adapters/otel/testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no telemetry: %v", err)
	}
	both := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pushed := pushedInput(data)
		echoes := sessionsIn(t, pushed)
		for _, s := range sessions(t, fixtures) {
			if strings.HasPrefix(filepath.Base(file), string(s.Tool)+"_"+s.Version) && s.speaksOf(t, echoes) {
				both++
				t.Run(s.Name(), func(t *testing.T) { seenTwice(t, s, pushed) })
			}
		}
	}
	if both == 0 {
		t.Error("no session is there both ways")
	}
}

// telemetry is all that was recorded, and what of it is in the repository.
func telemetry(t *testing.T) []trial.Input {
	t.Helper()
	files, err1 := filepath.Glob("../adapters/otel/testdata/*.jsonl")
	dirs, err2 := filepath.Glob(filepath.Join(recorded(), "otlp", "*", "*", "*"))
	if err := errors.Join(err1, err2); err != nil || len(files) == 0 {
		t.Fatalf("no telemetry: %v", err)
	}
	var all []trial.Input
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pushedInput(data))
	}
	for _, dir := range dirs {
		all = append(all, pushedInput(received(t, dir)))
	}
	return all
}

// TestDriftOfTelemetry: every record and every attribute that was recorded is
// described.
func TestDriftOfTelemetry(t *testing.T) {
	for _, in := range telemetry(t) {
		st := whole(t, []trial.Input{in}).Streams[0]
		for kind, n := range st.Stats.Unknown {
			t.Errorf("%d undescribed %s", n, kind)
		}
		for u, n := range st.Stats.Unseen {
			t.Errorf("%d times %s: not in the table; write it anew with -update", n, u)
		}
		if st.Variant == "" {
			t.Error("of no variant")
		}
	}
}

// seenTwice reads a session and its telemetry in every order.
func seenTwice(t *testing.T, s *session, pushed trial.Input) {
	t.Helper()
	s.load(t)
	want := play(t, s.inputs, chunk.Whole(s.inputs))
	check := func(how string, inputs []trial.Input, schedule chunk.Schedule) {
		t.Helper()
		for i, d := range chunk.DifferentNodes(want, play(t, inputs, schedule)) {
			if i < 3 {
				t.Errorf("%s, %s: %s", s.Name(), how, d)
			}
		}
	}
	after := append(slices.Clone(s.inputs), pushed)
	before := append([]trial.Input{pushed}, s.inputs...)
	check("telemetry after the transcripts", after, chunk.Whole(after))
	check("telemetry before the transcripts", before, chunk.Whole(before))
	for seed := range uint64(8) {
		check("in turns", after, chunk.Interleaved(after, rand.New(rand.NewPCG(seed, 7))))
	}
	if len(want.Nodes) == 0 {
		t.Errorf("%s has no nodes", s.Name())
	}
}

// speaksOf reports whether one of the ids stands in the session's transcripts.
func (s *session) speaksOf(t *testing.T, ids []string) bool {
	s.load(t)
	return slices.ContainsFunc(s.result.Events(), func(e *trial.Event) bool { return slices.Contains(ids, e.SessionID) })
}

// sessionsIn lists the sessions of which telemetry tells. All that it tells of
// them is an echo.
func sessionsIn(t *testing.T, pushed trial.Input) []string {
	t.Helper()
	var ids []string
	for _, e := range whole(t, []trial.Input{pushed}).Events() {
		if e.Event == "unknown" {
			continue
		}
		if e.Source == string(core.OTel) || !e.Echo {
			t.Errorf("no echo: %s", e.JSON)
		}
		if !slices.Contains(ids, e.SessionID) {
			ids = append(ids, e.SessionID)
		}
	}
	if len(ids) == 0 {
		t.Error("there is no session in it")
	}
	return ids
}

func pushedInput(lines []byte) trial.Input {
	const name = "journal/otlp/000001.jsonl"
	return trial.Input{Adapter: otel.Adapter{}, Path: name, Name: name, Data: lines}
}

// received posts every recorded request to a receiver and returns what it keeps.
func received(t *testing.T, dir string) []byte {
	t.Helper()
	var kept []byte
	receiver, err := otlp.Listen(t.Context(), otlp.Options{
		HTTP: "127.0.0.1:0", Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Keep: func(_ context.Context, lines ...[]byte) error {
			for _, l := range lines {
				kept = append(append(kept, l...), '\n')
			}
			return nil
		},
		Scrub: func(value []byte) ([]byte, error) { return value, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	web, _ := receiver.Addresses()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- receiver.Run(ctx) }()
	bodies, err := filepath.Glob(filepath.Join(dir, "*.body"))
	if err != nil || len(bodies) == 0 {
		t.Errorf("no requests in %s: %v", dir, err)
	}
	for _, body := range bodies {
		post(t, web, body)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	return kept
}

// post sends a recorded request again, with the headers that say how to read it.
func post(t *testing.T, address, body string) {
	t.Helper()
	data, err1 := os.ReadFile(body)
	head, err2 := os.ReadFile(strings.TrimSuffix(body, ".body") + ".headers.json")
	var was struct {
		Path    string
		Headers [][]string
	}
	if err := errors.Join(err1, err2, json.Unmarshal(head, &was)); err != nil {
		t.Fatal(err)
	}
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+was.Path, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range was.Headers {
		if key := http.CanonicalHeaderKey(h[0]); key == "Content-Type" || key == "Content-Encoding" {
			q.Header.Set(h[0], h[1])
		}
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %s, %v", filepath.Base(body), answer.Status, err)
	}
}
