package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/store"
)

// TestRoom: of a conversation that is over its limit the first rows are kept, and one
// in place of the next says so. The others are read whole.
func TestRoom(t *testing.T) {
	o := newOwner(t, "wal")
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprint("line ", i, strings.Repeat(".", 100)))
	}
	o.say(t, "a", "short")
	o.say(t, "b", lines...)
	o.say(t, "c", "short")
	d := openDB(t, o.path, "")
	const limit = 20_000
	d.SetMost(limit)
	found := map[string][]store.Row{}
	for c, err := range d.Changes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found[c.Key] = c.Rows
	}
	if len(found["a"]) != 2 || len(found["c"]) != 2 {
		t.Errorf("the conversations beside it have %d and %d rows, want 2 each", len(found["a"]), len(found["c"]))
	}
	isCut(t, found["b"], limit)
	if got := changes(t, d); got != "" {
		t.Errorf("it counts as changed: %s", got)
	}
}

// isCut holds a conversation to its limit.
func isCut(t *testing.T, rows []store.Row, limit int) {
	t.Helper()
	if len(rows) < 20 || len(rows) > 60 {
		t.Fatalf("%d rows, want as many as fit into %d bytes", len(rows), limit)
	}
	size := 0
	for i, r := range rows {
		size += len(r.JSON)
		if r.Over != nil && i < len(rows)-1 {
			t.Errorf("row %d is over its limit: %v", i, r.Over)
		}
	}
	last := rows[len(rows)-1]
	if last.Over == nil || !last.Over.Rest || last.Over.Limit != int64(limit) || !strings.HasPrefix(string(last.JSON), `{"table":"line","key":"`) {
		t.Errorf("the last row is %s, %v; want one that says what is not kept", last.JSON, last.Over)
	}
	if size > limit {
		t.Errorf("%d bytes are kept, want at most %d", size, limit)
	}
}

// TestRoomOfTree is TestRoom for a conversation in many files, one of which alone may be
// too large.
func TestRoomOfTree(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "lines"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("talk.json", "{}")
	for i := range 100 {
		write(fmt.Sprintf("lines/%03d.json", i), `"`+strings.Repeat("x", 100)+`"`)
	}
	tree := core.Tree{Table: "talk", Branches: []core.Branch{{Table: "line", Dir: filepath.ToSlash(filepath.Join(root, "lines"))}}}
	const limit = 20_000
	read := func() []store.Row {
		t.Helper()
		follow := store.NewTree(filepath.Join(root, "talk.json"), tree, nil)
		follow.SetMost(limit)
		rows, err := follow.Changes()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := read()
	isCut(t, rows, limit)
	if at := rows[len(rows)-1].At; at.Line != 1 || !strings.HasSuffix(at.File, ".json") {
		t.Errorf("what is not kept is said of %+v", at)
	}
	write("lines/000.json", `"`+strings.Repeat("x", limit)+`"`)
	if rows = read(); len(rows) != 2 || rows[1].Over == nil {
		t.Errorf("%d rows where the second file is larger than all that is kept", len(rows))
	}
}

// TestTakenFiles reads a conversation whose files have names that say nothing, and logs: files are
// taken in the order that they say, of logs the lines that are whole, and what is not the conversation's
// is left. A line that was half written comes when it is whole.
func TestTakenFiles(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700), os.WriteFile(filepath.Join(root, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	dir := func(name string) string { return filepath.ToSlash(filepath.Join(root, name)) }
	follow := store.NewTree(filepath.Join(root, "talk.json"), core.Tree{Table: "talk", Branches: []core.Branch{
		{Table: "list", Dir: dir("lists"), Take: func(document []byte) (string, bool) {
			order, ok := strings.CutPrefix(string(document), "[")
			return order, ok
		}},
		{Table: "line", Dir: dir("log"), Logs: true, Take: func(line []byte) (string, bool) { return "", bytes.Contains(line, []byte("said")) }},
	}}, nil)
	read := func() (all []string) {
		t.Helper()
		rows, err := follow.Changes()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			all = append(all, fmt.Sprint(filepath.Base(r.At.File), ":", r.At.Line, " ", string(r.JSON)))
		}
		return all
	}
	write("talk.json", "{}")
	write("lists/a.json", "[2]")
	write("lists/b.json", "[1]")
	write("lists/c.json", `{"other":1}`)
	write("log/1.jsonl", `{"said":1}`+"\n"+`{"sent":1}`+"\n"+`{"said":`)
	write("log/notes.json", "{}")
	first := []string{
		`talk.json:1 {"table":"talk","key":"talk","data":{}}`, `b.json:1 {"table":"list","key":"b","data":[1]}`, `a.json:1 {"table":"list","key":"a","data":[2]}`,
		`1.jsonl:1 {"table":"line","key":"1","data":{"said":1}}`,
	}
	if diff := cmp.Diff(first, read()); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	write("log/1.jsonl", `{"said":1}`+"\n"+`{"sent":1}`+"\n"+`{"said":2}`+"\n")
	if diff := cmp.Diff(append(first, `1.jsonl:3 {"table":"line","key":"1","data":{"said":2}}`), read()); diff != "" {
		t.Errorf("records once the line is whole (-want +got):\n%s", diff)
	}
	write("lists/d.json", `[3`)
	write("log/1.jsonl", `{"said":1}`+"\n"+`{"se`+"\n\n")
	damaged := slices.Insert(slices.Clone(first[:4]), 1, "d.json:1 [3")
	if diff := cmp.Diff(append(damaged, `1.jsonl:2 {"se`), read()); diff != "" {
		t.Errorf("records where something is damaged (-want +got):\n%s", diff)
	}
}
