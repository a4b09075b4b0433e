// Package sums keeps what is counted of the nodes of a database, so that the lists of sessions,
// projects and tokens need not count a million rows. It maintains three tables:
//
//	tally   one row per thread of a session in a project: how many nodes of each kind,
//	        lines added and removed, the first and the last moment
//	files   one row per file that a tool edited
//	spent   one row per 3 kB of responses of a session: what they took in tokens
//
// Each table changes in the transaction that changes the nodes, so a reader never sees one
// without the other. A batch is gathered in memory first:
//
//	Add, Change, AddMessage ──▶ [Tallies] ──Write──▶ tally, files
//	Add, Remove             ──▶ [Spending] ─Write──▶ spent
//
// What is added is a sum, and adding it twice would be wrong: the caller adds a row only when
// the row is new. What is removed cannot be subtracted (the first and the last moment of a
// session are no sums), so the session is counted again from its rows. An edit is explained if
// a binding leads from it to a decision or a turn.
package sums

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Database is the connection of a database that is written to.
type Database interface {
	schema.Querier
	// Exec runs a statement, and returns how many rows it changed.
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	// Stmt returns the prepared form of a query, which the database closes.
	Stmt(ctx context.Context, query string) (*sql.Stmt, error)
	// Transact runs f in a transaction, and commits if f reports a change.
	Transact(ctx context.Context, f func(context.Context) (changed bool, err error)) error
}

// Row is what a row of nodes contributes to the counts.
type Row struct {
	N, Place                      int64 // its number, and the one that its place asks for
	Kind                          string
	Bans, InForce, Added, Removed int64
	Path, To                      string // of an edit; the edit that a binding explains
	Part
}

// Tallies gathers what a batch changes in the tables tally and files. Additions are summed up;
// a deletion, or a change of what a row is counted under, marks the whole session, which
// [Tallies.Write] counts again from its rows. That is rare.
//
// The zero Tallies is empty and ready. It serves one batch and one goroutine.
type Tallies struct {
	order []*tally
	of    map[Part]*tally
	stale []Part // sessions whose rows changed in what is counted

	bound     map[string]*binding // new bindings, by the edit that they explain
	explained []string            // the keys of bound, in order
	edited    map[File]bool       // files of new or changed edits; false if one may have no edit left
}

// binding counts the new bindings of one edit. An edit counts as explained once, however many
// decisions it carries out.
type binding struct {
	sum   *tally
	count int64
}

// File is a file that a tool edited.
type File struct{ Source, Path string }

// Part is what is counted: the nodes of a thread of a session in a project.
type Part struct{ Session, Source, Thread, Project string }

// tally is what is counted of the nodes of one part: how many there are of each kind, and the times of
// the first and the last.
type tally struct {
	Part

	conversations, decisions, bans, episodes, bindings, messages int64
	inForce, explained, added, removed                           int64
	first, last                                                  any // ms, or nil
}

// sum returns the counts of a part, which are written in the order in which their parts first
// came.
func (t *Tallies) sum(p Part) *tally {
	if t.of == nil {
		t.of = map[Part]*tally{}
	}
	sum, ok := t.of[p]
	if !ok {
		sum = &tally{Part: p}
		t.of[p] = sum
		t.order = append(t.order, sum)
	}
	return sum
}

// AddMessage counts a message that is new in the database; n is its number, which has its time.
func (t *Tallies) AddMessage(p Part, n int64) {
	sum := t.sum(p)
	sum.messages++
	sum.span(n)
}

// Add counts a row that is new in the database.
func (t *Tallies) Add(r *Row) {
	sum := t.sum(r.Part)
	switch r.Kind {
	case "conversation":
		sum.conversations++
	case "decision":
		sum.decisions++
		sum.bans += r.Bans
		sum.inForce += r.InForce
	case "episode":
		sum.episodes++
		sum.added += r.Added
		sum.removed += r.Removed
		t.edit(File{r.Source, r.Path}, true)
	case "binding":
		sum.bindings++
		t.bind(sum, r.To)
	}
	sum.span(r.N)
}

// edit notes that an edit of a file came, or went. If one edit of a file came and another went
// in the same batch, the file has an edit.
func (t *Tallies) edit(file File, came bool) {
	if t.edited == nil {
		t.edited = map[File]bool{}
	}
	t.edited[file] = came || t.edited[file]
}

// bind notes a new binding of an edit. Bindings of one edit from two parts mark the sessions of
// both to be counted again, since the edit is explained once in each.
func (t *Tallies) bind(sum *tally, edit string) {
	if t.bound == nil {
		t.bound = map[string]*binding{}
	}
	b := t.bound[edit]
	if b == nil {
		b = &binding{sum: sum}
		t.bound[edit] = b
		t.explained = append(t.explained, edit)
	}
	b.count++
	if b.sum != sum { // an edit is explained once in each part
		t.Again(b.sum.Part)
		t.Again(sum.Part)
	}
}

// span widens the first and the last moment to include a row's. A row without a time changes
// neither.
func (t *tally) span(n int64) {
	ms, ok := schema.TimeOf(n)
	if !ok {
		return
	}
	if first, ok := t.first.(int64); !ok || ms < first {
		t.first = ms
	}
	if last, ok := t.last.(int64); !ok || ms > last {
		t.last = ms
	}
}

// Change notes that a row took the place of another with the same id. If only numbers differ,
// their differences are added; if the row now counts under another part, kind or place, the
// sessions of both are counted again.
func (t *Tallies) Change(was, is *Row) {
	if gone := (File{was.Source, was.Path}); was.Path != "" && gone != (File{is.Source, is.Path}) {
		t.edit(gone, false)
	}
	if is.Path != "" {
		t.edit(File{is.Source, is.Path}, true)
	}
	if was.Part == is.Part && was.Kind == is.Kind && was.Bans == is.Bans && was.To == is.To && was.Place == is.Place {
		if inForce, added, removed := is.InForce-was.InForce, is.Added-was.Added, is.Removed-was.Removed; inForce != 0 || added != 0 || removed != 0 {
			sum := t.sum(is.Part)
			sum.inForce, sum.added, sum.removed = sum.inForce+inForce, sum.added+added, sum.removed+removed
		}
		return
	}
	t.Again(was.Part)
	t.Again(is.Part)
}

// Again marks the session of a part to be counted again.
func (t *Tallies) Again(p Part) {
	if session := (Part{Session: p.Session, Source: p.Source}); !slices.Contains(t.stale, session) {
		t.stale = append(t.stale, session)
	}
}

// Write applies the batch to the tables, in the caller's transaction: first the edits that
// became explained, then the sums, then the sessions to be counted again, then the files. It
// must be called after the nodes of the batch are written.
func (t *Tallies) Write(ctx context.Context, db Database) error {
	if err := t.explain(ctx, db); err != nil {
		return err
	}
	for _, sum := range t.order {
		_, err := db.Exec(ctx, `INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET
			  conversations = conversations + excluded.conversations, decisions = decisions + excluded.decisions,
			  bans = bans + excluded.bans, episodes = episodes + excluded.episodes, bindings = bindings + excluded.bindings,
			  first = min(coalesce(first, excluded.first), coalesce(excluded.first, first)),
			  last = max(coalesce(last, excluded.last), coalesce(excluded.last, last)), messages = messages + excluded.messages,
			  in_force = in_force + excluded.in_force, explained = explained + excluded.explained,
			  added = added + excluded.added, removed = removed + excluded.removed`,
			sum.Session, sum.Source, sum.Thread, sum.Project,
			sum.conversations, sum.decisions, sum.bans, sum.episodes, sum.bindings, sum.first, sum.last, sum.messages,
			sum.inForce, sum.explained, sum.added, sum.removed)
		if err != nil {
			return err
		}
	}
	for _, p := range t.stale {
		if err := Recount(ctx, db, p.Session, p.Source); err != nil {
			return err
		}
	}
	for file, came := range t.edited { // in any order
		if err := KeepFile(ctx, db, file, came); err != nil {
			return err
		}
	}
	return nil
}

// explain counts the edits that the bindings of this batch explain for the first time. It asks
// the database, in one query, how many bindings each edit has now: an edit whose bindings are
// all new was not explained before.
func (t *Tallies) explain(ctx context.Context, db Database) error {
	if len(t.explained) == 0 {
		return nil
	}
	list, err := schema.JSONList(t.explained)
	if err != nil {
		return err
	}
	st, err := db.Stmt(ctx, "SELECT (SELECT count(*) FROM nodes WHERE to_id = value) FROM json_each(?)") //nolint:sqlclosecheck // the database closes it
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, list)
	if err != nil {
		return err
	}
	defer rows.Close()
	var before []string // those that have older bindings
	for i := 0; rows.Next(); i++ {
		var all int64
		if err := rows.Scan(&all); err != nil {
			return err
		}
		if edit := t.explained[i]; all == t.bound[edit].count {
			t.bound[edit].sum.explained++
		} else {
			before = append(before, edit)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, edit := range before { // the older ones may be of another part, until they are delivered as of this one
		b, all := t.bound[edit], int64(0)
		err := db.QueryRowContext(ctx, `SELECT count(*) FROM nodes WHERE to_id = ? AND session = ? AND source = ? AND thread = ? AND project = ?`,
			edit, b.sum.Session, b.sum.Source, b.sum.Thread, b.sum.Project).Scan(&all)
		if err != nil {
			return err
		}
		if all == b.count {
			b.sum.explained++
		}
	}
	return nil
}

// KeepFile keeps the table files as the edits are, of which one of a file came or went.
func KeepFile(ctx context.Context, db Database, f File, came bool) error {
	if came {
		_, err := db.Exec(ctx, "INSERT INTO files VALUES (?, ?) ON CONFLICT DO NOTHING", f.Source, f.Path)
		return err
	}
	_, err := db.Exec(ctx, `DELETE FROM files WHERE source = ?1 AND path = ?2
		AND NOT EXISTS (SELECT * FROM nodes WHERE nodes.path = ?2 AND nodes.source = ?1)`, f.Source, f.Path)
	return err
}

// Recount counts the nodes and messages of a session.
func Recount(ctx context.Context, db Database, session, source string) error {
	if _, err := db.Exec(ctx, "DELETE FROM tally WHERE session = ? AND source = ?", session, source); err != nil {
		return err
	}
	_, err := db.Exec(ctx, `INSERT INTO tally
		SELECT session, source, thread, project,
		  count(*) FILTER (WHERE kind = 'conversation'), count(*) FILTER (WHERE kind = 'decision'),
		  count(*) FILTER (WHERE is_ban = 1), count(*) FILTER (WHERE kind = 'episode'),
		  count(*) FILTER (WHERE kind = 'binding'),
		  min(n >> 6) FILTER (WHERE n >= 0), max(n >> 6) FILTER (WHERE n >= 0), count(*) FILTER (WHERE kind = 'message'),
		  count(*) FILTER (WHERE kind = 'decision' AND superseded_by IS NULL), count(DISTINCT to_id),
		  coalesce(sum(added), 0), coalesce(sum(removed), 0)
		FROM (SELECT n, session, source, thread, project, kind, is_ban, superseded_by, to_id, added, removed
		  FROM nodes WHERE session = ?1 AND source = ?2
		  UNION ALL SELECT n, session, source, thread, project, 'message', NULL, NULL, NULL, NULL, NULL
		    FROM talks CROSS JOIN messages USING (t) WHERE session = ?1 AND source = ?2)
		GROUP BY thread, project`, session, source)
	return err
}
