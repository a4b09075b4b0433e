package otlp_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/memscribe/memscribe/testkit/attack"
)

const exportLogs = "/opentelemetry.proto.collector.logs.v1.LogsService/Export"

// raw is a message of gRPC that is sent as it is.
type raw struct{ bytes []byte }

// rawCodec sends and receives [raw] messages.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }

func (rawCodec) Marshal(v any) ([]byte, error) {
	m, ok := v.(*raw)
	if !ok {
		return nil, fmt.Errorf("a %T", v)
	}
	return m.bytes, nil
}

func (rawCodec) Unmarshal(b []byte, v any) error {
	m, ok := v.(*raw)
	if !ok {
		return fmt.Errorf("a %T", v)
	}
	m.bytes = bytes.Clone(b)
	return nil
}

// callRaw sends the bytes of a message to a method.
func callRaw(ctx context.Context, c *grpc.ClientConn, method string, message []byte, options ...grpc.CallOption) error {
	return c.Invoke(ctx, method, &raw{message}, &raw{}, append(options, grpc.ForceCodec(rawCodec{}))...)
}

// deep is a request of one log record whose body is a list in a list, so many levels deep. Heads are written from
// the outermost to the innermost.
func deep(levels int) []byte {
	sizes := make([]int, 2*levels+1)
	sizes[2*levels] = 3
	for i := 2*levels - 1; i >= 0; i-- {
		sizes[i] = 1 + protowire.SizeBytes(sizes[i+1])
	}
	value := make([]byte, 0, sizes[0])
	for i := range 2 * levels {
		number := protowire.Number(5)
		if i%2 == 1 {
			number = 1
		}
		value = protowire.AppendVarint(protowire.AppendTag(value, number, protowire.BytesType), uint64(sizes[i+1]))
	}
	return inRecord(append(value, 10, 1, 'x'))
}

// inRecord is a request of one log record with a body.
func inRecord(body []byte) []byte {
	for _, number := range []protowire.Number{5, 2, 2, 1} { // body, log_records, scope_logs, resource_logs
		body = protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), body)
	}
	return body
}

// TestDeepMessages sends values in values. Those that are deeper than any client nests are
// refused for good, and cost neither the stack nor the next client anything.
func TestDeepMessages(t *testing.T) {
	r := start(t, "")
	c := dial(t, r)
	if err := callRaw(t.Context(), c, exportLogs, deep(20)); err != nil || len(r.kept()) != 1 {
		t.Errorf("twenty deep: %v", err)
	}
	for _, levels := range []int{2_000, 100_000, 800_000} {
		message := deep(levels)
		if err := callRaw(t.Context(), c, exportLogs, message); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%d deep, %d bytes, by gRPC: %v", levels, len(message), err)
		}
		if code, _, body := r.do(t, call{path: "/v1/logs", kind: kindProto, body: string(message)}); code != http.StatusBadRequest {
			t.Errorf("%d deep by HTTP: %d %.100s", levels, code, body)
		}
		list := strings.Repeat(`{"arrayValue":{"values":[`, levels/10) + `{}` + strings.Repeat(`]}}`, levels/10)
		if code, _, body := r.do(t, call{path: "/v1/logs", kind: kindJSON, body: strings.Replace(oneLog, `{"stringValue":"a secret"}`, list, 1)}); levels > 10_000 && code != http.StatusBadRequest {
			t.Errorf("%d deep in JSON: %d %.100s", levels/10, code, body)
		}
	}
	r.kept()
	if err := callRaw(t.Context(), c, exportLogs, deep(1)); err != nil || len(r.kept()) != 1 {
		t.Errorf("afterwards: %v", err)
	}
}

// TestBadUTF8 sends what is no text where texts are. What is kept is JSON in UTF-8.
func TestBadUTF8(t *testing.T) {
	r := start(t, "")
	c := dial(t, r)
	ld := plog.NewLogs()
	rl := ld.ResourceLogs().AppendEmpty()
	rl.Resource().Attributes().PutStr("k\xff\xfe", "v\xc3\x28\xed\xa0\x80")
	record := rl.ScopeLogs().AppendEmpty().LogRecords().AppendEmpty()
	record.Body().SetStr("a \xf0\x28\x8c\x28 \x00\x1b]52;c;\x07 secret\xff")
	record.SetEventName("\xfe\u2028")
	record.SetSeverityText("\xff")
	if _, err := plogotlp.NewGRPCClient(c).Export(t.Context(), plogotlp.NewExportRequestFromLogs(ld)); err != nil {
		t.Fatal(err)
	}
	kept := r.kept()
	if len(kept) != 1 || !utf8.ValidString(kept[0]) || !json.Valid([]byte(kept[0])) || strings.ContainsAny(kept[0], "\n\x00\x1b") {
		t.Errorf("kept %q", kept)
	}
	// A name of a method, a header and a message of an error are no text either.
	bad := metadata.AppendToOutgoingContext(t.Context(), "x-bin", "\xff\xfe")
	if err := callRaw(bad, c, exportLogs, []byte("\xff\xff\xff\xff")); status.Code(err) != codes.InvalidArgument {
		t.Errorf("garbage: %v", err)
	}
	if err := callRaw(t.Context(), c, "/\x80\xff/Export", nil); err == nil {
		t.Error("a method without a name is taken")
	}
}

// TestWrongTokensByGRPC has the receiver refuse whoever has not exactly the token, before it
// reads a message.
func TestWrongTokensByGRPC(t *testing.T) {
	r := start(t, "t0ken-of-this-test")
	c := dial(t, r)
	long := someLogs(strings.Repeat("x", 1<<20))
	for _, given := range [][]string{
		nil,
		{""},
		{"Bearer"},
		{"Bearer "},
		{"Bearer t0ken-of-this-tes"},
		{"Bearer t0ken-of-this-testx"},
		{"Bearer  t0ken-of-this-test"},
		{"Basic t0ken-of-this-test"},
		{"t0ken-of-this-test"},
		{"Bearer t0ken-of-this-test", "Bearer t0ken-of-this-test"},
		{"Bearer x", "Bearer t0ken-of-this-test"},
	} {
		ctx := t.Context()
		for _, g := range given {
			ctx = metadata.AppendToOutgoingContext(ctx, "authorization", g)
		}
		if _, err := plogotlp.NewGRPCClient(c).Export(ctx, long); status.Code(err) != codes.Unauthenticated {
			t.Errorf("%q: %v", given, err)
		}
	}
	if kept := r.kept(); len(kept) > 0 {
		t.Errorf("kept %d lines", len(kept))
	}
}

// TestManyStreams makes thousands of calls over some connections at once. Each is answered, with
// what it may be answered with.
func TestManyStreams(t *testing.T) {
	r := start(t, "")
	const connections, calls = 8, 500
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[codes.Code]int{}
	for range connections {
		client := plogotlp.NewGRPCClient(dial(t, r))
		for range calls {
			all.Go(func() {
				_, err := client.Export(t.Context(), someLogs("x"))
				mu.Lock()
				defer mu.Unlock()
				got[status.Code(err)]++
			})
		}
	}
	all.Wait()
	if got[codes.OK]+got[codes.Unavailable] != connections*calls || got[codes.OK] != len(r.kept()) || got[codes.OK] == 0 {
		t.Errorf("answers %v", got)
	}
}

// TestFramesThatLie sends messages that are not what their frame says.
func TestFramesThatLie(t *testing.T) {
	r := start(t, "")
	body, err := someLogs("x").MarshalProto()
	if err != nil {
		t.Fatal(err)
	}
	frame := func(flag byte, size int, message []byte) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{flag}, uint32(size)), message...)
	}
	for name, tt := range map[string]struct {
		sent     []byte
		encoding string
		codes    string // that it may be answered with
	}{
		"no frame":                  {nil, "", "3 12"},
		"half a head":               {[]byte{0, 0}, "", "13"},
		"a longer one":              {frame(0, len(body)+1, body), "", "13"},
		"a shorter one":             {frame(0, len(body)-1, body), "", "13"},
		"four gigabytes":            {frame(0, 1<<32-1, body), "", "3 8"},
		"two of them":               {append(frame(0, len(body), body), frame(0, len(body), body)...), "", "3 12"},
		"packed, as nothing says":   {frame(1, len(body), body), "", "3 13"},
		"packed, which it is not":   {frame(1, len(body), body), "gzip", "3"},
		"packed as nothing knows":   {frame(1, len(body), body), "br", "12"},
		"flags that do not exist":   {frame(0xfe, len(body), body), "", "3 13"},
		"packed and unpacked again": {frame(1, len(gzipped(t, gzipped(t, string(body)))), []byte(gzipped(t, gzipped(t, string(body))))), "gzip", "3"},
	} {
		if got := r.send(t, tt.sent, map[string]string{"Grpc-Encoding": tt.encoding}); !strings.Contains(" "+tt.codes+" ", " "+got+" ") {
			t.Errorf("%s: answered with %q, want one of %s", name, got, tt.codes)
		}
		if kept := r.kept(); len(kept) > 0 {
			t.Errorf("%s: kept %d lines", name, len(kept))
		}
	}
}

// send posts the bytes of a call by gRPC, and returns the status that it is answered with.
func (r *rig) send(t *testing.T, body []byte, header map[string]string) string {
	t.Helper()
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &protocols}
	defer transport.CloseIdleConnections()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+r.rpc+exportLogs, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/grpc")
	for k, v := range header {
		if v != "" {
			q.Header.Set(k, v)
		}
	}
	answer, err := transport.RoundTrip(q)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	if _, err := new(bytes.Buffer).ReadFrom(answer.Body); err != nil {
		return err.Error()
	}
	if s := answer.Trailer.Get("Grpc-Status"); s != "" {
		return s
	}
	if s := answer.Header.Get("Grpc-Status"); s != "" {
		return s
	}
	return answer.Status
}

// TestLongHeaders: what a client may send besides a message is bounded, by HTTP and by gRPC.
func TestLongHeaders(t *testing.T) {
	r := start(t, "")
	long := strings.Repeat("x", 200<<10)
	if code, _, _ := r.do(t, call{path: "/v1/logs", kind: kindJSON, body: oneLog, header: map[string]string{"X-Long": long}}); code != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("by HTTP: %d", code)
	}
	body, err := someLogs("x").MarshalProto()
	if err != nil {
		t.Fatal(err)
	}
	sent := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body))), body...)
	if got := r.send(t, sent, map[string]string{"X-Long": long}); got == "0" {
		t.Error("by gRPC it is taken")
	}
	if kept := r.kept(); len(kept) > 0 {
		t.Errorf("kept %d lines", len(kept))
	}
}

// TestClientsThatTakeNothing has clients that let nothing be sent to them take all places. Everybody else
// is served.
func TestClientsThatTakeNothing(t *testing.T) {
	r := start(t, "")
	body, err := someLogs("x").MarshalProto()
	if err != nil {
		t.Fatal(err)
	}
	takeNothing(t, r.rpc, 32, append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body))), body...))
	if kept := r.kept(); len(kept) != 32 {
		t.Fatalf("kept %d lines", len(kept))
	}
	if _, err := plogotlp.NewGRPCClient(dial(t, r)).Export(t.Context(), someLogs("x")); err != nil {
		t.Errorf("by gRPC: %v", err)
	}
	if code, _, answer := r.do(t, call{path: "/v1/logs", kind: kindJSON, body: oneLog}); code != http.StatusOK {
		t.Errorf("by HTTP: %d %s", code, answer)
	}
}

// takeNothing makes calls over a connection whose windows are shut.
func takeNothing(t *testing.T, address string, calls int, message []byte) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if err := attack.TakeNothing(conn, exportLogs, calls, message); err != nil {
		t.Fatal(err)
	}
}
