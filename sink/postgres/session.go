package postgres

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/filename"
	"github.com/memscribe/memscribe/sink/internal/pg"
)

// File returns the edits of a file, the newest first, as [nodedb.Reader.File] does.
func (r *Reader) File(ctx context.Context, path string, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
	file := filename.Of(path)
	var q question
	q.and("kind = 'episode'")
	if file.End == "" {
		q.and("(base = ? AND path = ? OR old_path = ?)", file.Base, file.Path, file.Path)
	} else {
		q.and(`(base = ? AND (path = ? OR right(replace(path, '\', '/'), length(?::text)) = ?) OR old_path = ? OR right(replace(old_path, '\', '/'), length(?::text)) = ?)`,
			file.Base, file.Path, file.End, file.End, file.Path, file.End, file.End)
	}
	return r.answer(ctx, &q, f, p)
}

// Session returns the nodes of a session in the order of its transcript. The beginning of an id
// will do if one session only has it.
func (r *Reader) Session(ctx context.Context, id string, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
	whole, err := r.sessionID(ctx, id)
	if err != nil {
		return nodedb.Answer{}, fmt.Errorf("read session %s: %w", id, err)
	}
	q := question{asItWent: true}
	q.and("session = ?", whole)
	return r.answer(ctx, &q, f, p)
}

// sessionID completes the beginning of a session's id. A whole id wins over longer ones that
// begin with it. Several are an error that lists up to three.
func (r *Reader) sessionID(ctx context.Context, id string) (string, error) {
	var ids []string
	err := pg.Look(ctx, r.pool, func(ctx context.Context, tx pg.Tx) error {
		rows, err := tx.Query(ctx, "SELECT DISTINCT session FROM memscribe.nodes WHERE starts_with(session, $1) ORDER BY session LIMIT 3", id)
		if err == nil {
			ids, err = pg.Texts(rows)
		}
		return err
	})
	switch {
	case err != nil:
		return "", pg.Explain(err)
	case len(ids) > 0 && ids[0] == id, len(ids) == 1 && id != "":
		return ids[0], nil
	case len(ids) > 1 && id != "":
		return "", nodedb.AmbiguousSession(ids)
	}
	return "", nodedb.ErrSession
}

// order returns what an answer is sorted by. It ends in the id, so that no two nodes are equal
// and a cursor is exact.
func (q *question) order() string {
	if q.asItWent {
		return "source, thread, seq, n, id"
	}
	return "n DESC, id DESC"
}

// cursor returns the place of a node in the order of its answer, after which the next page
// begins. at is the node's column n.
func (q *question) cursor(n *nodedb.Node, at int64) string {
	moment := strconv.FormatInt(at, 36)
	if !q.asItWent {
		return moment + "." + n.ID
	}
	place := strings.Join([]string{string(n.Source), n.Thread, strconv.FormatInt(n.Seq, 10), moment, n.ID}, "\x00")
	return base64.RawURLEncoding.EncodeToString([]byte(place))
}

// after has the answer begin after the node of a cursor. A text that is none is
// [nodedb.ErrCursor].
func (q *question) after(cursor string) error {
	switch {
	case cursor == "":
		return nil
	case q.asItWent:
		return q.afterPlace(cursor)
	}
	n, id, ok := strings.Cut(cursor, ".")
	at, err := strconv.ParseInt(n, 36, 64)
	if !ok || err != nil {
		return nodedb.ErrCursor
	}
	q.and("(n, id) < (?::bigint, ?::text)", at, id)
	return nil
}

// afterPlace has the answer begin after a place in a session.
func (q *question) afterPlace(cursor string) error {
	place, err := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.Split(string(place), "\x00")
	if err != nil || len(parts) != 5 {
		return nodedb.ErrCursor
	}
	seq, err := strconv.ParseInt(parts[2], 10, 64)
	at, err2 := strconv.ParseInt(parts[3], 36, 64)
	if err != nil || err2 != nil {
		return nodedb.ErrCursor
	}
	q.and("(source, thread, seq, n, id) > (?::text, ?::text, ?::bigint, ?::bigint, ?::text)", parts[0], parts[1], seq, at, parts[4])
	return nil
}
