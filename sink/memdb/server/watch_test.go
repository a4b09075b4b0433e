package server_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/rpc"
	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
	"github.com/memscribe/memscribe/sink/memdb/server"
)

// watcher reads a stream.
type watcher struct {
	t  *testing.T
	to *connect.ServerStreamForClient[memoryv1.WatchMemoriesResponse]
}

func watch(t *testing.T, c memoryv1.MemoryServiceClient, r *memoryv1.WatchMemoriesRequest) watcher {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	to, err := c.WatchMemories(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		to.Close()
	})
	return watcher{t, to}
}

// next is the next step, as words.
func (w watcher) next() (words string, position int64) {
	w.t.Helper()
	if !w.to.Receive() {
		w.t.Fatalf("the stream ends: %v", w.to.Err())
	}
	m := w.to.Msg()
	words = strings.TrimPrefix(m.GetAction().String(), "ACTION_") + " " + m.GetMemoryId() + " " + m.GetMemory().GetContent()
	return strings.Join(strings.Fields(words), " "), m.GetPosition()
}

func (w watcher) wants(steps ...string) (position int64) {
	w.t.Helper()
	for _, want := range steps {
		var got string
		if got, position = w.next(); got != want {
			w.t.Errorf("got %q, want %q", got, want)
		}
	}
	return position
}

// ends wants the stream to end with a status.
func (w watcher) ends(code connect.Code) {
	w.t.Helper()
	for w.to.Receive() {
		w.t.Logf("still %v", w.to.Msg())
	}
	if connect.CodeOf(w.to.Err()) != code {
		w.t.Errorf("the stream ends with %v, want %s", w.to.Err(), code)
	}
}

// TestWatch follows a namespace by several protocols: from now on, from the beginning,
// and behind where a watcher was.
func TestWatch(t *testing.T) {
	address, _, _ := run(t)
	putNamespace(t, address, "team", "")
	putNamespace(t, address, "other", "")
	for i, name := range []string{"connect", "connect, JSON", "gRPC of connect", "gRPC-Web"} {
		t.Run(name, func(t *testing.T) {
			c := faces(t, address)[name]
			id := fmt.Sprint("m", i)
			one := &memoryv1.WatchMemoriesRequest{Namespace: "team"}
			w := watch(t, c, one)
			w.wants("UNSPECIFIED") // now it watches
			write := func(namespace, content string) {
				t.Helper()
				r := writing(&memoryv1.MemoryEntry{Id: id, Kind: "note", Content: content})
				r.Namespace = namespace
				if _, err := c.WriteMemory(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			write("team", "one")
			write("other", "not theirs")
			write("team", "two")
			seen := w.wants("WRITTEN "+id+" one", "UPDATED "+id+" two")
			if _, err := c.ForgetMemory(t.Context(), &memoryv1.ForgetMemoryRequest{Namespace: "team", MemoryId: id}); err != nil {
				t.Fatal(err)
			}
			w.wants("FORGOTTEN " + id)
			again := watch(t, c, &memoryv1.WatchMemoriesRequest{Namespace: "team", After: &seen})
			again.wants("FORGOTTEN "+id, "UNSPECIFIED")
			beginning := int64(0)
			watch(t, c, &memoryv1.WatchMemoriesRequest{Namespace: "team", After: &beginning}).wants("NAMESPACE_PUT")
			for what, r := range map[string]*memoryv1.WatchMemoriesRequest{
				"before the beginning": {Namespace: "team", After: new(int64(-1))}, "behind the end": {Namespace: "team", After: new(int64(1 << 40))},
				"no name": {Namespace: "."},
			} {
				t.Log(what)
				watch(t, c, r).ends(connect.CodeInvalidArgument)
			}
			watch(t, c, &memoryv1.WatchMemoriesRequest{Namespace: "nobody"}).ends(connect.CodeNotFound)
		})
	}
}

// TestWatchOfGRPC follows by a client that shares no code with the server, and stops
// the server: it ends at once, and says so.
func TestWatchOfGRPC(t *testing.T) {
	address, _, stop := run(t)
	putNamespace(t, address, "team", "")
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	to, err := conn.NewStream(t.Context(), &grpc.StreamDesc{ServerStreams: true}, rpc.Watch)
	if err != nil {
		t.Fatal(err)
	}
	if err := to.SendMsg(&memoryv1.WatchMemoriesRequest{Namespace: "team"}); err != nil {
		t.Fatal(err)
	}
	if err := to.CloseSend(); err != nil {
		t.Fatal(err)
	}
	var m memoryv1.WatchMemoriesResponse
	if err := to.RecvMsg(&m); err != nil || m.GetPosition() != 1 {
		t.Fatal(&m, err)
	}
	stop()
	if err := to.RecvMsg(&m); status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), "watch again after 1") {
		t.Errorf("%v, %v", &m, err)
	}
}

// TestTooManyWatchers has as many watch as may. The next is told to come again, and
// calls are not in their way; when one goes there is a place.
func TestTooManyWatchers(t *testing.T) {
	address, _, _ := run(t, func(o *server.Options) { o.Watchers, o.AtOnce = 2, 1 })
	putNamespace(t, address, "team", "")
	c := faces(t, address)["gRPC of connect"]
	r := &memoryv1.WatchMemoriesRequest{Namespace: "team"}
	first, second := watch(t, c, r), watch(t, c, r)
	first.wants("UNSPECIFIED")
	second.wants("UNSPECIFIED")
	watch(t, c, r).ends(connect.CodeResourceExhausted)
	if _, err := c.SearchMemories(t.Context(), &memoryv1.SearchMemoriesRequest{Namespaces: []string{"team"}}); err != nil {
		t.Error(err)
	}
	if err := first.to.Close(); err != nil {
		t.Fatal(err)
	}
	for {
		w := watch(t, c, r)
		if w.to.Receive() {
			break
		}
		if connect.CodeOf(w.to.Err()) != connect.CodeResourceExhausted {
			t.Fatal(w.to.Err())
		}
	}
}

// TestRPCTokens gives callers by gRPC what their tokens are for: a namespace that one
// may not read is refused as one that is not there.
func TestRPCTokens(t *testing.T) {
	tokens, err := access.Open(t.Context(), t.TempDir(), access.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tokens.Close() })

	address, log, _ := run(t, func(o *server.Options) { o.Token, o.Access = mayAll, tokens })
	for _, name := range []string{"a", "b", "c"} {
		putNamespace(t, address, name, mayAll)
	}
	reader, writer := create(t, tokens, "reader", "a", access.Read), create(t, tokens, "writer", "a", access.Write)
	client := func(token string) memoryv1.MemoryServiceClient {
		return memoryv1.NewMemoryServiceClient(overHTTP2(t), "http://"+address, connect.WithGRPC(), connect.WithInterceptors(bringing(token)))
	}
	ctx := t.Context()
	get := func(c memoryv1.MemoryServiceClient, namespace string) error {
		_, err := c.GetMemory(ctx, &memoryv1.GetMemoryRequest{Namespace: namespace, MemoryId: "x"})
		return err
	}
	entry := writing(&memoryv1.MemoryEntry{Id: "x", Kind: "note", Content: "x"})
	entry.Namespace = "a"
	inner := writing(&memoryv1.MemoryEntry{Id: "y", Kind: "note", Content: "x", Origin: memoryv1.Origin_ORIGIN_INTERNAL})
	inner.Namespace = "a"

	for _, none := range []string{"", "wrong-token-wrong-token"} {
		fails(t, "no token", get(client(none), "a"), connect.CodeUnauthenticated, api.Unauthorized)
		watch(t, client(none), &memoryv1.WatchMemoriesRequest{Namespace: "a"}).ends(connect.CodeUnauthenticated)
	}
	_, err = client(writer).WriteMemory(ctx, entry)
	if err != nil {
		t.Error(err)
	}
	_, err = client(writer).WriteMemory(ctx, inner)
	fails(t, "trusted", err, connect.CodePermissionDenied, api.Forbidden)
	fails(t, "read with the right to write", get(client(writer), "a"), connect.CodePermissionDenied, api.Forbidden)
	_, err = client(reader).WriteMemory(ctx, entry)
	fails(t, "write with the right to read", err, connect.CodePermissionDenied, api.Forbidden)
	if err := get(client(reader), "a"); err != nil {
		t.Error(err)
	}
	there, not := get(client(reader), "b"), get(client(reader), "nobody")
	fails(t, "what is another's", there, connect.CodePermissionDenied, api.Forbidden)
	if said := strings.ReplaceAll(there.Error(), "namespace b", "namespace nobody"); said != not.Error() {
		t.Errorf("%q of what is there, %q of what is not", there, not)
	}
	_, err = client(reader).SearchMemories(ctx, &memoryv1.SearchMemoriesRequest{Namespaces: []string{"a", "b"}})
	fails(t, "search beyond the wall", err, connect.CodePermissionDenied, api.Forbidden)
	_, err = client(reader).ForgetMemory(ctx, &memoryv1.ForgetMemoryRequest{Namespace: "a", MemoryId: "x"})
	fails(t, "forget with the right to read", err, connect.CodePermissionDenied, api.Forbidden)
	_, err = client(reader).VerifyChain(ctx, &memoryv1.VerifyChainRequest{})
	fails(t, "verify with the right to read", err, connect.CodePermissionDenied, api.Forbidden)
	watch(t, client(reader), &memoryv1.WatchMemoriesRequest{Namespace: "b"}).ends(connect.CodePermissionDenied)
	for token, want := range map[string]string{reader: "a", writer: "", mayAll: "a b c"} {
		if got := listed(t, client(token)); got != want {
			t.Errorf("namespaces %q, want %q", got, want)
		}
	}

	w := watch(t, client(reader), &memoryv1.WatchMemoriesRequest{Namespace: "a"})
	w.wants("UNSPECIFIED")
	if err := tokens.Revoke(ctx, "reader"); err != nil {
		t.Fatal(err)
	}
	w.ends(connect.CodeUnauthenticated)
	if said := log.text(); !strings.Contains(said, `"token":"reader"`) || strings.Contains(said, reader) {
		t.Errorf("the log:\n%s", said)
	}
}

// listed are the names of all namespaces that a caller sees, two at a time.
func listed(t *testing.T, c memoryv1.MemoryServiceClient) string {
	t.Helper()
	var names []string
	for r := (&memoryv1.ListNamespacesRequest{PageSize: 2}); ; {
		page, err := c.ListNamespaces(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range page.GetNamespaces() {
			names = append(names, n.GetName())
		}
		if r.PageToken = page.GetNextPageToken(); r.GetPageToken() == "" {
			return strings.Join(names, " ")
		}
	}
}

// bringing is a client's token.
type bringing string

func (b bringing) set(h http.Header) {
	if b != "" {
		h.Set("Authorization", "Bearer "+string(b))
	}
}

// WrapUnary implements [connect.Interceptor].
func (b bringing) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		b.set(r.Header())
		return next(ctx, r)
	}
}

// WrapStreamingClient implements [connect.Interceptor].
func (b bringing) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, s connect.Spec) connect.StreamingClientConn {
		c := next(ctx, s)
		b.set(c.RequestHeader())
		return c
	}
}

// WrapStreamingHandler implements [connect.Interceptor].
func (b bringing) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}
