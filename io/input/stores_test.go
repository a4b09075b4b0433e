package input_test

import (
	"archive/tar"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/input"
)

// talks is a tool that keeps its conversations in a table.
type talks struct{ core.Adapter }

func (talks) Tool() core.Tool { return "talks" }

func layout(_ string, s core.Schema) (core.Adapter, core.Layout) {
	if !s.Has("talk", "id") {
		return nil, core.Layout{}
	}
	return talks{}, core.Layout{
		Conversations: `SELECT id FROM talk ORDER BY id`,
		Rows:          []core.Rows{{Table: "talk", Query: `SELECT id FROM talk WHERE id = ?1`}},
	}
}

// makeTalks makes a database that has not written its log to itself.
func makeTalks(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "talks.db")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE talk (id TEXT); INSERT INTO talk VALUES ('a'), ('b')`); err != nil {
		t.Fatal(err)
	}
	return path
}

// conversations lists the conversations in what is named, or what is wrong.
func conversations(t *testing.T, o input.Options, path string) string {
	t.Helper()
	var all []string
	for tr, err := range o.Paths([]string{path}).Transcripts(t.Context()) {
		if err != nil {
			all = append(all, err.Error())
			continue
		}
		all = append(all, filepath.Base(tr.File)+" "+tr.Key+" "+string(tr.Rows[0].JSON))
	}
	return strings.Join(all, "\n")
}

// TestDatabases reads the conversations of a database where it lies, and out of
// an archive, in which its log may stand before it.
func TestDatabases(t *testing.T) {
	path := makeTalks(t, t.TempDir())
	o := input.Options{
		Detect: func(core.Sample) (core.Adapter, core.Fit) { return nil, core.NoFit }, Layout: layout, Limits: archive.Standard(),
	}
	const want = "talks.db a {\"table\":\"talk\",\"key\":\"a\"}\ntalks.db b {\"table\":\"talk\",\"key\":\"b\"}"
	if got := conversations(t, o, path); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := conversations(t, o, filepath.Dir(path)); got != want {
		t.Errorf("of the folder: got\n%s", got)
	}
	archive := filepath.Join(t.TempDir(), "backup.tar")
	f, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(f)
	for _, name := range []string{path + "-wal", path} {
		b, err := os.ReadFile(name)
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: "x/" + filepath.Base(name), Mode: 0o600, Size: int64(len(b))})
		}
		if err == nil {
			_, err = w.Write(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := conversations(t, o, archive); got != want {
		t.Errorf("of the archive: got\n%s", got)
	}
	o.Want = func(core.Tool) bool { return false }
	if got := conversations(t, o, filepath.Dir(path)); strings.Contains(got, "talks.db") {
		t.Errorf("of a tool that is not wanted: got\n%s", got)
	}
}
