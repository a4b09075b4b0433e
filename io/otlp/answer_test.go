package otlp_test

import (
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// answer is what is read of one with the libraries that clients use.
type answer struct {
	rejected int64
	message  string
}

func readAnswers(t *testing.T, kind string, bodies [3]string) (read [3]answer) {
	t.Helper()
	l, s, m := plogotlp.NewExportResponse(), ptraceotlp.NewExportResponse(), pmetricotlp.NewExportResponse()
	for i, r := range []interface {
		UnmarshalProto([]byte) error
		UnmarshalJSON([]byte) error
	}{l, s, m} {
		decode := r.UnmarshalProto
		if kind == kindJSON {
			decode = r.UnmarshalJSON
		}
		if err := decode([]byte(bodies[i])); err != nil {
			t.Fatal(err)
		}
	}
	read[0] = answer{l.PartialSuccess().RejectedLogRecords(), l.PartialSuccess().ErrorMessage()}
	read[1] = answer{s.PartialSuccess().RejectedSpans(), s.PartialSuccess().ErrorMessage()}
	read[2] = answer{m.PartialSuccess().RejectedDataPoints(), m.PartialSuccess().ErrorMessage()}
	return read
}

// TestAnswers has the answers of each kind read by the libraries that clients use.
func TestAnswers(t *testing.T) {
	r := start(t, "")
	for _, tt := range []struct {
		text string
		want answer
	}{{"fine", answer{}}, {"unscrubbable", answer{1, "cannot be redacted, and is not kept"}}} {
		var sent, inJSON [3]string
		sent[0], sent[1], sent[2] = protoOf(t, tt.text)
		paths := []string{"/v1/logs", "/v1/traces", "/v1/metrics"}
		for i, path := range paths {
			code, _, body := r.do(t, call{path: path, kind: kindProto, body: sent[i]})
			if code != http.StatusOK {
				t.Fatalf("%s: %d", path, code)
			}
			sent[i] = body
		}
		for i, body := range []string{
			`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"TEXT"}}]}]}]}`,
			`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"TEXT"}]}]}]}`,
			`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"TEXT","sum":{"dataPoints":[{"asInt":"1"}]}}]}]}]}`,
		} {
			_, _, inJSON[i] = r.do(t, call{path: paths[i], kind: kindJSON, body: strings.Replace(body, "TEXT", tt.text, 1)})
		}
		for kind, read := range map[string][3]answer{kindProto: readAnswers(t, kindProto, sent), kindJSON: readAnswers(t, kindJSON, inJSON)} {
			if read != [3]answer{tt.want, tt.want, tt.want} {
				t.Errorf("%s in %s: %+v", tt.text, kind, read)
			}
		}
	}
}

// TestRefusals has the reasons read as what the protocol says they are.
func TestRefusals(t *testing.T) {
	r := start(t, "")
	_, _, body := r.do(t, call{path: "/v1/nothing", kind: kindProto})
	reason := status.New(codes.OK, "").Proto()
	if err := proto.Unmarshal([]byte(body), reason); err != nil || codes.Code(reason.GetCode()) != codes.Unimplemented || !strings.Contains(reason.GetMessage(), "/v1/logs") {
		t.Errorf("got %v, %v", reason, err)
	}
}

// TestOnlyGRPC sends to the address of gRPC what is none: nothing of it is taken.
func TestOnlyGRPC(t *testing.T) {
	r := start(t, "")
	other, ignored := status.New(codes.DataLoss, "no OTLP").Proto(), status.New(codes.OK, "").Proto()
	if err := dial(t, r).Invoke(t.Context(), "/opentelemetry.proto.collector.logs.v1.LogsService/Import", other, ignored); status.Code(err) != codes.Unimplemented {
		t.Errorf("a method that there is not: %v", err)
	}
	if err := dial(t, r).Invoke(t.Context(), "/opentelemetry.proto.collector.logs.v1.LogsService/Export", other, ignored); status.Code(err) != codes.InvalidArgument {
		t.Errorf("another message: %v", err)
	}
	logs, _, _ := protoOf(t, "x")
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: &protocols}}
	defer client.CloseIdleConnections()
	for _, kind := range []string{"application/proto", "application/json", "application/grpc-web+proto", "text/plain", ""} {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+r.rpc+"/opentelemetry.proto.collector.logs.v1.LogsService/Export", strings.NewReader(logs))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", kind)
		a, err := client.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("%q: %d", kind, a.StatusCode)
		}
	}
	if kept := r.kept(); len(kept) > 0 {
		t.Errorf("kept %q", kept)
	}
}
