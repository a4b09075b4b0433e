package api_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// vectors are values of every type of the contract: what the bytes of each are
// stands in testdata.
func vectors() map[string]api.Wire {
	description := "what the team knows"
	sum := strings.Repeat("0a", 32)
	body := api.Body{
		Kind: "decision", Content: "Use <Postgres> & not MySQL \u2028 für é", Tags: []string{"codex", "ban"},
		Origin: api.Internal, Source: "codex", SessionID: "0199-s", ThreadID: "agent-1", Project: "/repo",
		UserID: "ann", AgentIDs: []string{"main", "reviewer"}, CreationTool: "remember",
		Paths: []string{"/repo/db.go"}, ValidAt: "2026-06-22T10:00:00.123Z", InvalidAt: "2026-06-23T10:00:00Z",
		ParentIDs: []string{"conversation:1"}, EventIDs: []string{"e1", "e2"},
		Action: &api.Action{Kind: api.MemoryWritten, Store: "file", Key: "/repo/CLAUDE.md"},
		Node:   []byte(`{"schema":"memscribe.node/v1","text":"<\u00e9>é","n":9007199254740993}`),
	}
	memory := api.Memory{
		ID: "decision:1", Namespace: "team", Body: body, Trust: api.Trusted, TransactionAt: "2026-06-24T00:00:00.000Z",
	}
	outside := api.Memory{
		ID: "2", Namespace: "team", Trust: api.Sanitized, TransactionAt: "2026-06-24T00:00:00.000Z",
		Removals: []api.Removal{{Field: "/content", Rule: "override_instructions", Offset: 17, Removed: []byte("ignore all previous instructions")}},
		Body:     api.Body{Kind: "note", Content: "a page", Origin: api.External, ValidAt: "2026-06-24T00:00:00.000Z"},
	}
	over := memory
	over.InvalidAt, over.SupersededBy = "2026-06-22T11:00:00Z", "decision:2"
	entry := api.Entry{
		Schema: "memscribe.memdb.entry/v1", Seq: 1, EntryID: "01890000-0000-7000-8000-000000000001", Namespace: "team",
		MemoryID: "decision:1", Action: "write", ContentSHA256: sum, RecordSHA256: sum, Source: "codex", SessionID: "0199-s",
		EventIDs: []string{"e1"}, TransactionAt: "2026-06-24T00:00:00.000Z", PrevHash: strings.Repeat("0", 64), Hash: sum,
	}
	return map[string]api.Wire{
		"MemoryWrite.full":       &api.MemoryWrite{ID: "decision:1", Body: body},
		"MemoryWrite.superseded": &api.MemoryWrite{ID: "1", Body: api.Body{Kind: "note", Content: "x", SupersededBy: "2"}},
		"MemoryWrite.minimal":    &api.MemoryWrite{Body: api.Body{Kind: "note", Content: "x"}},
		"Batch":                  &api.Batch{Memories: []api.MemoryWrite{{ID: "1", Body: api.Body{Kind: "note", Content: "x"}}}},
		"WriteResult.created":    &api.WriteResult{ID: "1", Outcome: api.Created, Trust: api.Untrusted, EntryID: "01890000-0000-7000-8000-000000000001"},
		"WriteResult.unchanged":  &api.WriteResult{ID: "1", Outcome: api.Unchanged},
		"BatchResult":            &api.BatchResult{Results: []api.WriteResult{{ID: "1", Outcome: api.Forgotten}}},
		"Memory.internal":        &memory,
		"Memory.superseded":      &over,
		"Memory.external":        &outside,
		"MemoryAnswer":           &api.MemoryAnswer{Memory: outside, Provenance: api.Verdict{Status: api.Verified, EntryID: entry.EntryID}},
		"Namespace":              &api.Namespace{Name: "team", Description: description, CreatedAt: "2026-06-24T00:00:00Z", UpdatedAt: "2026-06-25T00:00:00Z"},
		"NamespacePut":           &api.NamespacePut{Description: description},
		"NamespacePatch":         &api.NamespacePatch{Description: &description},
		"SearchRequest.minimal":  &api.SearchRequest{Namespaces: []string{"team"}},
		"SearchRequest.full": &api.SearchRequest{
			Namespaces: []string{"team", "me"}, Query: "postgres", Kinds: []string{"decision"}, Tags: []string{"ban"},
			Trust: []api.Trust{api.Trusted}, SessionID: "s", Source: "codex", Path: "/repo/db.go", ParentID: "conversation:1",
			Action: &api.Action{Kind: api.MemoryRead, Store: "file", Key: "k"}, From: "2026-01-01T00:00:00Z", To: "2027-01-01T00:00:00Z",
			AsOf: "2026-06-24T00:00:00Z", InForceAt: "2026-06-23T00:00:00Z", IncludeNode: true, Limit: 5, Cursor: "c",
		},
		"SearchRequest.hybrid": &api.SearchRequest{Namespaces: []string{"team"}, Query: "how do we page?", Mode: api.ByHybrid},

		"SearchResponse":   &api.SearchResponse{Memories: []api.Memory{memory, outside}, NextCursor: "c"},
		"ProvenanceAnswer": &api.ProvenanceAnswer{MemoryID: "decision:1", Entries: []api.Entry{entry}},
		"VerifyReport.bad": &api.VerifyReport{
			Length: 4, Head: sum, Checkpoint: 7,
			Fault: &api.Fault{Seq: 5, EntryID: entry.EntryID, MemoryID: "decision:1", Reason: "hash_mismatch", Detail: "the hash is another"},
		},
		"VerifyReport.good": &api.VerifyReport{OK: true, Length: 4, Head: sum, Memories: 3, Checkpoint: 4},
		"Health":            &api.Health{Status: "ok", Version: "v1.2.3", Store: "sqlite", Length: 4, Head: sum},
		"Problem": &api.Problem{
			Type: "urn:memscribe:memdb:invalid-request", Title: "The request is not of the contract", Status: 422,
			Detail: "/content: is empty", Instance: "0199", Errors: []api.Flaw{{Pointer: "/content", Detail: "is empty"}},
		},
	}
}

func typeOf(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

// TestGolden pins the exact bytes of the wire. UPDATE_GOLDENS=1 writes them anew.
func TestGolden(t *testing.T) {
	update := os.Getenv("UPDATE_GOLDENS") == "1"
	for name, v := range vectors() {
		t.Run(name, func(t *testing.T) {
			if err := v.Validate(); err != nil {
				t.Errorf("not of the contract: %v", err)
			}
			got, err := api.Append(nil, v)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".json")
			if update {
				if err := os.WriteFile(file, append(got, '\n'), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(bytes.TrimSuffix(want, []byte("\n"))), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			back, _ := reflect.TypeAssert[api.Wire](reflect.New(reflect.TypeOf(v).Elem()))
			if err := api.Decode(got, back); err != nil {
				t.Fatalf("read back: %v", err)
			}
			if diff := cmp.Diff(v, back); diff != "" {
				t.Errorf("read back (-want +got):\n%s", diff)
			}
		})
	}
	files, _ := filepath.Glob("testdata/*.json")
	for _, f := range files {
		if _, ok := vectors()[strings.TrimSuffix(filepath.Base(f), ".json")]; !ok {
			t.Errorf("%s is no vector's", f)
		}
	}
}

func document(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("../../../docs/api/memdb-v1.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestDocument holds each vector to the document's schema of its type, and the
// members of each type to those of the schema.
func TestDocument(t *testing.T) {
	doc := document(t)
	seen := map[string]bool{}
	for name, v := range vectors() {
		schema := doc.Components.Schemas[typeOf(name)]
		if schema == nil {
			t.Errorf("the document has no %s", typeOf(name))
			continue
		}
		seen[typeOf(name)] = true
		out, err := api.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(out, &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Value.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.MultiErrors()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var documented []string
		for member := range schema.Value.Properties {
			documented = append(documented, member)
		}
		slices.Sort(documented)
		if diff := cmp.Diff(documented, members(reflect.TypeOf(v).Elem())); diff != "" {
			t.Errorf("members of %s (-document +type):\n%s", typeOf(name), diff)
		}
	}
	for name, schema := range doc.Components.Schemas {
		inside := []string{"Action", "Removal", "Verdict", "Entry", "Fault", "Flaw"}
		if schema.Value.Type.Is("object") && !seen[name] && !slices.Contains(inside, name) {
			t.Errorf("no vector of %s", name)
		}
	}
}

func members(t reflect.Type) []string {
	var names []string
	for f := range t.Fields() {
		if f.Anonymous {
			names = append(names, members(f.Type)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
