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
	// ErrUnknown says that no adapter knows the tables.
	ErrUnknown = errors.New("not a database of a known tool")
	// ErrBusy says that the database could not be read while its owner wrote. It
	// can be later.
	ErrBusy = errors.New("database is being written")
	// ErrNoTable says that where a table of a known tool should be, there is a view, or a
	// table with computed columns: reading it would run code of whoever made the database.
	ErrNoTable = errors.New("a view, or a table with computed columns, stands where a table of the tool should be")
	// ErrIncomplete says that tables of a known tool are missing, or documents in them that
	// list conversations cannot be read. What else there is was read.
	ErrIncomplete = errors.New("database is incomplete")
)

// attempts is how often a reading is tried that its owner's writing disturbs. A tool that
// writes without a pause for so long is busy ([ErrBusy]) and is looked at later.
const attempts = 16

// Row is a record of a conversation: a row of a database, or a file of a tree.
type Row struct {
	At   core.Location
	JSON []byte // one line
	// Over says, of a record that is too large, how large; JSON is then what it is
	// called.
	Over *core.OverLimit
	// Broken says which cell should be JSON and why it is not. The record has it as text.
	Broken error
}

// Conversation is one that is new or has changed.
type Conversation struct {
	Key  string
	Rows []Row // all of them, in their order; nil if it was deleted
	Gone bool
}

// IsDatabase reports whether a file that begins with head is a database.
func IsDatabase(head []byte) bool {
	return snapshot.IsDatabase(head)
}

// Database follows the conversations of one database. It serves one goroutine.
//
// What it remembers of a conversation is a digest of its records and the pages they came
// from, not the records: some hundred bytes for each.
type Database struct {
	path    string
	choose  func(path string, s core.Schema) (core.Adapter, core.Layout)
	adapter core.Adapter
	layout  core.Layout
	// incomplete is an ErrIncomplete about the tables, or nil.
	incomplete error
	// What SQLite reads through.
	schema []string // as it was when the layout was chosen

	view  *snapshot.Snapshot
	vfs   *vfs.FS
	db    *sql.DB
	guard *guard
	// Bounds, set before the first look.
	most  int           // bytes of a conversation that are kept; 0: a standard
	waits time.Duration // how long a query may take; 0: as long as suits the size
	pause func() bool   // says that the rest can wait; nil: never
	at    string        // what the files were before Changes last ended well
	// known is what was seen of each conversation, by key. pages are those its reading
	// looked at and moment is when: the view tells whether one of them was written
	// since.
	known map[string]*known
	pass  *pass // that has not ended; nil if there is none
}

// known is what was seen of a conversation when it was last read: which pages, at which
// moment of the view, the tool's own stamp, and a digest of all records.
type known struct {
	moment uint64
	pages  []uint32
	stamp  string
	sum    [sha256.Size]byte
}

// Open prepares to read a database; choose finds the adapter that knows its
// tables, or none. Nothing of it stays open but during Changes.
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

// Close forgets what was seen.
func (d *Database) Close() error {
	d.view.Release()
	return errors.Join(d.db.Close(), d.vfs.Close())
}

// SetPatience says how long a query may take before it ends with [ErrSlow]. Without it
// that is a minute, and longer for a large database; more it never is.
func (d *Database) SetPatience(most time.Duration) { d.waits = most }

// SetMost says how many bytes of a conversation are kept, in about the memory that they
// take; the standard is 128 MiB. In place of the first row that does not fit comes one
// that says so, and what is behind it is not read.
func (d *Database) SetMost(bytes int) { d.most = bytes }

// SetPause has Changes end between two conversations once pause reports true. Each call
// looks at one conversation at least, and the next one begins where it ended.
func (d *Database) SetPause(pause func() bool) { d.pause = pause }

// IsAmid reports whether Changes has ended before it had looked at everything.
func (d *Database) IsAmid() bool { return d.pass != nil }

// What a query may take if nothing else is said: leastPatience, or the time in which
// readRate bytes a second read the whole database.
const (
	leastPatience = time.Minute
	readRate      = 4 << 20
)

// patience returns how long the next query may take: what SetPatience said, within lasting.
func (d *Database) patience() time.Duration {
	if most := d.lasting(); d.waits == 0 || d.waits > most {
		return most
	}
	return d.waits
}

// lasting returns what a query may take at most.
func (d *Database) lasting() time.Duration {
	return max(leastPatience, time.Duration(d.view.Size()/readRate)*time.Second)
}

// Adapter returns the adapter of the tool whose database it is, once Changes has found out.
func (d *Database) Adapter() core.Adapter { return d.adapter }

// HasMoved reports whether the files of the database are others than when
// Changes last ended, or whether it did not end well. It looks at nothing but
// their sizes and times: a write right after the last look may escape it.
func (d *Database) HasMoved() bool { return d.at == "" || d.at != d.stat() }

// Again has a conversation count as new for the next Changes, which gives all of it then.
func (d *Database) Again(key string) {
	delete(d.known, key)
	d.at = ""
}

// stat returns what the system says of the files.
func (d *Database) stat() string {
	var s strings.Builder
	for _, suffix := range []string{"", "-wal", "-journal"} {
		if info, err := os.Stat(d.path + suffix); err == nil {
			addInfo(&s, info)
		}
	}
	return s.String()
}

// pass is one way through the conversations of a database, from the first to the last.
// It may take several calls of Changes.
type pass struct {
	before string   // what the files were when it began
	keys   []string // of the conversations that the database listed
	next   int      // the first of them that was not looked at
	slow   int      // conversations that took too long

	unreadable error // an ErrIncomplete about documents, or nil
}

// maxSlow is how many conversations may take too long before the database does.
const maxSlow = 3

// Changes yields the conversations that are new, have changed or were deleted since the
// last call, in the order in which the database lists them; deleted ones come last.
//
//	(c, nil)            a conversation, or its deletion (Gone)
//	(key, error)        it cannot be read and is tried again by the next call
//	("", error)         the whole database: ErrBusy, ErrUnknown, ErrSlow, [snapshot.ErrNotSQLite], …
//
// After three conversations that took too long the call ends with ErrSlow. Whoever
// stops early gets the rest from the next call: HasMoved reports true until then.
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
			if p.slow >= maxSlow || d.guard.spent > maxSlow*d.lasting() {
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

// begin lists the conversations, or resumes a pass that has not ended. The
// view is open then. After an error only what the files were is of use.
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

// end yields the conversations that were deleted, after the others.
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

// Count returns how many conversations the database lists.
// With [ErrIncomplete] it may be more.
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

// Check says what is wrong with a database whose tables are not known: it is
// damaged, as far as SQLite's quick check finds, or cannot be read. It also tells
// whether there are tables at all: there are none while a tool is making it.
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

// reading has read done at one moment, which it returns: again if the owner of
// the database has meddled. A view that is not open is opened.
//
// It tries 16 times, then returns [ErrBusy]. read may run several times and must begin
// anew each time.
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

// recognise finds out whose the database is, again whenever its tables change. It returns
// [ErrUnknown] for tables of no tool, [ErrNoTable] where a view stands for a table.
//
// A schema that changes makes everything known be read again.
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

// tables lists the tables of the database with their columns, and the views among
// them too. A table with a column that is computed when it is read is a view. A virtual
// table is in neither: to learn its columns would run its code.
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

// findMissing sets incomplete if tables are missing for good.
func (d *Database) findMissing(ctx context.Context) error {
	m := d.layout.Missing
	if d.incomplete = nil; m == nil {
		return nil
	}
	instead, err := d.haveRows(ctx, m.Instead)
	if err != nil || instead {
		return err
	}
	others, err := d.haveRows(ctx, m.Others)
	if others {
		d.incomplete = fmt.Errorf("%w: %s is missing", ErrIncomplete, m.What)
	}
	return err
}

// haveRows reports whether one of some tables has a row.
func (d *Database) haveRows(ctx context.Context, tables []string) (bool, error) {
	for _, table := range tables {
		found, err := d.strings(ctx, `SELECT 'a row' FROM "`+strings.ReplaceAll(table, `"`, `""`)+`" LIMIT 1`)
		if err != nil || len(found) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// strings returns the first column of a query's rows.
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

// read reads a conversation unless it is known to be what it was.
//
// The cheap questions come first: were its pages written, else is its stamp the same,
// else is what it holds the same. Only the last one reads it.
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

// sameStamp reports whether a conversation's stamp is what it was, and notes
// that it is up to date then.
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

// stamp returns what the tool itself says of a conversation's state, such as when it was updated;
// "" if its layout has no such query.
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
