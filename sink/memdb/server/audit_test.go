package server_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/audit"
	"github.com/memscribe/memscribe/sink/memdb/rpc/memoryv1"
	"github.com/memscribe/memscribe/sink/memdb/server"
)

// TestAuditTrail wants an entry for each call, by HTTP or gRPC, well or badly, and
// nothing of what it was about.
func TestAuditTrail(t *testing.T) {
	name := filepath.Join(t.TempDir(), "audit")
	trail, err := audit.Open(t.Context(), name, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	address, _, stop := run(t, func(o *server.Options) { o.Audit = trail })
	putNamespace(t, address, "team", "")
	c := faces(t, address)["gRPC of connect"]
	if _, err := c.WriteMemory(t.Context(), writing(&memoryv1.MemoryEntry{Id: "quokka", Kind: "note", Content: "zebra"})); err != nil {
		t.Error(err)
	}
	_, _ = c.GetMemory(t.Context(), &memoryv1.GetMemoryRequest{Namespace: "team", MemoryId: "quokka"})
	_, _ = c.GetMemory(t.Context(), &memoryv1.GetMemoryRequest{Namespace: "team", MemoryId: "nothing"}) // is refused
	_, _ = c.SearchMemories(t.Context(), &memoryv1.SearchMemoriesRequest{Namespaces: []string{"team"}, Query: "zebra"})
	watch(t, c, &memoryv1.WatchMemoriesRequest{Namespace: "team"}).wants("UNSPECIFIED")
	stop()
	if err := trail.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rest := string(text)
	for _, want := range []string{
		`"call":"PutNamespace","namespace":"team"`,
		`"call":"WriteMemory","namespace":"team","session_id":"s1","agent_id":"reviewer","params_sha256":"` + audit.Hash("WriteMemory", "quokka") + `","status":"ok"`,
		`"call":"GetMemory","namespace":"team","params_sha256":"` + audit.Hash("GetMemory", "quokka") + `","status":"ok"`,
		`"status":"not-found"`, `"call":"SearchMemories"`, `"call":"WatchMemories"`,
	} {
		at := strings.Index(rest, want)
		if at < 0 {
			t.Fatalf("no %s in its place in\n%s", want, text)
		}
		rest = rest[at+len(want):]
	}
	if strings.Contains(string(text), "zebra") || strings.Contains(string(text), "quokka") || strings.Count(string(text), "\n") != 6 {
		t.Errorf("%s", text)
	}
}
