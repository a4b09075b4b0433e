package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite/vfs"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/store/snapshot"
)

// Errors that say why a database gives nothing.
var (
	// ErrUnknown says that no adapter knows the tables. It is not final: a tool that is making
	// its database may create them later.
	ErrUnknown = errors.New("not a database of a known tool")
	// ErrBusy says that the owner wrote during each of several attempts to read. A later call
	// may succeed.
	ErrBusy = errors.New("database is being written")
	// ErrNoTable says that there is a view, or a table with computed columns, in place of a
	// table of a known tool. Reading it would run code of the person who made the database.
	ErrNoTable = errors.New("a view, or a table with computed columns, stands where a table of the tool should be")
	// ErrIncomplete says that tables of a known tool are missing, or that documents which list
	// conversations cannot be read. Everything else was read.
	ErrIncomplete = errors.New("database is incomplete")
)

// attempts is how often something is read that the owner's writes disturb. A tool that writes
// without a pause for so long gives [ErrBusy], and is read later.
const attempts = 16

// Row is a record of a conversation: a row of a database, or a file of a tree. A row of a table
// "message" with the key m1, as JSON:
//
//	{"table":"message","key":"m1","role":"user","data":{"text":"hi"}}
//
// JSON is never changed after the Row was returned, and belongs to the caller.
type Row struct {
	At   core.Location
	JSON []byte // one line
	// Over, if not nil, says how large a record is that exceeds a limit. Its JSON then has the
	// table and the key only.
	Over *core.OverLimit
	// Broken says which cell should be JSON and why it is not. The record has that cell as a
	// string.
	Broken error
}

// Conversation is a conversation that is new, has changed, or was deleted.
type Conversation struct {
	Key  string
	Rows []Row // all of them, in their order; nil if it was deleted
	Gone bool
}

// IsDatabase reports whether a file that begins with head is a database.
func IsDatabase(head []byte) bool {
	return snapshot.IsDatabase(head)
}

// Database follows the conversations of one database. It must be used by one goroutine.
//
// For each conversation it remembers a digest of its records and the pages that they came from,
// not the records: some hundred bytes.
type Database struct {
	path    string
	choose  func(path string, s core.Schema) (core.Adapter, core.Layout)
	adapter core.Adapter
	layout  core.Layout
	// incomplete is an ErrIncomplete about the tables, or nil.
	incomplete error
	// What SQLite reads through: the view is the file that it sees, vfs makes the view a file
	// system for the driver, and guard ends queries that take too long.
	schema []string // as it was when the layout was chosen

	view  *snapshot.Snapshot
	vfs   *vfs.FS
	db    *sql.DB
	guard *guard
	// Limits, set before the first call of Changes.
	most  int           // bytes of a conversation that are kept; 0: a standard
	waits time.Duration // how long a query may take; 0: as long as suits the size
	pause func() bool   // says that the rest can wait; nil: never
	at    string        // what the files were before Changes last ended well
	// known has what was seen of each conversation, by key.
	known map[string]*known
	pass  *pass // that has not ended; nil if there is none
}

// known is what was seen of a conversation when it was last read: the pages that the reading
// touched, the moment of the view at that time, the tool's own stamp, and a digest of all
// records.
type known struct {
	moment uint64
	pages  []uint32
	stamp  string
	sum    [sha256.Size]byte
}

// Open prepares to read a database. Choose returns the adapter that knows its tables, and nil
// if there is none. No file is opened yet.
func Open(path string, choose func(path string, s core.Schema) (core.Adapter, core.Layout)) (*Database, error) {
	d := &Database{path: path, choose: choose, view: snapshot.New(path), guard: newGuard(), known: map[string]*known{}}
	name, fs, err := vfs.New(d.view.Files())
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	d.vfs = fs
	const reading = "?mode=ro&_defensive=1&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=temp_store(memory)&_pragma=query_only(1)"
	d.db = sql.OpenDB(connector{"file:" + snapshot.FileName + reading + "&vfs=" + name, d.guard})
	d.db.SetMaxOpenConns(1)
	return d, nil
}

// Close frees everything that the Database remembers.
func (d *Database) Close() error {
	d.view.Release()
	return errors.Join(d.db.Close(), d.vfs.Close())
}

// SetPatience sets how long a query may take before it ends with [ErrSlow]. The default, which
// is also the maximum, is a minute, or the time to read the whole file at 4 MiB a second if
// that is longer.
func (d *Database) SetPatience(most time.Duration) { d.waits = most }

// SetMost sets how many bytes of a conversation are kept, measured roughly as the memory that
// they take; the default is 128 MiB. The first row that does not fit is replaced by one with
// Over set, and nothing behind it is read.
func (d *Database) SetMost(bytes int) { d.most = bytes }

// SetPause makes Changes end between two conversations when pause returns true. Each call reads
// at least one conversation, and the next call continues there.
func (d *Database) SetPause(pause func() bool) { d.pause = pause }

// IsAmid reports whether the last call of Changes ended before it had looked at all
// conversations.
func (d *Database) IsAmid() bool { return d.pass != nil }

// The default patience for a query: leastPatience, or the time to read the whole database at
// readRate bytes a second if that is longer.
const (
	leastPatience = time.Minute
	readRate      = 4 << 20
)

// patience returns how long the next query may take: the value of SetPatience, at most maxPatience.
func (d *Database) patience() time.Duration {
	if most := d.maxPatience(); d.waits == 0 || d.waits > most {
		return most
	}
	return d.waits
}

// maxPatience returns the longest time that a query may take.
func (d *Database) maxPatience() time.Duration {
	return max(leastPatience, time.Duration(d.view.Size()/readRate)*time.Second)
}

// Adapter returns the adapter of the tool that owns the database; nil before the first call of
// Changes that recognised it.
func (d *Database) Adapter() core.Adapter { return d.adapter }

// HasMoved reports whether the files of the database have changed since Changes last ended, or
// whether Changes ended with an error or early. It compares sizes and times only, so it may
// miss a write directly after the last call.
func (d *Database) HasMoved() bool { return d.at == "" || d.at != d.stat() }

// Again makes the next call of Changes yield a conversation even if it has not changed.
func (d *Database) Again(key string) {
	delete(d.known, key)
	d.at = ""
}

// stat returns the names, sizes and times of the database, its log and its journal, as one
// string to compare.
func (d *Database) stat() string {
	var s strings.Builder
	for _, suffix := range []string{"", "-wal", "-journal"} {
		if info, err := os.Stat(d.path + suffix); err == nil {
			addInfo(&s, info)
		}
	}
	return s.String()
}

// pass is one way through the conversations of a database, from the first to the last. If pause
// or the caller ends Changes early, several calls share one pass.
type pass struct {
	before string   // what the files were when it began
	keys   []string // of the conversations that the database listed
	next   int      // the first of them that was not looked at
	slow   int      // conversations that took too long

	unreadable error // an ErrIncomplete about documents, or nil
}

// maxSlow is how many conversations may exceed their time before the whole pass ends with
// ErrSlow.
const maxSlow = 3

// Changes yields the conversations that are new, have changed or were deleted since the last
// call, in the order in which the database lists them; deleted ones come last.
//
//	(c, nil)            a conversation, or its deletion (Gone)
//	(key, error)        it cannot be read and is tried again by the next call
//	("", error)         the whole database: ErrBusy, ErrUnknown, ErrSlow, [snapshot.ErrNotSQLite], …
//
// After three conversations that took too long the call ends with ErrSlow. A caller that stops
// early gets the rest from the next call; until then HasMoved reports true.
func (d *Database) Changes(ctx context.Context) iter.Seq2[Conversation, error] {
	return func(yield func(Conversation, error) bool) {
		d.at = ""
		// A connection costs memory, and most databases lie idle.
		d.db.SetMaxIdleConns(1)
		defer d.db.SetMaxIdleConns(0)
		p, err := d.begin(ctx)
		defer d.view.Release()
		if err != nil {
			d.pass = nil
			if errors.Is(err, ErrUnknown) || errors.Is(err, ErrIncomplete) {
				d.at = p.before // its owner may yet make the tables
			}
			yield(Conversation{}, err)
			return
		}
		for p.next < len(p.keys) {
			key := p.keys[p.next]
			p.next++
			if !d.look(ctx, key, yield) {
				return
			}
			if p.slow >= maxSlow || d.guard.spent > maxSlow*d.maxPatience() {
				d.pass = nil
				yield(Conversation{}, ErrSlow)
				return
			}
			if d.pause != nil && d.pause() && p.next < len(p.keys) {
				return
			}
		}
		d.end(yield)
	}
}

// begin lists the conversations, or continues a pass that has not ended. A pass whose schema
// changed meanwhile starts again. The view is open when it returns. After an error, only the
// field before of the pass is set.
func (d *Database) begin(ctx context.Context) (*pass, error) {
	if p := d.pass; p != nil {
		d.view.Release()
		schema := d.schema
		_, err := d.reading(ctx, func() error { return d.recognise(ctx) })
		if err != nil || slices.Equal(schema, d.schema) {
			return p, err
		}
	}
	d.pass = &pass{before: d.stat()}
	d.guard.spent = 0
	keys, unreadable, err := d.list(ctx)
	d.pass.keys, d.pass.unreadable = keys, notJSON(unreadable)
	return d.pass, err
}

// end yields the conversations that were deleted, and at last an error that concerns no single
// conversation. A pass in which all conversations were read is recorded in at, so that HasMoved
// reports false.
func (d *Database) end(yield func(Conversation, error) bool) {
	p := d.pass
	d.pass = nil
	listed := make(map[string]bool, len(p.keys))
	for _, key := range p.keys {
		listed[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(d.known)) {
		if listed[key] {
			continue
		}
		delete(d.known, key)
		if !yield(Conversation{Key: key, Gone: true}, nil) {
			return
		}
	}
	if len(d.known) >= len(listed) { // none failed
		d.at = p.before
	}
	if err := cmp.Or(p.unreadable, d.incomplete); err != nil {
		yield(Conversation{}, err)
	}
}

// Count returns the number of conversations that the database lists. With [ErrIncomplete] there
// may be more.
func (d *Database) Count(ctx context.Context) (int, error) {
	keys, unreadable, err := d.list(ctx)
	d.view.Release()
	if err == nil {
		err = cmp.Or(notJSON(unreadable), d.incomplete)
	}
	return len(keys), err
}

// notJSON returns the error of values that should be JSON documents; nil if there are none.
func notJSON(names []string) error {
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("%w: not JSON, though conversations are listed there: %s", ErrIncomplete, strings.Join(names, ", "))
}

// Check returns what is wrong with a database whose tables no adapter knows: the first finding
// of SQLite's quick check, or the error of reading it. Tables is false if it has no tables,
// which is normal while a tool creates it.
func (d *Database) Check(ctx context.Context) (tables bool, err error) {
	var names, found []string
	_, err = d.reading(ctx, func() (err error) {
		if names, err = d.strings(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table'`); err != nil {
			return err
		}
		if len(names) == 0 {
			if d.view.Pages() > 1 {
				return fmt.Errorf("%w: it has pages, and no tables any more", ErrIncomplete)
			}
			return nil
		}
		found, err = d.strings(ctx, `PRAGMA quick_check(1)`)
		return err
	})
	if err == nil && len(found) > 0 && found[0] != "ok" {
		err = fmt.Errorf("database is damaged: %s", strings.TrimSpace(found[0]))
	}
	return len(names) > 0, err
}

// list opens the view and lists the conversations, and the documents of
// [core.Layout.Unreadable].
func (d *Database) list(ctx context.Context) (keys, unreadable []string, err error) {
	d.view.Release()
	_, err = d.reading(ctx, func() (err error) {
		if err = d.recognise(ctx); err != nil {
			return err
		}
		if err = d.findMissing(ctx); err != nil {
			return err
		}
		if keys, err = d.strings(ctx, d.layout.Conversations); err != nil || d.layout.Unreadable == "" {
			return err
		}
		unreadable, err = d.strings(ctx, d.layout.Unreadable)
		return err
	})
	return keys, unreadable, err
}

// reading calls read so that everything it reads is of one moment, and returns that moment. If
// the owner wrote meanwhile, read is called again. It opens the view if necessary.
//
// It tries 16 times, then returns [ErrBusy]. Since read may run several times, it must start
// from nothing each time.
func (d *Database) reading(ctx context.Context, read func() error) (uint64, error) {
	for range attempts {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if !d.view.IsOpen() {
			if err := d.view.Take(); errors.Is(err, snapshot.ErrBusy) {
				continue
			} else if err != nil {
				return 0, err
			}
		}
		d.view.Begin()
		moment := d.view.Moment()
		err := read()
		switch holds, failed := d.view.Holds(); {
		case failed != nil:
			return 0, failed
		case holds:
			return moment, err
		}
		d.view.Release()
	}
	return 0, ErrBusy
}

// recognise finds the adapter and its layout by the tables, and again whenever the schema has
// changed. It returns [ErrUnknown] for tables of no tool, and [ErrNoTable] if a view replaces a
// table.
//
// After a change of the schema all conversations are read again.
func (d *Database) recognise(ctx context.Context) error {
	now, err := d.strings(ctx, `SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name`)
	if err != nil {
		return err
	}
	if d.adapter != nil && slices.Equal(now, d.schema) {
		return nil
	}
	tables, withViews, err := d.tables(ctx)
	if err != nil {
		return err
	}
	a, layout := d.choose(d.path, tables)
	if len(withViews) > len(tables) {
		// If views make a difference, some query would read one.
		if b, other := d.choose(d.path, withViews); b != nil && (a == nil || !reflect.DeepEqual(layout, other)) {
			d.adapter = nil
			return ErrNoTable
		}
	}
	if d.adapter, d.layout = a, layout; a == nil {
		if err := d.findMissing(ctx); err != nil {
			return err
		}
		return cmp.Or(d.incomplete, ErrUnknown)
	}
	d.schema = now
	clear(d.known)
	return nil
}

// tables returns the tables of the database with their columns, and the same together with the
// views. A table with a computed column counts as a view. A virtual table is in neither, since
// asking for its columns would run its code.
func (d *Database) tables(ctx context.Context) (tables, withViews core.Schema, err error) {
	tables, withViews = core.Schema{}, core.Schema{}
	const columns = `SELECT t.name, c.name, c.hidden = 2 FROM sqlite_schema t, pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND t.rootpage > 0`
	var computing []string
	err = d.query(ctx, columns, nil, func(rows *sql.Rows) error {
		var (
			table, column string
			computed      bool
		)
		if failed := rows.Scan(&table, &column, &computed); failed != nil {
			return failed
		}
		tables[table] = append(tables[table], column)
		if computed {
			computing = append(computing, table)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(withViews, tables)
	for _, table := range computing {
		delete(tables, table)
	}
	views, err := d.strings(ctx, `SELECT name FROM sqlite_schema WHERE type = 'view'`)
	for _, view := range views {
		// One that names no columns cannot be read either.
		if names, _ := d.strings(ctx, `SELECT name FROM pragma_table_xinfo(?1)`, view); len(names) > 0 {
			withViews[view] = names
		}
	}
	return tables, withViews, err
}

// findMissing sets incomplete if the layout names tables that must be there and are not. Tables
// of an older version of the tool count instead (Missing.Instead), and a database without any
// rows is not incomplete but new (Missing.Others).
func (d *Database) findMissing(ctx context.Context) error {
	m := d.layout.Missing
	if d.incomplete = nil; m == nil {
		return nil
	}
	instead, err := d.hasRows(ctx, m.Instead)
	if err != nil || instead {
		return err
	}
	others, err := d.hasRows(ctx, m.Others)
	if others {
		d.incomplete = fmt.Errorf("%w: %s is missing", ErrIncomplete, m.What)
	}
	return err
}

// hasRows reports whether at least one of the tables has a row. A table that does not exist is
// an error of the query.
func (d *Database) hasRows(ctx context.Context, tables []string) (bool, error) {
	for _, table := range tables {
		found, err := d.strings(ctx, `SELECT 'a row' FROM "`+strings.ReplaceAll(table, `"`, `""`)+`" LIMIT 1`)
		if err != nil || len(found) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// strings returns the first column of the rows of a query, without NULLs.
func (d *Database) strings(ctx context.Context, query string, args ...any) ([]string, error) {
	var all []string
	err := d.query(ctx, query, args, func(rows *sql.Rows) error {
		var s sql.NullString
		if err := rows.Scan(&s); err != nil {
			return err
		}
		if s.Valid {
			all = append(all, s.String)
		}
		return nil
	})
	return all, err
}

// look yields a conversation if it has changed, or the error of reading it. It returns false
// if the caller wants no more.
func (d *Database) look(ctx context.Context, key string, yield func(Conversation, error) bool) bool {
	c, err := d.read(ctx, key)
	if err != nil {
		delete(d.known, key)
		if errors.Is(err, context.Canceled) {
			return yield(Conversation{}, err) && false
		}
		if errors.Is(err, ErrSlow) {
			d.pass.slow++
		}
		return yield(Conversation{Key: key}, fmt.Errorf("read conversation %s: %w", key, err))
	}
	return c.Rows == nil || yield(c, nil)
}

// read reads a conversation, and returns an empty one if it has not changed. The cheap tests
// come first:
//
//	1  none of its pages was written since         unchanged, nothing is read
//	2  the log cannot tell, but the stamp is equal unchanged, one row is read
//	3  the digest of all its records is equal      unchanged, everything was read
func (d *Database) read(ctx context.Context, key string) (Conversation, error) {
	before := d.known[key]
	if before != nil && d.view.IsOpen() {
		if stale, sure := d.view.IsStale(before.pages, before.moment); !stale && sure {
			return Conversation{}, nil
		} else if !stale && d.layout.Stamp != "" && d.sameStamp(ctx, key, before) {
			return Conversation{}, nil
		}
	}
	var (
		now = &known{}
		r   *reader
	)
	moment, err := d.reading(ctx, func() error {
		var err error
		if now.stamp, err = d.stamp(ctx, key); err != nil {
			return err
		}
		r = &reader{query: d.query, file: d.path, room: newRoom(d.most)}
		err = r.all(ctx, d.layout.Rows, key)
		now.pages = d.view.Looked()
		return err
	})
	if err != nil {
		return Conversation{}, err
	}
	now.moment, now.sum = moment, r.digest()
	d.known[key] = now
	if before != nil && before.sum == now.sum {
		return Conversation{}, nil
	}
	return Conversation{Key: key, Rows: r.rows}, nil
}

// sameStamp reports whether the tool's stamp of a conversation is the same as before. If so, it
// records the present moment, so that the next test by pages starts here.
func (d *Database) sameStamp(ctx context.Context, key string, before *known) bool {
	var now string
	moment, err := d.reading(ctx, func() error {
		var err error
		now, err = d.stamp(ctx, key)
		return err
	})
	if err != nil || now != before.stamp {
		return false
	}
	before.moment = moment
	return true
}

// stamp returns the tool's own record of a conversation's state, such as its time of change; ""
// if the layout has no such query.
func (d *Database) stamp(ctx context.Context, key string) (string, error) {
	if d.layout.Stamp == "" {
		return "", nil
	}
	r := reader{query: d.query, file: d.path, room: newRoom(0)}
	if err := r.all(ctx, []core.Rows{{Query: d.layout.Stamp}}, key); err != nil {
		return "", err
	}
	var s strings.Builder
	for i := range r.rows {
		s.Write(r.rows[i].JSON)
	}
	return s.String(), nil
}
