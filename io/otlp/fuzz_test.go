package otlp_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

// FuzzRequest sends any bytes as telemetry, in each form. They are kept or refused for good, never
// with an error of the receiver's own, and what is kept is a line of JSON each.
func FuzzRequest(f *testing.F) {
	logs, traces := plog.NewLogs(), ptrace.NewTraces()
	logs.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty().Body().SetStr("a secret")
	traces.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans().AppendEmpty().SetName("a name")
	byLogs, err := plogotlp.NewExportRequestFromLogs(logs).MarshalProto()
	if err != nil {
		f.Fatal(err)
	}
	byTraces, err := ptraceotlp.NewExportRequestFromTraces(traces).MarshalProto()
	if err != nil {
		f.Fatal(err)
	}
	paths := []string{"/v1/logs", "/v1/traces", "/v1/metrics"}
	kinds := []string{kindJSON, kindProto, "text/plain"}
	packings := []string{"", "gzip", "zstd", "deflate", "br"}
	f.Add(uint8(0), uint8(0), uint8(0), []byte(oneLog))
	f.Add(uint8(1), uint8(0), uint8(0), []byte(oneLog))
	f.Add(uint8(0), uint8(0), uint8(1), []byte(gzipped(f, oneLog)))
	f.Add(uint8(0), uint8(0), uint8(1), []byte(oneLog))
	f.Add(uint8(0), uint8(0), uint8(2), []byte("\x28\xb5\x2f\xfd\x04\x00"))
	f.Add(uint8(0), uint8(1), uint8(0), byLogs)
	f.Add(uint8(1), uint8(1), uint8(0), byTraces)
	f.Add(uint8(2), uint8(1), uint8(0), byLogs[:len(byLogs)-3])
	f.Add(uint8(0), uint8(0), uint8(0), []byte(`{"resourceLogs":[[[[{}]]]]}`))
	f.Add(uint8(0), uint8(0), uint8(0), []byte("{\"resourceLogs\":[{\"a\":\"\xff\\ud800\"}]}\n{}"))
	r := start(f, "")
	f.Fuzz(func(t *testing.T, path, kind, packing uint8, body []byte) {
		code, _, said := r.do(t, call{
			path: paths[int(path)%len(paths)], kind: kinds[int(kind)%len(kinds)], body: string(body),
			header: map[string]string{"Content-Encoding": packings[int(packing)%len(packings)]},
		})
		breaks := bytes.Contains(body, []byte("poison")) || bytes.Contains(body, []byte("unscrubbable")) // the test's own scrubber
		if !slices.Contains([]int{http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType}, code) && !breaks {
			t.Fatalf("%d: %q", code, said)
		}
		for _, line := range r.kept() {
			if !json.Valid([]byte(line)) || bytes.ContainsAny([]byte(line), "\n\r") {
				t.Fatalf("kept %q", line)
			}
		}
	})
}
