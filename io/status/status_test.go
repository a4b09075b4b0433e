package status_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/shape"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/status"
)

func start() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }

// board is one on which something has happened: a transcript was read that is
// old, and then written to twice; another one was dropped.
func board() *status.Board {
	b := status.NewBoard(start())
	file := capture.FileProgress{
		File: "/t/a.jsonl", Tool: core.Codex, Bytes: 100, Records: 10, Unknown: 1, Modified: start().Add(-time.Hour).UnixNano(), Done: true,
		Unseen: map[shape.Unseen]int64{{What: "version", Name: "9.9"}: 3},
	}
	other := capture.FileProgress{File: "/t/b.jsonl", Tool: core.Codex, Bytes: 50, Records: 5, Malformed: 2}
	b.Update(capture.Progress{Files: []capture.FileProgress{file, other}, Nodes: map[string]int64{"decision": 1}, Known: 2, InMemory: 2}, start().Add(time.Second))
	for i := range 2 {
		written := start().Add(time.Duration(10+i) * time.Second)
		file.Bytes, file.Records, file.Modified = file.Bytes+20, file.Records+2, written.UnixNano()
		b.Update(capture.Progress{
			Files: []capture.FileProgress{file}, Nodes: map[string]int64{"decision": 2, "episode": 1}, Known: 2, InMemory: 1, Idle: true,
			Dropped: []string{"/t/b.jsonl"},
		}, written.Add(time.Duration(5+10*i)*time.Millisecond))
	}
	return b
}

func get(t *testing.T, b *status.Board, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	status.Handler(b).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost:9"+path, nil))
	return w.Code, w.Body.String()
}

func TestMetrics(t *testing.T) {
	code, body := get(t, board(), "/metrics")
	if code != http.StatusOK {
		t.Fatalf("status %d: %s", code, body)
	}
	for _, want := range []string{
		"memscribe_transcripts 2\n",
		"memscribe_transcripts_in_memory 1\n",
		`memscribe_nodes_total{kind="decision"} 2` + "\n",
		`memscribe_nodes_total{kind="episode"} 1` + "\n",
		`memscribe_read_bytes_total{tool="codex"} 190` + "\n",
		`memscribe_records_total{tool="codex"} 19` + "\n",
		`memscribe_unknown_records_total{tool="codex"} 1` + "\n",
		`memscribe_malformed_records_total{tool="codex"} 2` + "\n",
		`memscribe_unseen_total{tool="codex",what="version",name="9.9"} 3` + "\n",
		`memscribe_stream_lag_seconds{tool="codex",file="/t/a.jsonl"} 0.015` + "\n",
		`memscribe_stream_bytes{tool="codex",file="/t/a.jsonl"} 140` + "\n",
		`memscribe_lag_seconds{quantile="0.5"} 0.015` + "\n",
		"memscribe_lag_seconds_count 2\n",
		"memscribe_sink_waiting 0\n",
		"memscribe_idle 1\n",
		"go_goroutines ",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %q", want)
		}
	}
	if strings.Contains(body, "b.jsonl") {
		t.Error("a transcript that was dropped from memory is still there")
	}
}

// TestMetricsAreReadable has what scrapes metrics read them, with names that could
// break a line.
func TestMetricsAreReadable(t *testing.T) {
	b := board()
	hostile := "/t/\"q\" \\ \n\xff{}.jsonl"
	b.Update(capture.Progress{
		Files: []capture.FileProgress{{File: hostile, Tool: core.Gemini, Bytes: 7, Stopped: true, Unseen: map[shape.Unseen]int64{{What: "a\"", Name: "b\n"}: 1}}},
		Nodes: map[string]int64{"binding": 5},
	}, start().Add(time.Minute))
	_, body := get(t, b, "/metrics")
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(body))
	if err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
	for name, f := range families {
		if strings.HasPrefix(name, "memscribe_") && (f.GetHelp() == "" || f.GetType() == dto.MetricType_UNTYPED) {
			t.Errorf("%s: no help or type", name)
		}
	}
	for _, m := range families["memscribe_stream_stopped"].GetMetric() {
		for _, l := range m.GetLabel() {
			if l.GetName() == "file" && l.GetValue() == strings.ToValidUTF8(hostile, "\ufffd") && m.GetGauge().GetValue() == 1 {
				return
			}
		}
	}
	t.Errorf("the transcript with the hostile name is missing:\n%s", body)
}

func TestReadAgainCountsAnew(t *testing.T) {
	b := board()
	again := capture.FileProgress{File: "/t/a.jsonl", Tool: core.Codex, Bytes: 10, Records: 1}
	b.Update(capture.Progress{Files: []capture.FileProgress{again}}, start())
	if got := b.Tools()[core.Codex]; got.Bytes != 200 || got.Records != 20 {
		t.Errorf("totals %+v", got)
	}
}

func TestHealth(t *testing.T) {
	b := board()
	b.Failed("/t/x: bad disk")
	code, body := get(t, b, "/healthz")
	if want := `{"status":"following","transcripts":2,"errors":1,"last_error":"/t/x: bad disk"}`; code != http.StatusOK || strings.TrimSpace(body) != want {
		t.Errorf("%d %s", code, body)
	}
	b.Waiting("no space left on device")
	if code, body = get(t, b, "/healthz"); code != http.StatusServiceUnavailable || !strings.Contains(body, "no space left") {
		t.Errorf("%d %s", code, body)
	}
	b.Waiting("")
	if code, _ = get(t, b, "/healthz"); code != http.StatusOK {
		t.Errorf("%d after it works again", code)
	}
	if code, _ = get(t, b, "/else"); code != http.StatusNotFound {
		t.Errorf("%d for nothing", code)
	}
}

func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	l, err := status.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- status.Serve(ctx, l, board(), slog.New(slog.DiscardHandler)) }()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+l.Addr().String()+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.Contains(string(body), "following") {
		t.Errorf("%v: %s", err, body)
	}
	r.Header.Set("X-Long", strings.Repeat("x", 100<<10))
	if answer, err = http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a long header is answered with %d", answer.StatusCode)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestOnlyThisMachine(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "[::]:0", "example.com:0"} {
		if _, err := status.Listen(t.Context(), address); !errors.Is(err, status.ErrRemote) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := status.Listen(t.Context(), "nonsense"); err == nil {
		t.Error("nonsense is an address")
	}
}

// standing is what was shown in a line, one after the other.
type standing []string

func (s *standing) Status(text string) { *s = append(*s, text) }

func (s *standing) last() string { return (*s)[len(*s)-1] }

func TestView(t *testing.T) {
	var shown standing
	b := board()
	v := status.View{Line: &shown, Board: b, Width: 200}
	v.Show()
	const want = "following · 2 transcripts of codex · 2 decisions · 1 episodes · lag 15ms"
	if shown.last() != want {
		t.Errorf("got  %q\nwant %q", shown, want)
	}
	v.Clear()
	if shown.last() != "" {
		t.Errorf("the line stays: %q", shown)
	}
	b.Failed("bad\nname\x1b")
	b.Waiting("no space left on device")
	v.Show()
	if got := shown.last(); !strings.HasPrefix(got, "WAITING (no space left on device) · ") || !strings.HasSuffix(got, "1 errors, the last: bad name ") {
		t.Errorf("got %q", got)
	}
	v = status.View{Line: &shown, Board: b}
	v.Show()
	if n := len([]rune(shown.last())); n != 79 {
		t.Errorf("the line is %d wide", n)
	}
	for width := 1; width <= 3; width++ {
		v.Width = width
		v.Show()
		if n := len([]rune(shown.last())); n > width {
			t.Errorf("on a terminal of %d columns the line is %d wide", width, n)
		}
	}
}

// TestNoWebPage asks as a web page in a browser does: under a name that leads
// to this machine, or from a page of another server.
func TestNoWebPage(t *testing.T) {
	for _, path := range []string{"/metrics", "/healthz", "/"} {
		for _, head := range []map[string]string{
			{"Host": "evil.example:9465"}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
		} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:9465"+path, nil)
			for name, value := range head {
				r.Header.Set(name, value)
			}
			if host := head["Host"]; host != "" {
				r.Host = host
			}
			w := httptest.NewRecorder()
			status.Handler(board()).ServeHTTP(w, r)
			if w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), "transcripts") {
				t.Errorf("%s with %v: %d %s", path, head, w.Code, w.Body)
			}
		}
	}
}

// TestSummary has a person's page ask how each source stands, and learn no name.
func TestSummary(t *testing.T) {
	b := board()
	l, err := status.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- status.Serve(ctx, l, b, slog.New(slog.DiscardHandler)) }()
	got, err := status.Ask(t.Context(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	want := status.Summary{Idle: true, Transcripts: 2, Errors: got.Errors, Sources: []status.Source{{Tool: core.Codex, Records: 19, Unknown: 1, Malformed: 2, LagMS: 15}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, body := get(t, b, "/status"); strings.Contains(body, ".jsonl") {
		t.Errorf("it names a transcript: %s", body)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := status.Ask(t.Context(), l.Addr().String()); err == nil {
		t.Error("who is not there answers")
	}
	if _, err := status.Ask(t.Context(), "192.0.2.1:80"); !errors.Is(err, status.ErrRemote) {
		t.Errorf("another machine: %v", err)
	}
}
