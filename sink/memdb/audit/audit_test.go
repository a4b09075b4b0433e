package audit_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/audit"
)

func entry(n int, status string) *audit.Entry {
	return &audit.Entry{
		Time: time.Unix(1_795_000_000, int64(n)).UTC(), Token: "ann", Call: "WriteMemory", Namespace: "team", Session: "s", Agent: "reviewer",
		Params: audit.Hash("WriteMemory", "zebra"), Status: status,
	}
}

// TestHash pins the form of the hash: others work it out to find an entry.
func TestHash(t *testing.T) {
	const want = "7ec568c07d76ebb3377bc0a4d62c39059da6ed2ed947a15d4f33c4781bfbcf3d"
	if got := audit.Hash("ForgetMemory", "decision:1"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFile appends to a file that only its owner may read.
func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "audit.ndjson")
	for range 2 { // a server that starts again
		trail, err := audit.Open(t.Context(), name, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		trail.Add(entry(1, "ok"))
		trail.Add(entry(2, "forbidden"))
		if err := trail.Close(); err != nil {
			t.Fatal(err)
		}
		trail.Add(entry(3, "ok")) // after the end: it is dropped, and nothing breaks
		if err := trail.Close(); err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := `"token":"ann","call":"WriteMemory","namespace":"team","session_id":"s","agent_id":"reviewer","params_sha256":"` + audit.Hash("WriteMemory", "zebra") + `","status":"forbidden"}`
	if got := strings.Count(string(text), "\n"); got != 4 || strings.Count(string(text), want) != 2 || strings.Contains(string(text), "zebra") {
		t.Errorf("%d lines: %s", got, text)
	}
}

// endpoint keeps what is posted.
type endpoint struct {
	lock   sync.Mutex
	bodies [][]byte
	paths  []string
	status int
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.lock.Lock()
	defer e.lock.Unlock()
	e.bodies, e.paths = append(e.bodies, body), append(e.paths, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type"))
	w.WriteHeader(e.status)
}

// post sends so many entries to an endpoint, and returns what the log says.
func post(t *testing.T, e *endpoint, scheme, path string, n int) string {
	t.Helper()
	h := httptest.NewServer(e)
	defer h.Close()
	var said bytes.Buffer
	trail, err := audit.Open(t.Context(), scheme+strings.TrimPrefix(h.URL, "http")+path, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		trail.Add(entry(i, "ok"))
	}
	if err := trail.Close(); err != nil {
		t.Error(err)
	}
	return said.String()
}

// TestHTTP posts lines of JSON: every entry once, in order.
func TestHTTP(t *testing.T) {
	e := &endpoint{status: http.StatusAccepted}
	if said := post(t, e, "http", "/audit", 1000); said != "" {
		t.Error(said)
	}
	d := json.NewDecoder(bytes.NewReader(bytes.Join(e.bodies, nil)))
	n := 0
	for ; d.More(); n++ {
		var got audit.Entry
		if err := d.Decode(&got); err != nil || got.Time.Nanosecond() != n {
			t.Fatalf("entry %d: %+v, %v", n, got, err)
		}
	}
	if n != 1000 || e.paths[0] != "POST /audit application/x-ndjson" {
		t.Errorf("%d entries, %s", n, e.paths[0])
	}
	e = &endpoint{status: http.StatusServiceUnavailable}
	if said := post(t, e, "http", "/audit", 1); !strings.Contains(said, "audit entries are lost") || !strings.Contains(said, "503") {
		t.Errorf("refused: %q", said)
	}
}

// TestOTLP posts logs of OpenTelemetry.
func TestOTLP(t *testing.T) {
	e := &endpoint{status: http.StatusOK}
	if said := post(t, e, "otlp+http", "", 1); said != "" || len(e.bodies) != 1 {
		t.Fatalf("%q, %d bodies", said, len(e.bodies))
	}
	if e.paths[0] != "POST /v1/logs application/json" {
		t.Error(e.paths[0])
	}
	for _, want := range []string{
		`{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"memscribe-memdb"}}]},"scopeLogs":[{"scope":{"name":"memscribe.memdb.audit"},"logRecords":[`,
		`"timeUnixNano":"1795000000000000000","severityText":"INFO","severityNumber":9,"body":{"stringValue":"WriteMemory"}`,
		`{"key":"memdb.params_sha256","value":{"stringValue":"` + audit.Hash("WriteMemory", "zebra") + `"}}`,
	} {
		if !strings.Contains(string(e.bodies[0]), want) {
			t.Errorf("no %s in\n%s", want, e.bodies[0])
		}
	}
}

// TestNobodyWaits has an endpoint answer nothing while much more is added than is
// kept: who adds never waits, and the log says how much was given up.
func TestNobodyWaits(t *testing.T) {
	held := make(chan struct{})
	h := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	defer h.Close()
	var said bytes.Buffer
	trail, err := audit.Open(t.Context(), h.URL, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10_000 {
		trail.Add(entry(i, "ok"))
	}
	close(held)
	if err := trail.Close(); err != nil {
		t.Error(err)
	}
	lost := strings.Count(said.String(), "more comes than can be delivered")
	if lost < 10_000-4096-256-256 || lost > 10_000-4096 {
		t.Errorf("%d of 10000 are given up", lost)
	}
}

// TestPlaces refuses what is no place.
func TestPlaces(t *testing.T) {
	for _, place := range []string{"ftp://x", "http://", "http://ann:secret@x", filepath.Join(t.TempDir(), "no", "such")} {
		if _, err := audit.Open(t.Context(), place, slog.New(slog.DiscardHandler)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", place, err)
		}
	}
}
