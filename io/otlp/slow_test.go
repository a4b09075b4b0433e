package otlp_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
)

// slowly begins to send a request by HTTP, and returns when the receiver reads it.
// The rest never comes.
func slowly(t *testing.T, address string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /v1/logs HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n", address)
	if err != nil {
		t.Fatal(err)
	}
	said, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(said, "100 Continue") {
		t.Fatalf("%q, %v", said, err)
	}
	if _, err := conn.Write([]byte("{")); err != nil {
		t.Fatal(err)
	}
}

// TestSlowBodies has more clients than there are places send bodies that never
// end. Everybody else is served.
func TestSlowBodies(t *testing.T) {
	r := start(t, "")
	for range 40 {
		slowly(t, r.web)
	}
	if code, _, answer := r.do(t, call{path: "/v1/logs", kind: kindJSON, body: oneLog}); code != http.StatusOK {
		t.Errorf("by HTTP: %d %s", code, answer)
	}
	if _, err := plogotlp.NewGRPCClient(dial(t, r)).Export(t.Context(), someLogs("x")); err != nil {
		t.Errorf("by gRPC: %v", err)
	}
	if kept := r.kept(); len(kept) != 2 {
		t.Errorf("%d lines were kept", len(kept))
	}
}
