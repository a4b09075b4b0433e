package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/internal/filestate"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// others notices what is done to a database by other connections, and to its files.
type others struct {
	version  int64 // of what they have committed, as SQLite counts it for this connection
	schema   int64
	want     sqlitefile.Schema
	horizon  schema.Horizon
	removals int64           // how often something was taken away
	last     string          // id of the node that came to be there last; "" is none
	gone     string          // id of the one that may have been taken away since
	log      string          // name of the write-ahead log
	was      filestate.State // of the log, once it was seen
}

// newOthers returns what is known of a database that was just opened and checked.
func (s *Sink) newOthers(ctx context.Context, path string, want sqlitefile.Schema) (others, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	o := others{want: want, log: path + "-wal"}
	var err error
	if o.version, err = s.pragma(ctx, "data_version"); err == nil {
		o.schema, err = s.pragma(ctx, "schema_version")
	}
	if err == nil {
		o.horizon, err = schema.ReadHorizon(ctx, s.conn)
	}
	if err == nil {
		o.removals, err = s.removals(ctx)
	}
	return o, err
}

// checkOthers says that the database was put back to an older state by somebody else,
// that its log was taken away, or that its schema was changed.
func (s *Sink) checkOthers(ctx context.Context) error {
	o := &s.others
	if err := o.checkLog(); err != nil {
		return err
	}
	version, err := s.pragma(ctx, "data_version")
	if err != nil || version == o.version {
		return err
	}
	layout, err := s.pragma(ctx, "schema_version")
	if err != nil {
		return err
	}
	if layout != o.schema {
		is, failed := sqlitefile.ReadSchema(ctx, s.conn)
		if failed != nil {
			return failed
		}
		d := is.Differs(o.want)
		if failed = d.Fault(); failed != nil {
			return failed
		}
	}
	horizon, err := schema.ReadHorizon(ctx, s.conn)
	if err != nil {
		return err
	}
	removals, err := s.removals(ctx)
	if err != nil {
		return err
	}
	if older, err := s.isOlder(ctx, &horizon, removals); err != nil || older {
		return cmp.Or(err, fmt.Errorf("%w: an older copy was put in its place", sink.ErrLost))
	}
	o.version, o.schema, o.horizon, o.removals = version, layout, horizon, removals
	return nil
}

// isOlder reports whether the database is as it was once: what was let go is there again,
// or the node that came last is not there, though nothing was taken away since. Others may have
// changed that node, or stored more.
func (s *Sink) isOlder(ctx context.Context, now *schema.Horizon, removals int64) (bool, error) {
	if removals < s.others.removals {
		return true, nil
	}
	was, moved := s.others.horizon.Kinds(), removals > s.others.removals
	for kind, before := range now.Kinds() {
		if before.Before(*was[kind]) {
			return true, nil
		}
		moved = moved || before.After(*was[kind])
	}
	id := s.others.last
	if id == "" {
		_, id, _ = strings.Cut(s.marked, " ") // of an earlier run
	}
	if moved {
		s.others.gone = id
	}
	if id == s.others.gone || strings.HasPrefix(id, "message:") {
		return false, nil
	}
	st, err := s.stmt(ctx, "SELECT NOT EXISTS (SELECT * FROM nodes WHERE id = ?)")
	if err != nil {
		return false, err
	}
	var gone bool
	err = st.QueryRowContext(ctx, id).Scan(&gone)
	return gone, err
}

// checkLog says that the write-ahead log is not the one that this connection writes to:
// nobody else sees what it writes, and it ends with the process.
func (o *others) checkLog() error {
	info, err := os.Stat(o.log)
	if err != nil {
		if os.IsNotExist(err) && o.was != (filestate.State{}) {
			return fmt.Errorf("%s: %w: it was removed", o.log, sink.ErrLost)
		}
		return nil // it is made when something is first written, or cannot be looked at now
	}
	is, ok := filestate.Of(o.log, info)
	switch {
	case !ok:
	case o.was == filestate.State{}:
		o.was = is
	case !is.SameFile(o.was):
		return fmt.Errorf("%s: %w: it was replaced", o.log, sink.ErrLost)
	}
	return nil
}

// removals returns how often something was taken away from the database.
func (s *Sink) removals(ctx context.Context) (is int64, err error) {
	st, err := s.stmt(ctx, "SELECT coalesce(max(count), 0) FROM removals")
	if err == nil {
		err = st.QueryRowContext(ctx).Scan(&is)
	}
	return is, err
}

// pragma returns the number that a pragma has.
func (s *Sink) pragma(ctx context.Context, name string) (is int64, err error) {
	st, err := s.stmt(ctx, "PRAGMA "+name)
	if err == nil {
		err = st.QueryRowContext(ctx).Scan(&is)
	}
	return is, err
}
