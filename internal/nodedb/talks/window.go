package talks

import (
	"context"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/messages"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Place is a position in a session. The zero Place is its beginning. Places are ordered by
// thread, then by seq, as items are.
type Place struct {
	Thread string
	Seq    int64
}

// Window is a part of a session.
type Window struct {
	Talk

	Next *Place // where the next part begins; nil if this is the last
}

// maxTogether is how many items may stand at one place and are still read together: a place
// with more is split between two windows, and the second begins with the same place.
const maxTogether = 50

// ReadWindow reads a part of a session by its id, or the beginning of one: about limit
// items from a place on, with as many as before of those in front of it. It takes as
// long in a long session as in a short one, but for an index that says what is next.
//
// The part may have a few items more than limit: those of one place are not torn apart,
// up to 50 of them.
func ReadWindow(ctx context.Context, r *nodedb.Reader, id string, at Place, before, limit int) (w Window, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		w, err = view{s}.window(ctx, id, at, before, limit)
		return err
	})
	if err != nil {
		return Window{}, fmt.Errorf("read session %s: %w", id, err)
	}
	return w, nil
}

// window reads limit items and up to maxTogether more, and cuts behind the last item that
// shares its place with item number limit.
//
//	limit 3:   4  4  6 │ 6  9      the second 6 belongs to the same place: it is kept,
//	                      ▲         and Next is 9
func (v view) window(ctx context.Context, id string, at Place, before, limit int) (w Window, err error) {
	if w.Talk, err = v.whose(ctx, id, ""); err != nil {
		return w, err
	}
	if before > 0 {
		if at, err = v.inFront(ctx, &w.Talk, at, before); err != nil {
			return w, err
		}
	}
	if w.Items, err = v.itemsFrom(ctx, &w.Talk, at, limit+maxTogether); err != nil {
		return w, err
	}
	if len(w.Items) > limit {
		end := limit
		for end < len(w.Items) && placeIn(&w.Items[end]) == placeIn(&w.Items[end-1]) {
			end++
		}
		if end < len(w.Items) {
			next := placeIn(&w.Items[end])
			w.Next, w.Items = &next, w.Items[:end]
		}
	}
	return w, v.markItems(ctx, w.Items)
}

// placeIn returns where an item is in its session.
func placeIn(i *Item) Place { return Place{i.Thread, i.Seq} }

// inFront returns the place that lies before items in front of another one, in the same thread;
// the place itself if there is nothing in front of it. Messages and nodes count alike.
func (v view) inFront(ctx context.Context, t *Talk, at Place, before int) (Place, error) {
	seqs, err := schema.Collect(ctx, v, schema.Single[int64], `SELECT seq FROM (
		  SELECT seq FROM talks CROSS JOIN messages USING (t) WHERE session = ?1 AND source = ?2 AND thread = ?3 AND seq < ?4
		  UNION ALL SELECT seq FROM nodes WHERE session = ?1 AND source = ?2 AND thread = ?3 AND seq < ?4 AND +kind IN ('decision', 'episode')
		) ORDER BY seq DESC LIMIT ?5`, t.Session, string(t.Source), at.Thread, at.Seq, before)
	if err == nil && len(seqs) > 0 {
		at.Seq = seqs[len(seqs)-1]
	}
	return at, err
}

// itemsFrom returns at most limit items from a place on. It asks each table for limit rows,
// since all of them may come first, and drops the rest after sorting.
func (v view) itemsFrom(ctx context.Context, t *Talk, at Place, limit int) ([]Item, error) {
	args := []any{t.Session, string(t.Source), at.Thread, at.Seq, limit}
	ns, err := schema.Collect(ctx, v, schema.Single[int64], `SELECT n FROM talks CROSS JOIN messages USING (t)
		WHERE session = ? AND source = ? AND (thread, seq) >= (?, ?) ORDER BY thread, seq, n LIMIT ?`, args...)
	if err != nil {
		return nil, err
	}
	said, err := v.messages(ctx, ns)
	if err != nil {
		return nil, err
	}
	kinds := "'decision', 'episode'"
	spoken, err := v.hasMessages(ctx, t)
	if err != nil {
		return nil, err
	}
	if !spoken {
		kinds += ", 'conversation'"
	}
	items, err := schema.Collect(ctx, v, scanItem, itemsSQL+" WHERE session = ? AND source = ? AND (thread, seq) >= (?, ?) AND +kind IN ("+kinds+") ORDER BY thread, seq, n LIMIT ?", args...)
	if err != nil {
		return nil, err
	}
	items = append(items, said...)
	slices.SortStableFunc(items, compareItems)
	return items[:min(len(items), limit)], nil
}

// messages returns the messages with these numbers as items, in the order of the table, not of
// ns.
func (v view) messages(ctx context.Context, ns []int64) ([]Item, error) {
	list, err := schema.JSONList(ns)
	if err != nil {
		return nil, err
	}
	said, err := messages.Read(ctx, v, "n IN (SELECT value FROM json_each(?))", list)
	if err != nil {
		return nil, err
	}
	var items []Item
	for i := range said {
		items = append(items, itemOf(&said[i]))
	}
	return items, nil
}

// hasMessages reports whether messages of a session are kept.
func (v view) hasMessages(ctx context.Context, t *Talk) (has bool, err error) {
	err = v.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM tally WHERE session = ? AND source = ? AND messages > 0)", t.Session, string(t.Source)).Scan(&has)
	return has, err
}
