package otlp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip" // most clients compress
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/io/otlp"
	"github.com/memscribe/memscribe/testkit/size"
)

// shared is the folder of recordings, beside the repository.
const shared = "../../../shared"

// rig is a receiver that runs, and what it was given.
type rig struct {
	web, rpc string

	mu    sync.Mutex
	lines []string
	full  error // what keeping fails with
	log   string
	hold  chan struct{}
}

func (r *rig) keep(_ context.Context, lines ...[]byte) error {
	if r.hold != nil {
		<-r.hold
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full != nil {
		return r.full
	}
	for _, l := range lines {
		r.lines = append(r.lines, string(l))
	}
	return nil
}

// Write takes what is logged.
func (r *rig) Write(message []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log += string(message)
	return len(message), nil
}

func (r *rig) logged() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log
}

func (r *rig) kept() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := r.lines
	r.lines = nil
	return lines
}

// scrub takes the word "secret" out, fails on "unscrubbable" and breaks on
// "poison".
func scrub(value []byte) ([]byte, error) {
	if bytes.Contains(value, []byte("poison")) {
		panic("cannot think of " + string(value))
	}
	if bytes.Contains(value, []byte("unscrubbable")) {
		return nil, errors.New("broken")
	}
	return bytes.ReplaceAll(value, []byte("secret"), []byte("[REDACTED]")), nil
}

func start(t testing.TB, token string) *rig {
	t.Helper()
	r := &rig{}
	var guard local.Guard
	if token != "" {
		guard.TokenFile = filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(guard.TokenFile, []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	receiver, err := otlp.Listen(t.Context(), otlp.Options{
		HTTP: "127.0.0.1:0", GRPC: "localhost:0", Guard: guard, Keep: r.keep, Scrub: scrub, Now: time.Now, Log: slog.New(slog.NewTextHandler(r, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	r.web, r.rpc = receiver.Addresses()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- receiver.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return r
}

// call is one request by HTTP.
type call struct {
	method, path, kind, body string
	header                   map[string]string
	host                     string
}

func (r *rig) do(t testing.TB, c call) (code int, header http.Header, body string) {
	t.Helper()
	if c.method == "" {
		c.method = http.MethodPost
	}
	q, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+r.web+c.path, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", c.kind)
	for k, v := range c.header {
		q.Header.Set(k, v)
	}
	if c.host != "" {
		q.Host = c.host
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(b)
}

const (
	kindJSON  = "application/json"
	kindProto = "application/x-protobuf"
	oneLog    = `{"resourceLogs":[{"resource":{},"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a secret"},"newField":1}]}]}]}`
)

func gzipped(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(s))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func protoOf(t *testing.T, text string) (logs, traces, metrics string) {
	t.Helper()
	ld := plog.NewLogs()
	ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty().Body().SetStr(text)
	td := ptrace.NewTraces()
	span := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty()
	span.SetName(text)
	span.SetTraceID([16]byte{1})
	md := pmetric.NewMetrics()
	m := md.ResourceMetrics().AppendEmpty().ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName(text)
	m.SetEmptySum().DataPoints().AppendEmpty().SetIntValue(1)
	a, err1 := plogotlp.NewExportRequestFromLogs(ld).MarshalProto()
	b, err2 := ptraceotlp.NewExportRequestFromTraces(td).MarshalProto()
	c, err3 := pmetricotlp.NewExportRequestFromMetrics(md).MarshalProto()
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	return string(a), string(b), string(c)
}

// attempt is a call by HTTP, and what must come of it.
type attempt struct {
	name   string
	call   call
	code   int
	answer string // part of it
	kept   string // part of the line; "" is none
}

// try makes the calls, one after another.
func (r *rig) try(t *testing.T, tests []attempt) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, header, body := r.do(t, tt.call)
			if code != tt.code || !strings.Contains(body, tt.answer) {
				t.Errorf("got %d %q", code, body)
			}
			if kind := header.Get("Content-Type"); code == 200 && !strings.HasPrefix(tt.call.kind, kind) {
				t.Errorf("answered in %s", kind)
			}
			lines := r.kept()
			switch {
			case tt.kept == "" && len(lines) > 0:
				t.Errorf("kept %q", lines)
			case tt.kept != "" && (len(lines) != 1 || !strings.Contains(lines[0], tt.kept)):
				t.Errorf("kept %q, want %q", lines, tt.kept)
			}
		})
	}
}

func TestHTTP(t *testing.T) {
	r := start(t, "")
	logs, traces, metrics := protoOf(t, "a secret")
	two := strings.Replace(oneLog, `"resource":{}`, `"resource":{"attributes":[{"key":"k","value":{"intValue":1.5}}]}`, 1)
	r.try(t, []attempt{
		{"JSON, as it came", call{path: "/v1/logs", kind: kindJSON, body: oneLog}, 200, "{", `"a [REDACTED]"},"newField":1`},
		{"parameters and a slash", call{path: "/v1/logs/", kind: kindJSON + "; charset=utf-8", body: oneLog}, 200, "", "REDACTED"},
		{"compressed", call{path: "/v1/logs", kind: kindJSON, body: gzipped(t, oneLog), header: map[string]string{"Content-Encoding": "gzip"}}, 200, "", "REDACTED"},
		{"no path", call{path: "/", kind: kindJSON, body: oneLog}, 200, "", "REDACTED"},
		{"spans where logs go", call{path: "/v1/logs", kind: kindJSON, body: `{"resourceSpans":[{}]}`}, 200, "", "resourceSpans"},
		{"not quite the protocol", call{path: "/v1/logs", kind: kindJSON, body: two}, 200, "kept as it came", "intValue"},
		{"nothing", call{path: "/v1/traces", kind: kindJSON, body: `{"resourceSpans":[]}`}, 200, "", ""},
		{"nothing at all", call{path: "/v1/traces", kind: kindJSON, body: `{}`}, 200, "", ""},
		{"protobuf logs", call{path: "/v1/logs", kind: kindProto, body: logs}, 200, "", `"a [REDACTED]"`},
		{"protobuf traces", call{path: "/v1/traces", kind: kindProto, body: traces}, 200, "", `"name":"a [REDACTED]"`},
		{"protobuf metrics", call{path: "/v1/metrics", kind: kindProto, body: metrics}, 200, "", `resourceMetrics`},
		{"empty protobuf", call{path: "/v1/metrics", kind: kindProto}, 200, "", ""},
		{"cannot be redacted", call{path: "/v1/logs", kind: kindJSON, body: strings.Replace(oneLog, "a secret", "unscrubbable", 1)}, 200, `"rejectedLogRecords":"1"`, ""},

		{"garbage", call{path: "/v1/logs", kind: kindJSON, body: `{"resourceLogs":`}, 400, `"code":3`, ""},
		{"another document", call{path: "/v1/logs", kind: kindJSON, body: `{"a":1}`}, 400, "not an OTLP request", ""},
		{"garbage in protobuf", call{path: "/v1/logs", kind: kindProto, body: "\xff\xff\xff"}, 400, "", ""},
		{"not compressed", call{path: "/v1/logs", kind: kindJSON, body: oneLog, header: map[string]string{"Content-Encoding": "gzip"}}, 400, "", ""},
		{"unknown compression", call{path: "/v1/logs", kind: kindJSON, body: oneLog, header: map[string]string{"Content-Encoding": "br"}}, 415, "gzip", ""},
		{"unknown kind", call{path: "/v1/logs", kind: "text/plain", body: oneLog}, 415, "", ""},
		{"unknown path", call{path: "/v2/logs", kind: kindJSON, body: oneLog}, 404, "", ""},
		{"not posted", call{method: http.MethodGet, path: "/v1/logs", kind: kindJSON}, 405, "", ""},
		{"a page", call{path: "/v1/logs", kind: kindJSON, body: oneLog, header: map[string]string{"Origin": "http://x"}}, 403, "", ""},
		{"a page that was bound to this address", call{path: "/v1/logs", kind: kindJSON, body: oneLog, host: "evil.example:4318"}, 403, "", ""},
	})
}

// TestHTTPLimits sends more than the receiver takes.
func TestHTTPLimits(t *testing.T) {
	size.NeedsNoDetector(t) // one call after another, of megabytes
	start(t, "").try(t, []attempt{
		{"longer than the limit", call{
			path: "/v1/logs", kind: kindJSON, body: gzipped(t, `{"resourceLogs":"`+strings.Repeat(" ", 17<<20)+`"}`), header: map[string]string{"Content-Encoding": "gzip"},
		}, 413, "", ""},
		{"more values than are sane", call{
			path: "/v1/logs", kind: kindJSON, body: gzipped(t, `{"resourceLogs":[`+strings.Repeat("{},", 1<<20)+`{}]}`), header: map[string]string{"Content-Encoding": "gzip"},
		}, 400, "too many values", ""},
		{"more records than are sane in protobuf", call{
			path: "/v1/logs", kind: kindProto, body: gzipped(t, strings.Repeat("\n\x00", 3<<20)), header: map[string]string{"Content-Encoding": "gzip"},
		}, 400, "more than 524288 values", ""},
		{"longer than the limit in protobuf", call{
			path: "/v1/logs", kind: kindProto, body: gzipped(t, strings.Repeat("\n\x00", 5<<20)), header: map[string]string{"Content-Encoding": "gzip"},
		}, 413, "limit in protobuf", ""},
	})
}

// TestNotNow has the disk be full: a client must be told to come again, and may.
func TestNotNow(t *testing.T) {
	r := start(t, "")
	r.full = errors.New("no space left")
	code, header, _ := r.do(t, call{path: "/v1/logs", kind: kindJSON, body: oneLog})
	if code != 503 || header.Get("Retry-After") == "" {
		t.Errorf("by HTTP: got %d, %v", code, header)
	}
	_, err := plogotlp.NewGRPCClient(dial(t, r)).Export(t.Context(), someLogs("x"))
	if status.Code(err) != codes.Unavailable {
		t.Errorf("by gRPC: got %v", err)
	}
	r.full = nil
	if code, _, _ = r.do(t, call{path: "/v1/logs", kind: kindJSON, body: oneLog}); code != 200 || len(r.kept()) != 1 {
		t.Errorf("afterwards: got %d", code)
	}
}

// TestTooMany has all places be taken.
func TestTooMany(t *testing.T) {
	r := start(t, "")
	r.hold = make(chan struct{})
	const many = 100
	codes := make(chan int, many)
	for range many {
		go func() {
			code, _, _ := r.do(t, call{path: "/v1/logs", kind: kindJSON, body: oneLog})
			codes <- code
		}()
	}
	refused := 0
	for range many - 32 {
		if code := <-codes; code == 503 {
			refused++
		}
	}
	close(r.hold)
	for range 32 {
		if code := <-codes; code != 200 {
			t.Errorf("got %d", code)
		}
	}
	if refused != many-32 || len(r.kept()) != 32 {
		t.Errorf("refused %d of %d", refused, many)
	}
}

func dial(t *testing.T, r *rig) *grpc.ClientConn {
	t.Helper()
	c, err := grpc.NewClient(r.rpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func someLogs(text string) plogotlp.ExportRequest {
	ld := plog.NewLogs()
	ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty().Body().SetStr(text)
	return plogotlp.NewExportRequestFromLogs(ld)
}

func TestGRPC(t *testing.T) {
	r := start(t, "")
	c := dial(t, r)
	ctx := t.Context()
	if _, err := plogotlp.NewGRPCClient(c).Export(ctx, someLogs("a secret"), grpc.UseCompressor("gzip")); err != nil {
		t.Error(err)
	}
	td := ptrace.NewTraces()
	td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty().SetName("s")
	if _, err := ptraceotlp.NewGRPCClient(c).Export(ctx, ptraceotlp.NewExportRequestFromTraces(td)); err != nil {
		t.Error(err)
	}
	md := pmetric.NewMetrics()
	md.ResourceMetrics().AppendEmpty()
	if _, err := pmetricotlp.NewGRPCClient(c).Export(ctx, pmetricotlp.NewExportRequestFromMetrics(md)); err != nil {
		t.Error(err)
	}
	got := strings.Join(r.kept(), "\n")
	for _, want := range []string{`"a [REDACTED]"`, `"name":"s"`, "resourceMetrics"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	answer, err := plogotlp.NewGRPCClient(c).Export(ctx, someLogs("unscrubbable"))
	if err != nil || answer.PartialSuccess().RejectedLogRecords() != 1 || answer.PartialSuccess().ErrorMessage() == "" {
		t.Errorf("got %v, %v", answer, err)
	}
	if _, err := plogotlp.NewGRPCClient(c).Export(ctx, someLogs(strings.Repeat("x", 5<<20))); err != nil {
		t.Errorf("five megabytes: %v", err)
	}
	if _, err := plogotlp.NewGRPCClient(c).Export(ctx, someLogs(strings.Repeat("x", 65<<20))); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("more than the limit: %v", err)
	}
}

// TestBroken sends what the program breaks on: the client is told not to come
// again with it, the log says what happened, and others are served.
func TestBroken(t *testing.T) {
	r := start(t, "")
	c := plogotlp.NewGRPCClient(dial(t, r))
	for range 2 {
		code, header, body := r.do(t, call{path: "/v1/logs", kind: kindJSON, body: strings.Replace(oneLog, "a secret", "poison", 1)})
		if code != 500 || header.Get("Retry-After") != "" || !strings.Contains(body, "a fault of the program") || strings.Contains(body, "poison") {
			t.Errorf("by HTTP: got %d %s", code, body)
		}
		if _, err := c.Export(t.Context(), someLogs("poison")); status.Code(err) != codes.Internal || strings.Contains(err.Error(), "poison") {
			t.Errorf("by gRPC: got %v", err)
		}
	}
	if log := r.logged(); strings.Count(log, "fault of the program: cannot think of ") != 4 {
		t.Errorf("logged:\n%s", log)
	}
	if _, err := c.Export(t.Context(), someLogs("x")); err != nil || len(r.kept()) != 1 {
		t.Errorf("afterwards: %v", err)
	}
}

func TestToken(t *testing.T) {
	r := start(t, "t0ken-of-this-test")
	bearer := map[string]string{"Authorization": "Bearer t0ken-of-this-test"}
	for _, tt := range []struct {
		header map[string]string
		code   int
	}{{nil, 401}, {map[string]string{"Authorization": "Bearer other"}, 401}, {bearer, 200}} {
		if code, _, _ := r.do(t, call{path: "/v1/logs", kind: kindJSON, body: oneLog, header: tt.header, host: "collector.example"}); code != tt.code {
			t.Errorf("%v: got %d", tt.header, code)
		}
	}
	c := plogotlp.NewGRPCClient(dial(t, r))
	if _, err := c.Export(t.Context(), someLogs("x")); status.Code(err) != codes.Unauthenticated {
		t.Errorf("got %v", err)
	}
	if _, err := c.Export(metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer t0ken-of-this-test"), someLogs("x")); err != nil {
		t.Error(err)
	}
}

func TestListen(t *testing.T) {
	for address, open := range map[string]bool{"0.0.0.0:0": true, ":0": true, "[::]:0": true, "192.0.2.1:0": true, "nonsense": false} {
		_, err := otlp.Listen(t.Context(), otlp.Options{HTTP: address})
		if err == nil || errors.Is(err, local.ErrOpen) != open {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

// TestRecordings posts what real clients posted: all of it is taken, and nothing
// but telemetry comes out.
func TestRecordings(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shared, "transcripts/otlp/*/*/*/*.headers.json"))
	if len(files) == 0 {
		t.Skipf("no recordings at %s", shared)
	}
	r := start(t, "")
	for _, f := range files {
		var recorded struct {
			Path    string
			Headers [][2]string
		}
		head, err1 := os.ReadFile(f)
		body, err2 := os.ReadFile(strings.TrimSuffix(f, ".headers.json") + ".body")
		if err := errors.Join(err1, err2, json.Unmarshal(head, &recorded)); err != nil {
			t.Fatal(err)
		}
		c := call{path: recorded.Path, body: string(body), header: map[string]string{}}
		for _, h := range recorded.Headers {
			switch strings.ToLower(h[0]) {
			case "content-type":
				c.kind = h[1]
			case "content-encoding":
				c.header[h[0]] = h[1]
			}
		}
		code, _, answer := r.do(t, c)
		lines := r.kept()
		if code != 200 || len(lines) == 0 || strings.Contains(answer, "kept as it came") {
			t.Errorf("%s: got %d %q, %d lines", f, code, answer, len(lines))
		}
		for _, l := range lines {
			var v map[string]json.RawMessage
			if err := json.Unmarshal([]byte(l), &v); err != nil || len(v) != 1 {
				t.Errorf("%s: %v in %.100s", f, err, l)
			}
			for key := range v {
				if !slices.Contains([]string{"resourceLogs", "resourceSpans", "resourceMetrics"}, key) {
					t.Errorf("%s: %s", f, key)
				}
			}
		}
	}
}
