package server_test

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// TestRPCOverTLS calls by gRPC over TLS, where the port speaks HTTP/1.1 too.
func TestRPCOverTLS(t *testing.T) {
	cert, key, pool := certificate(t)
	l := server.Listening{Address: "127.0.0.1:0", Guard: local.Guard{CertFile: cert, KeyFile: key}}
	listener, err := l.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	s := server.New(server.Options{Store: openStore(t), Version: "test", Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
	go func() { ended <- s.Run(ctx, listener) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	var protocols http.Protocols
	protocols.SetHTTP2(true)
	transport := &http.Transport{Protocols: &protocols, TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
	defer transport.CloseIdleConnections()
	c := memoryv1.NewMemoryServiceClient(&http.Client{Transport: transport}, "https://"+listener.Addr().String(), connect.WithGRPC())
	if a, err := c.ListNamespaces(t.Context(), &memoryv1.ListNamespacesRequest{}); err != nil || len(a.GetNamespaces()) != 0 {
		t.Errorf("%v, %v", a, err)
	}
}

// TestWatchAcrossServers follows a namespace at one server of a PostgreSQL while the
// other one writes: nothing is missed, nothing comes twice.
func TestWatchAcrossServers(t *testing.T) {
	database := postgres.Start(t).Database()
	open := func() calls.Store {
		t.Helper()
		s, err := pgstore.Open(t.Context(), database, pgstore.Options{Now: time.Now, Random: rand.Reader, StateDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	}
	mine, theirs := open(), open()
	here, _, _ := run(t, func(o *server.Options) { o.Store = mine })
	there, _, _ := run(t, func(o *server.Options) { o.Store = theirs })
	putNamespace(t, here, "team", "")
	w := watch(t, faces(t, here)["gRPC of connect"], &memoryv1.WatchMemoriesRequest{Namespace: "team"})
	w.wants("UNSPECIFIED")
	writer := faces(t, there)["gRPC of grpc-go"]
	for _, id := range []string{"a", "b", "c"} {
		if _, err := writer.WriteMemory(t.Context(), writing(&memoryv1.MemoryEntry{Id: id, Kind: "note", Content: "of " + id})); err != nil {
			t.Fatal(err)
		}
	}
	w.wants("WRITTEN a of a", "WRITTEN b of b", "WRITTEN c of c")
}
