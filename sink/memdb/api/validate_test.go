package api_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// TestRefused gives what the contract refuses, and where the refusal points.
func TestRefused(t *testing.T) {
	tests := []struct {
		name    string
		into    api.Wire
		json    string
		pointer string
	}{
		{"no content", &api.MemoryWrite{}, `{"kind":"note"}`, "/content"},
		{"white content", &api.MemoryWrite{}, `{"kind":"note","content":" \n\t\u00a0\u3000"}`, "/content"},
		{"long content", &api.MemoryWrite{}, `{"kind":"note","content":"` + strings.Repeat("x", api.MaxContent+1) + `"}`, "/content"},
		{"no kind", &api.MemoryWrite{}, `{"content":"x"}`, "/kind"},
		{"strange kind", &api.MemoryWrite{}, `{"kind":"No te","content":"x"}`, "/kind"},
		{"long id", &api.MemoryWrite{}, `{"id":"` + strings.Repeat("x", 513) + `","kind":"note","content":"x"}`, "/id"},
		{"line end in id", &api.MemoryWrite{}, `{"id":"a\nb","kind":"note","content":"x"}`, "/id"},
		{"tag twice", &api.MemoryWrite{}, `{"kind":"note","content":"x","tags":["a","a"]}`, "/tags/1"},
		{"empty tag", &api.MemoryWrite{}, `{"kind":"note","content":"x","tags":[""]}`, "/tags/0"},
		{"unknown origin", &api.MemoryWrite{}, `{"kind":"note","content":"x","origin":"heaven"}`, "/origin"},
		{"no time", &api.MemoryWrite{}, `{"kind":"note","content":"x","valid_at":"yesterday"}`, "/valid_at"},
		{"end before start", &api.MemoryWrite{}, `{"kind":"note","content":"x","valid_at":"2026-01-02T00:00:00Z","invalid_at":"2026-01-01T00:00:00Z"}`, "/invalid_at"},
		{"action without store", &api.MemoryWrite{}, `{"kind":"note","content":"x","action":{"kind":"memory_read","store":"","key":""}}`, "/action/store"},
		{"node no object", &api.MemoryWrite{}, `{"kind":"note","content":"x","node":[]}`, "/node"},
		{"node from outside", &api.MemoryWrite{}, `{"kind":"note","content":"x","node":{}}`, "/node"},
		{"trust given", &api.MemoryWrite{}, `{"kind":"note","content":"x","trust":"trusted"}`, ""},
		{"member twice", &api.MemoryWrite{}, `{"kind":"note","content":"x","content":"y"}`, ""},
		{"not UTF-8", &api.MemoryWrite{}, "{\"kind\":\"note\",\"content\":\"\xff\"}", ""},
		{"two values", &api.MemoryWrite{}, `{"kind":"note","content":"x"}{}`, ""},
		{"no JSON", &api.MemoryWrite{}, `kind=note`, ""},
		{"deep", &api.MemoryWrite{}, `{"kind":"note","content":"x","node":` + strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000) + `}`, ""},
		{"empty batch", &api.Batch{}, `{"memories":[]}`, "/memories"},
		{"in a batch", &api.Batch{}, `{"memories":[{"kind":"note","content":"x"},{"kind":"note","content":""}]}`, "/memories/1/content"},
		{"large batch", &api.Batch{}, `{"memories":[` + strings.Repeat(`{"kind":"note","content":"x"},`, api.MaxBatch) + `{"kind":"note","content":"x"}]}`, "/memories"},
		{"no namespaces", &api.SearchRequest{}, `{"query":"x"}`, "/namespaces"},
		{"empty namespaces", &api.SearchRequest{}, `{"namespaces":[]}`, "/namespaces"},
		{"path as namespace", &api.SearchRequest{}, `{"namespaces":["../x"]}`, "/namespaces/0"},
		{"long page", &api.SearchRequest{}, `{"namespaces":["x"],"limit":201}`, "/limit"},
		{"contradiction", &api.SearchRequest{}, `{"namespaces":["x"],"include_invalid":true,"in_force_at":"2026-01-01T00:00:00Z"}`, "/include_invalid"},
		{"unknown mode", &api.SearchRequest{}, `{"namespaces":["x"],"query":"x","mode":"heaven"}`, "/mode"},
		{"vectors of nothing", &api.SearchRequest{}, `{"namespaces":["x"],"query":" ","mode":"vectors"}`, "/query"},
		{"second page by vectors", &api.SearchRequest{}, `{"namespaces":["x"],"query":"x","mode":"hybrid","cursor":"a"}`, "/cursor"},
		{"empty patch", &api.NamespacePatch{}, `{}`, ""},
		{"trusted external", &api.Memory{}, `{"id":"1","namespace":"x","kind":"note","content":"x","origin":"external","valid_at":"2026-01-01T00:00:00Z","trust":"trusted","transaction_at":"2026-01-01T00:00:00Z"}`, "/trust"},
		{"sanitized of nothing", &api.Memory{}, `{"id":"1","namespace":"x","kind":"note","content":"x","origin":"external","valid_at":"2026-01-01T00:00:00Z","trust":"sanitized","transaction_at":"2026-01-01T00:00:00Z"}`, "/removals"},
		{"created without entry", &api.WriteResult{}, `{"id":"1","outcome":"created","trust":"trusted"}`, "/entry_id"},
		{"fault that is none", &api.VerifyReport{}, `{"ok":true,"length":0,"head":"` + strings.Repeat("0", 64) + `","memories":0,"checkpoint":0,"fault":{"seq":1,"reason":"gap","detail":""}}`, "/ok"},
		{"success as problem", &api.Problem{}, `{"type":"x","title":"x","status":200}`, "/status"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			err := api.Decode([]byte(tc.json), tc.into)
			e, ok := errors.AsType[*api.Invalid](err)
			if !ok || e.Flaws[0].Pointer != tc.pointer {
				t.Errorf("got %v, want a flaw at %q", err, tc.pointer)
			}
			if err != nil && len(tc.json) < 1000 && strings.Contains(err.Error(), "heaven") {
				t.Errorf("the error quotes the request: %v", err)
			}
		})
	}
}

func TestLaterVersion(t *testing.T) {
	var h api.Health
	if err := api.Peek([]byte(`{"status":"ok","version":"v9","store":"sqlite","chain_length":0,"chain_head":"`+strings.Repeat("0", 64)+`","news":1}`), &h); err != nil {
		t.Error(err)
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		err       error
		status    int
		permanent bool
	}{
		{api.NewProblem(api.Gone, "x"), 410, true},
		{&api.Invalid{Flaws: []api.Flaw{{Pointer: "/a", Detail: "b"}}}, 422, true},
		{errors.New("the disk"), 500, false},
		{api.NewProblem(api.TooManyRequests, ""), 429, false},
		{api.NewProblem(api.Unauthorized, ""), 401, false},
	}
	for _, tc := range tests {
		p := api.ProblemOf(tc.err)
		if p.Status != tc.status || p.Permanent() != tc.permanent || strings.Contains(p.Error(), "disk") {
			t.Errorf("%v became %d, permanent %v: %v", tc.err, p.Status, p.Permanent(), p)
		}
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
}
