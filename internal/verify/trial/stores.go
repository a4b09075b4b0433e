package trial

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/io/store"
)

// conversations returns the conversations of a store, and false if the file is not one. A store
// is a tree of files, a database, or a dump of a database as SQL statements. The places of the
// records name files as the corpus does, not as this machine does.
func conversations(f corpus.File, a core.Adapter) ([]Input, bool, error) {
	if t, ok := a.(core.TreeAdapter); ok {
		if tree, ok := t.Tree(filepath.ToSlash(f.Path)); ok {
			rows, err := store.NewTree(f.Path, tree, store.NewStrays()).Changes()
			return []Input{fromRows(f, a, rows)}, true, err
		}
	}
	d, ok := a.(core.DatabaseAdapter)
	if ok && strings.HasSuffix(f.Name, corpus.Dump) {
		inputs, err := fromDump(f, d)
		return inputs, true, err
	}
	if head, err := peek(f.Path); err != nil || !ok || !store.IsDatabase(head) {
		return nil, false, err
	}
	var inputs []Input
	err := ReadDatabase(f.Path, d, func(c store.Conversation) { inputs = append(inputs, fromRows(f, a, c.Rows)) })
	return inputs, true, err
}

// fromDump restores a database from its statements into a folder of its own, reads its
// conversations, and removes the folder.
func fromDump(f corpus.File, a core.DatabaseAdapter) (inputs []Input, err error) {
	dir, err := os.MkdirTemp("", "dump-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	made := corpus.File{Name: strings.TrimSuffix(f.Name, corpus.Dump)}
	made.Path = filepath.Join(dir, filepath.FromSlash(made.Name))
	if err = os.MkdirAll(filepath.Dir(made.Path), 0o700); err != nil {
		return nil, err
	}
	if err = Restore(context.Background(), f.Path, made.Path); err != nil {
		return nil, err
	}
	err = ReadDatabase(made.Path, a, func(c store.Conversation) { inputs = append(inputs, fromRows(made, a, c.Rows)) })
	return inputs, err
}

// Restore makes the database at path of the SQL statements in the file dump, in one
// transaction. It does not sync: the database is for a test.
func Restore(ctx context.Context, dump, path string) error {
	script, err := os.ReadFile(dump)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=synchronous(off)")
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "BEGIN;\n"+string(script)+"COMMIT;")
	return errors.Join(err, db.Close())
}

// ReadDatabase calls each with every conversation of a database that the adapter knows the
// layout of. A database that it does not know is an error.
func ReadDatabase(path string, a core.DatabaseAdapter, each func(store.Conversation)) error {
	db, err := store.Open(path, func(path string, s core.Schema) (core.Adapter, core.Layout) {
		layout, fit := a.Layout(filepath.ToSlash(path), s)
		if fit == core.NoFit {
			return nil, layout
		}
		return a, layout
	})
	if err != nil {
		return err
	}
	defer db.Close()
	for c, err := range db.Changes(context.Background()) {
		if err != nil {
			return err
		}
		each(c)
	}
	return nil
}

// peek reads the first bytes of a file, which tell a database.
func peek(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := f.Read(head)
	return head[:n], nil
}

// fromRows returns the transcript that the records of a conversation make: one line for each,
// in their order, with their places in At. Its name ends in "#" and the first record's row,
// because several conversations share one file.
func fromRows(f corpus.File, a core.Adapter, rows []store.Row) Input {
	in := Input{Adapter: a, Path: f.Name, Name: f.Name, At: []core.Location{}}
	dir := filepath.Clean(f.Path[:len(f.Path)-len(f.Name)])
	for _, r := range rows {
		if rel, err := filepath.Rel(dir, filepath.FromSlash(r.At.File)); err == nil {
			r.At.File = filepath.ToSlash(rel)
		}
		in.At = append(in.At, r.At)
		in.Data = append(append(in.Data, bytes.ReplaceAll(r.JSON, []byte("\n"), []byte(" "))...), '\n')
	}
	if len(rows) > 0 && rows[0].At.Row != "" {
		in.Name += "#" + rows[0].At.Row
	}
	return in
}
