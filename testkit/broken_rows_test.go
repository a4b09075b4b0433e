package testkit_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/input"
)

// TestNothingIsLostInSilence damages a database of each tool that keeps one, where the tool
// keeps it: each table is dropped in turn, the JSON in each column is cut, the file ends
// after each of its pages, and is packed without its log. All events come out, or what keeps
// them back is named.
func TestNothingIsLostInSilence(t *testing.T) {
	tools := map[core.Tool]bool{}
	for i, s := range storesOfTools(t) {
		t.Run(fmt.Sprintf("%d %s", i, filepath.Base(s.rel)), func(t *testing.T) {
			whole := s.read(t, func(string) {})
			if len(whole.named) > 0 || len(whole.events) == 0 && whole.tool != "windsurf" {
				t.Fatalf("%d events of the intact database; %q", len(whole.events), whole.named)
			}
			tools[whole.tool] = true
			for how, damage := range s.damages(t) {
				got := s.read(t, damage)
				missing := 0
				for id := range whole.events { // counted
					if !got.events[id] {
						missing++
					}
				}
				lost := missing > 0 || whole.tool == "windsurf" && got.conversations == 0
				if lost && len(got.named) == 0 {
					t.Errorf("%s: %d of %d events are missing, and nothing is said", how, missing, len(whole.events))
				}
				if id := got.lessThan(&whole); id != "" && len(got.named) == 0 && got.unknown == whole.unknown {
					t.Errorf("%s: nothing is said, but it is no longer known of %s: %s\nwas: %s", how, id, got.projects[id], whole.projects[id])
				}
			}
		})
	}
	for _, a := range adapters.All() {
		if _, ok := a.(core.DatabaseAdapter); ok && !tools[a.Tool()] {
			t.Errorf("no database of %s", a.Tool())
		}
	}
}

// storeOfTool is a database of a tool: its statements, and where in a home it lies.
type storeOfTool struct{ script, rel string }

// storesOfTools are those of testdata/stores, and recorded ones.
func storesOfTools(t *testing.T) (all []storeOfTool) {
	t.Helper()
	const dir = "testdata/stores"
	err := filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, at)
			all = append(all, storeOfTool{at, strings.TrimSuffix(rel, corpus.Dump)})
		}
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	for _, dump := range dumps(t, 8) {
		_, rel, ok := strings.Cut(dump, string(filepath.Separator)+"home"+string(filepath.Separator))
		if !ok {
			continue // a state of the same database
		}
		all = append(all, storeOfTool{dump, strings.TrimSuffix(rel, corpus.Dump)})
	}
	return all
}

// outcome is what was read of a home.
type outcome struct {
	tool          core.Tool
	events        map[string]bool
	projects      map[string]string // what is known of the place of an event, and its thread
	unknown       int               // events
	conversations int
	named         []string // problems
}

// read makes the database in a home of its own, damages it, and reads all that is there.
func (s storeOfTool) read(t *testing.T, damage func(path string)) outcome {
	t.Helper()
	home := t.TempDir()
	path := filepath.Join(home, s.rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := trial.Restore(t.Context(), s.script, path); err != nil {
		t.Fatal(err)
	}
	damage(path)
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var events bytes.Buffer
	found := outcome{events: map[string]bool{}, projects: map[string]string{}}
	c := capture.New(capture.Options{Set: set, Encoder: &encode.Encoder{}, Events: &events, Report: func(p capture.Problem) {
		found.named = append(found.named, p.Reason)
	}})
	o := input.Options{
		Detect: adapters.Detect, Layout: adapters.Layout, Limits: archive.Standard(),
		IsStore: func(path string) bool { return adapters.KeepsDatabase(path, func(core.Tool) bool { return true }) },
	}
	places := o.Paths([]string{home})
	for transcript, err := range places.Transcripts(t.Context()) {
		if problem, ok := errors.AsType[*input.Problem](err); ok && !errors.Is(err, input.ErrNone) {
			if !strings.HasPrefix(problem.File, filepath.Dir(path)) {
				t.Errorf("%s is named", problem.File)
			}
			found.named = append(found.named, err.Error())
			continue
		} else if err != nil {
			continue
		}
		found.tool = transcript.Adapter.Tool()
		found.conversations++
		if err := feed(t.Context(), c, transcript); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(events.String()) {
		var ev struct {
			Event, ID, Session string
			Project            json.RawMessage
			Thread             string `json:"thread_id"`
		}
		if err := json.Unmarshal([]byte(line), &ev); err != nil {
			t.Fatal(err)
		}
		if ev.Event == "unknown" {
			found.unknown++
			continue
		}
		key := ev.Event + " " + ev.Session + " " + ev.ID
		found.events[key], found.projects[key] = true, string(ev.Project)+" "+ev.Thread
	}
	return found
}

// lessThan is an event whose place or thread is another than it was; "" if there is none.
func (o *outcome) lessThan(whole *outcome) string {
	for id, project := range whole.projects {
		if got, ok := o.projects[id]; ok && got != project {
			return id
		}
	}
	return ""
}

func feed(ctx context.Context, c *capture.Capture, in input.Transcript) error {
	stream := c.Open(capture.Transcript{Adapter: in.Adapter, Info: in.Info, File: in.File, Key: in.Key})
	err := stream.Rows(ctx, in.Rows)
	_, closed := stream.Close(ctx)
	return errors.Join(err, closed)
}

// damages are ways to damage the database, by what they are called.
func (s storeOfTool) damages(t *testing.T) map[string]func(path string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "intact")
	if err := trial.Restore(t.Context(), s.script, path); err != nil {
		t.Fatal(err)
	}
	run := func(query string) func(string) { return func(path string) { execute(t, path, query) } }
	ways := map[string]func(path string){
		"packed": packAll(t), "its log beside": withLog(t, "", ""), "packed, its log beside": withLog(t, ".gz", ""),
		"both packed": withLog(t, ".gz", ".gz"), "its log packed": withLog(t, "", ".gz"),
	}
	for table, columns := range columnsOf(t, path) {
		ways["without table "+table] = run(fmt.Sprintf(`PRAGMA foreign_keys = off; DROP TABLE %q`, table))
		for _, column := range columns {
			cut := `UPDATE %[1]q SET %[2]q = substr(%[2]q, 1, length(%[2]q) / 2) WHERE CAST(substr(%[2]q, 1, 1) AS TEXT) IN ('{', '[') OR substr(%[2]q, 1, 2) = '7b'`
			ways["JSON cut in "+table+"."+column] = run(fmt.Sprintf(cut, table, column))
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for size := int64(4096); size < info.Size(); size += max(4096, info.Size()/16/4096*4096) {
		ways[fmt.Sprint("cut after ", size, " bytes")] = func(path string) {
			if err := os.Truncate(path, size); err != nil {
				t.Fatal(err)
			}
		}
	}
	return ways
}

// execute runs statements on a database.
func execute(t *testing.T, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), query)
	if err := errors.Join(err, db.Close()); err != nil && !strings.Contains(err.Error(), "malformed JSON") { // a column is computed of it
		t.Fatalf("%s: %v", query, err)
	}
}

// columnsOf lists the tables of a database that hold rows, with the columns that hold JSON.
func columnsOf(t *testing.T, path string) map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	list := func(query string, args ...any) (all []string) {
		rows, err := db.QueryContext(t.Context(), query, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var s string
			if err := rows.Scan(&s); err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return all
	}
	tables := map[string][]string{}
	for _, table := range list(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%'`) {
		tables[table] = nil
		for _, column := range list(`SELECT name FROM pragma_table_info(?1)`, table) {
			if table == "messages" && column == "content" || column == "system_prompt" {
				continue // text: what it begins with does not matter
			}
			if found := list(fmt.Sprintf(`SELECT 'x' FROM %q WHERE CAST(substr(%[2]q, 1, 1) AS TEXT) IN ('{', '[') OR substr(%[2]q, 1, 2) = '7b' LIMIT 1`, table, column)); len(found) > 0 {
				tables[table] = append(tables[table], column)
			}
		}
	}
	return tables
}

// withLog has the last writes of a database in its log alone, and packs each with an
// ending; "" leaves it as it is.
func withLog(t *testing.T, database, log string) func(string) {
	return func(path string) {
		main, wal := logged(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{path + database: main, path + "-wal" + log: wal} {
			if strings.HasSuffix(name, ".gz") {
				data = gzipped(t, data)
			}
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// packAll packs the database alone, with all that is in it.
func packAll(t *testing.T) func(string) {
	return func(path string) {
		data, err := os.ReadFile(path)
		if err == nil {
			err = errors.Join(os.WriteFile(path+".gz", gzipped(t, data), 0o600), os.Remove(path))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// logged has the last rows of each table of a database in its log alone, and returns both.
func logged(t *testing.T, path string) (database, log []byte) {
	t.Helper()
	whole := path + ".whole"
	if err := os.Rename(path, whole); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(whole)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	var remove, add strings.Builder
	for table := range columnsOf(t, path) { // each for itself
		if strings.Contains(table, "_fts") {
			continue
		}
		fmt.Fprintf(&remove, "DELETE FROM %[1]q WHERE rowid IN (SELECT rowid FROM %[1]q ORDER BY rowid DESC LIMIT 2);\n", table)
		fmt.Fprintf(&add, "INSERT OR IGNORE INTO main.%[1]q SELECT * FROM whole.%[1]q;\n", table)
	}
	execute(t, path, "PRAGMA foreign_keys = off;"+remove.String())
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err = db.ExecContext(t.Context(), "ATTACH '"+filepath.ToSlash(whole)+"' AS whole;"+add.String()); err == nil {
		database, err = os.ReadFile(path)
	}
	if err == nil {
		log, err = os.ReadFile(path + "-wal")
	}
	if err := errors.Join(err, os.Remove(whole)); err != nil || len(log) == 0 {
		t.Fatalf("%d bytes of a log: %v", len(log), err)
	}
	return database, log
}
