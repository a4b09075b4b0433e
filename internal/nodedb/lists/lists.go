// Package lists lists the sessions, projects, node counts and token usage in a database.
//
// Lists come newest first and a page at a time. A page ends with a cursor:
//
//	page, err := lists.Sessions(ctx, r, f, lists.Page{})
//	next, err := lists.Sessions(ctx, r, f, lists.Page{After: page.Next})
//
// What comes into the database between two pages does not shift the second.
//
// Sums come from the table tally, which sink/sqlite keeps: a list of sessions costs as much as
// it has sessions, not nodes. Only counts over a span of time, and token usage, read rows.
//
//	Sessions    {"session_id":"01a2…","source":"pi","project":"/home/dev/…","threads":1,
//	             "messages":3,"decisions":1,"bans":0,"episodes":0,"first":"…","last":"…"}
//	Projects    the same counts, per folder
//	Stats       the same counts, over everything and per tool
//	Usage       {"by":"day","prices":"2026-09-22","items":[{"key":"2026-11-22",
//	             "input_tokens":7486,"output_tokens":400,…}],"total":{…}}
//
// A day of usage is a day in the zone that is asked for, so tokens are first summed by quarters
// of an hour; see partOf. Tools count differently: some include what came from the cache in the
// input, some do not include thoughts in the output. Here every kind of token excludes the
// others.
//
// Errors: nodedb.ErrCursor for a page that no list has given, nodedb.ErrProject and
// nodedb.ErrSession for names that are not known.
//
// Where to find what: sessions.go has sessions and projects, stats.go totals, usage.go and
// responses.go tokens and costs, files.go edited files, begin.go ids that begin alike,
// retention.go what would be deleted.
package lists

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// Filter narrows a list. The zero Filter leaves everything in.
type Filter struct {
	Project string // a folder, with all below it, or the last element of one
	Tool    core.Tool
	Session string // an id, or the beginning of one that no other session has
	// Since and Until are the first moment that counts and the first that does not.
	Since, Until time.Time
}

// MaxPage is how many items a page has at most.
const MaxPage = 1000

// Page is a part of a list.
type Page struct {
	After string // Next of the part before; "" is the beginning
	Limit int    // how many items; 0 is 50, and MaxPage the most
}

// List is a part of a list, and the cursor of the next part.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next,omitempty"` // the Page.After of the next part; "" if this is the last
}

// limit returns the size of a page: 50 by default, never more than MaxPage.
func (p Page) limit() int {
	if p.Limit <= 0 {
		return 50
	}
	return min(p.Limit, MaxPage)
}

// place is where a page ended: behind the item with this moment (milliseconds since 1970, or
// ended) and these names, which distinguish items of one moment. It travels as the cursor:
// base64 of its JSON.
type place struct {
	Last  int64    `json:"l"`
	Names []string `json:"n"`
}

// cursor encodes the place at which the next page begins.
func (p place) cursor() string {
	text, err := json.Marshal(p)
	if err != nil { // numbers and texts can be marshalled
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// after decodes the cursor of a page, which must have as many names as the list sorts by. It
// returns [nodedb.ErrCursor] for one that this list cannot have given.
func (p Page) after(names int) (at place, err error) {
	text, err := base64.RawURLEncoding.DecodeString(p.After)
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil || len(at.Names) != names {
		return at, nodedb.ErrCursor
	}
	return at, nil
}

// where collects conditions of SQL with their arguments, in the order of the question marks.
// The zero where is true for every row.
type where struct {
	all  []string
	args []any
}

// and adds a condition with its arguments.
func (w *where) and(condition string, args ...any) {
	w.all, w.args = append(w.all, condition), append(w.args, args...)
}

// narrows reports whether there is a condition on a column.
func (w *where) narrows(column string) bool {
	return slices.ContainsFunc(w.all, func(condition string) bool { return strings.HasPrefix(condition, column+" ") })
}

// String returns the conditions joined by AND.
func (w *where) String() string {
	if len(w.all) == 0 {
		return "true"
	}
	return strings.Join(w.all, " AND ")
}

// numbered is String with numbered parameters, for queries in which it stands more than once: the
// args are given once.
func (w *where) numbered() string {
	var b strings.Builder
	for i, part := range strings.Split(w.String(), "?") {
		if i > 0 {
			fmt.Fprintf(&b, "?%d", i)
		}
		b.WriteString(part)
	}
	return b.String()
}

// scope returns the conditions of a filter on the columns project, source and session. It
// resolves the names: a project may be the last element of a folder, a session the beginning of
// an id. It returns [nodedb.ErrProject] or [nodedb.ErrSession] for a name that matches nothing.
func (f Filter) scope(ctx context.Context, s nodedb.Snapshot) (w where, err error) {
	if f.Project != "" {
		projects, err := s.Projects(ctx, f.Project)
		if err != nil {
			return w, err
		}
		text, err := json.Marshal(projects)
		if err != nil {
			return w, err
		}
		w.and("project IN (SELECT value FROM json_each(?))", string(text))
	}
	if f.Tool != "" {
		w.and("source = ?", string(f.Tool))
	}
	if f.Session != "" {
		id, err := s.SessionID(ctx, f.Session)
		if err != nil {
			return w, fmt.Errorf("session %s: %w", f.Session, err)
		}
		w.and("session = ?", id)
	}
	return w, nil
}

// span adds the bounds of time: what ended before Since or began at Until or later is left out,
// where first and last are columns of milliseconds. With either bound, what has no time is left
// out too, since NULL compares with nothing.
func (f Filter) span(w *where, first, last string) {
	if !f.Since.IsZero() {
		w.and(last+" >= ?", millis(f.Since))
	}
	if !f.Until.IsZero() {
		w.and(first+" < ?", millis(f.Until))
	}
}

// millis returns a moment in milliseconds since 1970, rounded up: a bound within a millisecond
// excludes that millisecond.
func millis(t time.Time) int64 {
	ms := t.UnixMilli()
	if t.Nanosecond()%int(time.Millisecond) > 0 {
		ms++
	}
	return ms
}

// stamp returns milliseconds since 1970 as RFC 3339 in UTC; "" for NULL.
func stamp(ms sql.NullInt64) string {
	if !ms.Valid {
		return ""
	}
	return time.UnixMilli(ms.Int64).UTC().Format("2006-01-02T15:04:05.000Z")
}
