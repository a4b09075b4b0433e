package server_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/testkit/attack"
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

// TestClientsThatTakeNothing has as many clients as there are places let no byte of their answers be sent.
// For whoever comes later the one that has waited longest gives way.
func TestClientsThatTakeNothing(t *testing.T) {
	begun := time.Now()
	var later atomic.Int64 // than the beginning
	now := func() time.Time { return begun.Add(time.Duration(later.Load())) }
	s := server.New(server.Options{Store: openStore(t), Version: "test", Now: now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler), AtOnce: 4})
	listener, err := (&server.Listening{Address: "127.0.0.1:0"}).Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, listener) }()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := attack.TakeNothing(conn, memoryv1.MemoryServiceListNamespacesProcedure, 4, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, base: "http://" + listener.Addr().String(), client: http.DefaultClient, header: http.Header{}, undocumented: true}
	p.want("PUT", "/v1/namespaces/team", `{}`, http.StatusTooManyRequests)
	later.Store(int64(2 * time.Second))
	for i := range 8 {
		p.want("POST", "/v1/search", `{"namespaces":["team"]}`, http.StatusNotFound)
		p.want("PUT", fmt.Sprintf("/v1/namespaces/team%d", i), `{}`, http.StatusCreated)
	}
	conn.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
