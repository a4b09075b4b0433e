package nodedb

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// ErrNode is the error of a node that does not exist, and of the beginning of an id that several
// nodes have.
var ErrNode = errors.New("no such node")

// scanAnnotation reads an annotation from a row.
func scanAnnotation(rows *sql.Rows, a *annotate.Annotation) error {
	var text []byte
	if err := rows.Scan(&text); err != nil {
		return err
	}
	return json.Unmarshal(text, a)
}

// Annotations returns all annotations, the oldest first.
func (r *Reader) Annotations(ctx context.Context) ([]annotate.Annotation, error) {
	db, err := r.now(ctx)
	if err != nil {
		return nil, err
	}
	return Annotations(ctx, db)
}

// Annotations returns all annotations in a database, the oldest first.
func Annotations(ctx context.Context, q schema.Querier) ([]annotate.Annotation, error) {
	all, err := schema.Collect(ctx, q, scanAnnotation, "SELECT json FROM annotations")
	if err != nil {
		return nil, fmt.Errorf("read annotations: %w", sqlitefile.Explain(err))
	}
	return annotate.Merge(all, nil), nil
}

// NodeID completes the beginning of a node's id, with or without its kind.
func (r *Reader) NodeID(ctx context.Context, id string) (string, error) {
	db, err := r.now(ctx)
	if err != nil {
		return "", err
	}
	return CompleteNode(ctx, db, id)
}

// leastOfID is the least number of digits of an id that must be given.
const leastOfID = 4

// CompleteNode completes the beginning of a node's id, with or without its kind.
func CompleteNode(ctx context.Context, q schema.Querier, id string) (string, error) {
	ways := []string{id}
	if len(id) >= leastOfID {
		for _, kind := range []string{"decision:", "conversation:", "episode:", "binding:"} {
			ways = append(ways, kind+id)
		}
	}
	list, err := schema.JSONList(ways)
	if err != nil {
		return "", err
	}
	found, err := schema.Collect(ctx, q, schema.Single[string], `SELECT nodes.id FROM json_each(?) AS way
		CROSS JOIN nodes ON nodes.id >= way.value AND nodes.id < way.value || char(1114111) LIMIT 3`, list)
	switch {
	case err != nil:
		return "", fmt.Errorf("find node %s: %w", id, sqlitefile.Explain(err))
	case len(found) == 1 && id != "", len(found) > 0 && found[0] == id:
		return found[0], nil
	case len(found) > 1 && id != "":
		return "", fmt.Errorf("%w: several ids begin with %s (%s, %s)", ErrNode, id, found[0], found[1])
	}
	return "", fmt.Errorf("%w: %s", ErrNode, id)
}
