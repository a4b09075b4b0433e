package nodedb

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// session returns one page of a session, in the order of its transcript.
func (v view) session(ctx context.Context, id string, f Filter, p Page) (Answer, error) {
	id, err := v.sessionID(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	q, err := v.inSession(ctx, id, f, p)
	if err != nil || q.SQL == "" {
		return Answer{}, err
	}
	nodes, err := v.fetch(ctx, "n IN ("+q.SQL+")", "source, thread, seq, n", q.Args)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Nodes: nodes}
	if len(nodes) > p.limit() {
		a.Nodes = nodes[:p.limit()]
		a.Next = a.Nodes[p.limit()-1].cursor()
	}
	if err = v.link(ctx, a.Nodes); err == nil {
		err = v.mark(ctx, a.Nodes)
	}
	return a, err
}

// SessionID completes the beginning of a session's id.
func (r *Reader) SessionID(ctx context.Context, id string) (whole string, err error) {
	err = r.look(ctx, func(v view) error {
		whole, err = v.sessionID(ctx, id)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("find session %s: %w", id, err)
	}
	return whole, nil
}

// sessionID completes the beginning of a session's id.
func (v view) sessionID(ctx context.Context, id string) (string, error) {
	const begins = `SELECT DISTINCT session FROM tally
		WHERE session >= ?1 AND session < ?1 || char(1114111) AND substr(session, 1, length(?1)) = ?1 ORDER BY session LIMIT 3`
	ids, err := schema.Collect(ctx, v, schema.Single[string], begins, id)
	switch {
	case err != nil:
		return "", err
	case len(ids) > 0 && ids[0] == id, len(ids) == 1 && id != "":
		return ids[0], nil
	case len(ids) > 1 && id != "":
		return "", AmbiguousSession(ids)
	}
	return "", ErrSession
}

// AmbiguousSession is the [ErrSession] of the beginning of several ids, some of which it names.
type AmbiguousSession []string

// Error implements error.
func (ids AmbiguousSession) Error() string {
	return "several sessions begin so, give more of the id (" + strings.Join(ids, ", ") + ")"
}

// Is reports whether target is what it is one of.
func (AmbiguousSession) Is(target error) bool { return target == ErrSession }

// enough is how many characters of an id are shown at least: the ids of some tools begin
// with the time.
const enough = 13

// Brief returns the beginning of an id that is shown where others are not known.
func Brief(id string) string {
	runes := []rune(id)
	return string(runes[:min(len(runes), enough)])
}

// Briefs returns as much of each session's id as no other session's begins with, and no less
// than [Brief] does.
func (r *Reader) Briefs(ctx context.Context, ids []string) (briefs map[string]string, err error) {
	err = r.look(ctx, func(v view) error {
		briefs, err = v.briefs(ctx, ids)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find sessions that begin alike: %w", err)
	}
	return briefs, nil
}

// briefs compares each id with the ids before and behind it in the order of all.
func (v view) briefs(ctx context.Context, ids []string) (map[string]string, error) {
	list, err := schema.JSONList(ids)
	if err != nil {
		return nil, err
	}
	type session struct{ id, before, behind string }
	all, err := schema.Collect(ctx, v, func(rows *sql.Rows, s *session) error { return rows.Scan(&s.id, &s.before, &s.behind) },
		`SELECT value, coalesce((SELECT max(session) FROM tally WHERE session < value), ''),
		  coalesce((SELECT min(session) FROM tally WHERE session > value), '') FROM json_each(?)`, list)
	briefs := make(map[string]string, len(ids))
	for _, id := range ids {
		briefs[id] = Brief(id)
	}
	for _, s := range all {
		alike := max(sharedRunes(s.id, s.before), sharedRunes(s.id, s.behind))
		runes := []rune(s.id)
		briefs[s.id] = string(runes[:min(len(runes), max(enough, alike+1))])
	}
	return briefs, err
}

// brief fills in what is shown of the ids of sessions.
func brief[T any](ctx context.Context, v view, all []T, of func(*T) (session string, brief *string)) error {
	ids := make([]string, len(all))
	for i := range all {
		ids[i], _ = of(&all[i])
	}
	slices.Sort(ids)
	briefs, err := v.briefs(ctx, slices.Compact(ids))
	for i := range all {
		session, brief := of(&all[i])
		*brief = briefs[session]
	}
	return err
}

// sharedRunes is how many characters two texts begin with alike.
func sharedRunes(a, b string) (n int) {
	x, y := []rune(a), []rune(b)
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// inSession returns the question for the numbers of a page of a session.
func (v view) inSession(ctx context.Context, id string, f Filter, p Page) (Query, error) {
	projects, err := v.projects(ctx, f.Project)
	if err != nil || f.Project != "" && len(projects) == 0 || !strings.HasPrefix(id, f.Session) {
		return Query{}, err
	}
	from, to := f.span()
	q := Query{SQL: "SELECT n FROM nodes WHERE session = ? AND n >= ? AND n < ?", Args: []any{id, from, to}}
	and := func(where string, args ...any) { q.SQL, q.Args = q.SQL+" AND "+where, append(q.Args, args...) }
	if len(projects) > 0 {
		and("project IN "+schema.Placeholders(len(projects)), schema.Anys(projects)...)
	}
	if f.Tool != "" {
		and("source = ?", string(f.Tool))
	}
	if len(f.Kinds) > 0 {
		and("+kind IN "+schema.Placeholders(len(f.Kinds)), schema.Anys(f.Kinds)...)
	}
	if f.Text != "" {
		terms, failed := fulltext.TermsOf(ctx, v, f.Text)
		if failed != nil {
			return Query{}, failed
		}
		expr := fulltext.Scope{Kinds: f.Kinds, Tool: string(f.Tool), Projects: projects}.Match(terms)
		if expr == "" {
			return Query{}, ErrSearch
		}
		// The time of the session spares reading about all the others.
		and(`n IN (SELECT rowid FROM search WHERE search MATCH ?
			AND rowid >= (SELECT min(n) FROM nodes WHERE session = ?)
			AND rowid <= (SELECT max(n) FROM nodes WHERE session = ?))`, expr, id, id)
	}
	said, err := v.overlay(ctx)
	if err != nil {
		return Query{}, err
	}
	if hidden := said.hiddenFrom(f); hidden != "" {
		and("n NOT IN (SELECT value FROM json_each(?))", hidden)
	}
	if p.After != "" {
		at, err := parseCursor(p.After)
		if err != nil {
			return Query{}, err
		}
		and("(source, thread, seq, n) > (?, ?, ?, ?)", at...)
	}
	q.SQL += " ORDER BY source, thread, seq, n LIMIT ?"
	q.Args = append(q.Args, p.limit()+1)
	return q, nil
}

// cursor returns the place of a node in its session.
func (n *Node) cursor() string {
	at := strings.Join([]string{string(n.Source), n.Thread, strconv.FormatInt(n.Seq, 10), strconv.FormatInt(n.n, 10)}, "\x00")
	return base64.RawURLEncoding.EncodeToString([]byte(at))
}

// parseCursor decodes the place at which the next page begins.
func parseCursor(s string) ([]any, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	at := strings.Split(string(b), "\x00")
	if err != nil || len(at) != 4 {
		return nil, ErrCursor
	}
	seq, err := strconv.ParseInt(at[2], 10, 64)
	n, err2 := strconv.ParseInt(at[3], 10, 64)
	if err != nil || err2 != nil {
		return nil, ErrCursor
	}
	return []any{at[0], at[1], seq, n}, nil
}
