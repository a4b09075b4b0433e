package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Annotate keeps what a person says of nodes: in the file beside the database at path,
// and in the database, which other processes may be writing to. It returns what was
// kept, redacted by scrub. The nodes are named by their ids or the beginnings of those.
//
// Either all annotations are kept or, on an error, none is in the database; the file
// may then hold them already, and the next opening of the database takes them in from
// there.
func Annotate(ctx context.Context, path string, scrub core.Scrubber, now time.Time, said ...annotate.Annotation) (kept []annotate.Annotation, err error) {
	err = using(ctx, path, func(s *Sink) error {
		before, failed := nodedb.Annotations(ctx, s.conn)
		if failed != nil {
			return failed
		}
		for i, a := range said {
			if a.Node != "" {
				if a.Node, err = s.nodeID(ctx, a.Node); err != nil {
					return err
				}
			}
			if a.Kind == annotate.Supersede && !a.Undo {
				if a.Text, err = s.nodeID(ctx, a.Text); err != nil {
					return err
				}
			}
			// Of several at once each has a moment of its own: their order is kept.
			if a, err = a.Finish(scrub, now.Add(time.Duration(i))); err != nil {
				return err
			}
			a.Follow(before)
			kept = append(kept, a)
		}
		return s.annotate(ctx, path, kept)
	})
	return kept, err
}

// ImportAnnotations adds annotations that were made elsewhere, and returns how many of
// them were new. Nodes that they are about need not be there.
func ImportAnnotations(ctx context.Context, path string, all []annotate.Annotation) (added int, err error) {
	err = using(ctx, path, func(s *Sink) error {
		is, failed := nodedb.Annotations(ctx, s.conn)
		if failed != nil {
			return failed
		}
		missing := annotate.Missing(all, is)
		added = len(missing)
		return s.annotate(ctx, path, missing)
	})
	return added, err
}

// using opens a database, has use write to it, and closes it.
func using(ctx context.Context, path string, use func(*Sink) error) error {
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	return errors.Join(use(s), s.Close()) //nolint:contextcheck // what was written is kept, whatever ends the caller
}

// annotate writes the file first: the database can be made again.
func (s *Sink) annotate(ctx context.Context, path string, added []annotate.Annotation) error {
	is, err := nodedb.Annotations(ctx, s.conn)
	if err != nil {
		return err
	}
	name := annotate.FileOf(path)
	file, err := annotate.Read(name)
	if err != nil {
		return err
	}
	all := annotate.Merge(annotate.Merge(is, file), added)
	if err := annotate.Append(name, annotate.Missing(all, file)); err != nil {
		return err
	}
	return s.keepAnnotations(ctx, all)
}

// restoreAnnotations takes in what the file beside the database has, and the database
// has not: it is a new one, or another process was cut off.
func (s *Sink) restoreAnnotations(ctx context.Context, path string) error {
	name := annotate.FileOf(path)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	file, err := annotate.Read(name)
	if err != nil {
		return err
	}
	is, err := nodedb.Annotations(ctx, s.conn)
	if err != nil || len(annotate.Missing(file, is)) == 0 {
		return err
	}
	return s.keepAnnotations(ctx, annotate.Merge(is, file))
}

// keepAnnotations has the database know these annotations, and what follows from them:
// how nodes stand, and the nodes that people added.
func (s *Sink) keepAnnotations(ctx context.Context, all []annotate.Annotation) error {
	err := s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
		if err := s.checkVersion(ctx); err != nil {
			return false, err
		}
		for i := range all {
			text, err := json.Marshal(&all[i])
			if err != nil {
				return false, err
			}
			if _, err = s.conn.Exec(ctx, "INSERT OR IGNORE INTO annotations VALUES (?, ?, ?)", all[i].ID, all[i].Node, string(text)); err != nil {
				return false, err
			}
		}
		return true, s.writeMarks(ctx, annotate.Marks(all))
	})
	if err == nil {
		err = s.addDecisions(ctx, all)
	}
	if err == nil {
		err = s.sync(ctx)
	}
	if err != nil {
		return fmt.Errorf("keep annotations: %w", sqlitefile.Explain(err))
	}
	return nil
}

// writeMarks replaces the marks that people's annotations give to nodes.
func (s *Sink) writeMarks(ctx context.Context, all map[string]annotate.Mark) error {
	if _, err := s.conn.Exec(ctx, "DELETE FROM marks"); err != nil {
		return err
	}
	for id, m := range all {
		text, err := json.Marshal(m)
		if err != nil {
			return err
		}
		_, err = s.conn.Exec(ctx, "INSERT INTO marks VALUES (?, ?, ?, ?, ?, ?)", id, schema.Bit(m.Rejected), schema.Bit(m.Pinned), schema.Null(m.Title), schema.Null(m.SupersededBy), string(text))
		if err != nil {
			return err
		}
	}
	return nil
}

// addDecisions delivers the nodes of what people added. They are no part of what was
// captured, so the mark of that stays.
//
// Without that, the mark would name a node that no transcript contains, and a database
// that was restored from a copy would not be recognised.
func (s *Sink) addDecisions(ctx context.Context, all []annotate.Annotation) error {
	var lines []sink.Line
	var e encode.Encoder // they were redacted when they were made
	for i := range all {
		n := all[i].Decision()
		if n == nil {
			continue
		}
		text, err := e.Node(nil, n)
		if err != nil {
			return err
		}
		lines = append(lines, sink.Line{ID: n.ID, Kind: n.Name(), Source: n.Source, Session: n.Session, JSON: text})
	}
	marked, isNew := s.marked, s.isNew
	err := s.Apply(ctx, lines)
	s.marked, s.isNew = marked, isNew
	return err
}

// nodeID completes the beginning of a node's id, with or without its kind.
func (s *Sink) nodeID(ctx context.Context, id string) (string, error) {
	return nodedb.CompleteNode(ctx, s.conn, id)
}
