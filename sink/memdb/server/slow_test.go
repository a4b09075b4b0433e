package server_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
)

// slowly begins to send a memory, and returns when the server reads it. The rest
// never comes.
func (p *peer) slowly() {
	p.t.Helper()
	address := strings.TrimPrefix(p.base, "http://")
	conn, err := new(net.Dialer).DialContext(p.t.Context(), "tcp", address)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n", memories, address)
	if err != nil {
		p.t.Fatal(err)
	}
	// The server says so when it begins to read, or why it does not.
	said, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(said, "100 Continue") {
		p.t.Fatalf("%q, %v", said, err)
	}
	if _, err := conn.Write([]byte("{")); err != nil {
		p.t.Fatal(err)
	}
}

// TestSlowBodies has as many clients as there are places send bodies that never
// end. Everybody else is served.
func TestSlowBodies(t *testing.T) {
	p := start(t)
	p.want("PUT", "/v1/namespaces/team", `{}`, http.StatusCreated)
	for range 64 {
		p.slowly()
	}
	p.want("GET", "/v1/health", "", http.StatusOK)
	p.want("POST", memories, `{"id":"a","kind":"note","content":"x"}`, http.StatusOK, `"created"`)
	p.want("GET", "/v1/memories/a?namespace=team", "", http.StatusOK)
	p.want("POST", "/v1/search", `{"namespaces":["team"]}`, http.StatusOK, `"a"`)
}
