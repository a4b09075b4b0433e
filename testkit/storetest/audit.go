package storetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// testAudit wants a line for everything that was done, with the entry of the chain
// that says so and nothing of what was written, and none for what was refused or
// changed nothing.
func testAudit(t *testing.T, s Suite) {
	var log bytes.Buffer
	f := s.open(t, t.TempDir(), func(o *Options) { o.Audit = slog.New(slog.NewJSONHandler(&log, nil)) })
	f.write(note("a", "zebra"), note("b", "zebra"))
	f.write(note("a", "zebra"))
	f.write(note("a", "quokka"))
	if _, err := f.Write(t.Context(), "team", []api.MemoryWrite{note("c", "zebra"), note("d", " ")}); err == nil {
		t.Error("a blank memory was taken")
	}
	if _, err := f.Write(t.Context(), "nobody", []api.MemoryWrite{note("c", "zebra")}); !errors.Is(err, api.NewProblem(api.NotFound, "")) {
		t.Errorf("into a namespace that is not there: %v", err)
	}
	if err := f.Forget(t.Context(), "team", "b"); err != nil {
		t.Fatal(err)
	}
	if err := f.DeleteNamespace(t.Context(), "team", true); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "zebra") || strings.Contains(log.String(), "quokka") {
		t.Errorf("the log tells what was written:\n%s", &log)
	}
	var done []string
	seq := int64(0)
	for line := range strings.Lines(log.String()) {
		var l struct {
			Msg, Action, Namespace, Memory, Entry, Hash string
			Seq                                         int64
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if seq++; l.Msg != "audit" || l.Namespace != "team" || l.Seq != seq || len(l.Hash) != 64 || l.Entry == "" {
			t.Errorf("line %d: %s", seq, line)
		}
		done = append(done, strings.TrimSpace(l.Action+" "+l.Memory))
	}
	equal(t, "what was done", done, []string{"namespace_put", "write a", "write b", "upsert a", "forget b", "purge a", "namespace_delete"})
}
