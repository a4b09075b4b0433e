package meta

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// database is one that a tool writes to: conversations, their messages, and in
// some the parts of these.
type database struct {
	path       string
	parts      bool     // there are
	marks      bool     // what was taken back is marked; else it is deleted
	begun      bool     // there are tables
	statements []string // that still have to be carried out
	db         *sql.DB  // nil while the tool does not run
}

func newDatabase(path, script string) *database {
	return &database{
		path: path, statements: strings.SplitAfter(script, ";\n"),
		parts: strings.Contains(script, "CREATE TABLE `part`"), marks: strings.Contains(script, " active INTEGER"),
	}
}

// tool starts the tool, if it does not run.
func (d *database) tool() (*sql.DB, error) {
	if d.db != nil {
		return d.db, nil
	}
	if err := os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(d.path)+"?_pragma=journal_mode(wal)&_pragma=synchronous(off)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	d.db = db
	return db, nil
}

// close ends the tool, which writes its log back.
func (d *database) close() error {
	if d.db == nil {
		return nil
	}
	err := d.db.Close()
	d.db = nil
	return err
}

// do carries out statements, as one transaction.
func (d *database) do(statements ...string) error {
	db, err := d.tool()
	if err != nil {
		return err
	}
	if _, err := db.Exec("BEGIN;\n" + strings.Join(statements, "\n") + "\nCOMMIT;"); err != nil {
		return fmt.Errorf("write to database: %w", err)
	}
	return nil
}

// store does one thing to a database.
func (w *world) store() error {
	d := w.databases[w.rng.IntN(len(w.databases))]
	if !d.begun || len(d.statements) == 0 {
		return w.insertRows(d)
	}
	actions := []func(*database) error{w.insertRows, w.insertRows, w.insertRows, w.insertRows, w.writeBack, w.endTool, w.replaceDatabase, w.changeMode}
	if d.parts {
		actions = append(actions, w.updateRow, w.updateRow, w.deleteRow, w.deleteConversation)
	} else {
		actions = append(actions, w.takeBack)
	}
	return actions[w.rng.IntN(len(actions))](d)
}

// insertRows continues where the tool was. All tables are made at once.
func (w *world) insertRows(d *database) error {
	n := 0
	for i, s := range d.statements {
		if strings.HasPrefix(strings.TrimSpace(s), "CREATE") {
			n = i + 1
		}
	}
	n = min(len(d.statements), n+1+w.rng.IntN(6))
	w.note("%d statements in %s", n, w.rel(d.path))
	err := d.do(d.statements[:n]...)
	d.statements, d.begun = d.statements[n:], true
	return err
}

// row is some row of a table, or none.
func (w *world) row(table string) string {
	return fmt.Sprintf("(SELECT rowid FROM %s ORDER BY rowid LIMIT 1 OFFSET %d)", table, w.rng.IntN(12))
}

// touchRow has a row say that it was changed, and the conversation to which it
// belongs, as the tool does.
func touchRow(table, row string) string {
	return fmt.Sprintf(`UPDATE session SET time_updated = time_updated + 1 WHERE id IN (SELECT session_id FROM %s WHERE rowid = %s);
		UPDATE %s SET time_updated = time_updated + 1 WHERE rowid = %s;`, table, row, table, row)
}

// updateRow changes a text in place.
func (w *world) updateRow(d *database) error {
	words := []string{"the ", "tho ", " to ", " ta "}
	from, to := words[w.rng.IntN(len(words))], words[w.rng.IntN(len(words))]
	row := w.row("part")
	w.note("update part %s of %s, %q to %q", row, w.rel(d.path), from, to)
	return d.do(touchRow("part", row), fmt.Sprintf("UPDATE part SET data = replace(data, '%s', '%s') WHERE rowid = %s;", from, to, row))
}

// takeBack takes back what was said last.
func (w *world) takeBack(d *database) error {
	n := 1 + w.rng.IntN(3)
	w.note("take back %d messages of %s", n, w.rel(d.path))
	how := "DELETE FROM messages"
	if d.marks {
		how = "UPDATE messages SET active = 0"
	}
	return d.do(fmt.Sprintf("%s WHERE id IN (SELECT id FROM messages ORDER BY id DESC LIMIT %d);", how, n))
}

func (w *world) deleteRow(d *database) error {
	table := []string{"part", "message"}[w.rng.IntN(2)]
	row := w.row(table)
	w.note("delete %s %s of %s", table, row, w.rel(d.path))
	return d.do(touchRow(table, row), fmt.Sprintf("DELETE FROM %s WHERE rowid = %s;", table, row))
}

func (w *world) deleteConversation(d *database) error {
	if w.rng.IntN(3) > 0 {
		return nil
	}
	id := fmt.Sprintf("(SELECT id FROM session ORDER BY rowid LIMIT 1 OFFSET %d)", w.rng.IntN(3))
	w.note("delete conversation %s of %s", id, w.rel(d.path))
	return d.do("DELETE FROM part WHERE session_id = "+id+";", "DELETE FROM message WHERE session_id = "+id+";", "DELETE FROM session WHERE id = "+id+";")
}

// writeBack begins the log again.
func (w *world) writeBack(d *database) error {
	w.note("write back the log of %s", w.rel(d.path))
	return w.alone(d, "PRAGMA wal_checkpoint(TRUNCATE)")
}

// changeMode does without a log, or with one.
func (w *world) changeMode(d *database) error {
	mode := []string{"wal", "delete"}[w.rng.IntN(2)]
	w.note("journal mode %s in %s", mode, w.rel(d.path))
	return w.alone(d, "PRAGMA journal_mode = "+mode)
}

// alone carries out what must be in no transaction.
func (w *world) alone(d *database, statement string) error {
	db, err := d.tool()
	if err == nil {
		_, err = db.Exec(statement)
	}
	return err
}

func (w *world) endTool(d *database) error {
	w.note("the tool of %s ends", w.rel(d.path))
	return d.close()
}

// replaceDatabase puts a copy in place of the database.
func (w *world) replaceDatabase(d *database) error {
	w.note("replace %s", w.rel(d.path))
	name := filepath.Join(w.outside, "new.db")
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := w.alone(d, "VACUUM INTO '"+filepath.ToSlash(name)+"'"); err != nil {
		return err
	}
	if err := d.close(); err != nil {
		return err
	}
	return os.Rename(name, d.path)
}
