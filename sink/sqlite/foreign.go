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

// foreignChanges is the state of a database and its files when they were last checked for
// changes by other processes.
type foreignChanges struct {
	version   int64 // PRAGMA data_version
	schema    int64 // PRAGMA schema_version
	want      sqlitefile.Schema
	horizon   schema.Horizon
	removals  int64           // how often nodes were removed
	newest    string          // id of the node that was inserted last; "" is none
	removable string          // a former newest, which a removal may have taken
	log       string          // path of the write-ahead log
	logState  filestate.State // zero until the log exists
}

const countRemovals = "SELECT coalesce(max(count), 0) FROM removals"

// newForeignChanges returns the state of a database that was just opened and checked.
func (s *Sink) newForeignChanges(ctx context.Context, path string, want sqlitefile.Schema) (foreignChanges, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	o := foreignChanges{want: want, log: path + "-wal"}
	var err error
	if o.version, err = s.conn.number(ctx, "PRAGMA data_version"); err == nil {
		o.schema, err = s.conn.number(ctx, "PRAGMA schema_version")
	}
	if err == nil {
		o.horizon, err = schema.ReadHorizon(ctx, s.conn)
	}
	if err == nil {
		o.removals, err = s.conn.number(ctx, countRemovals)
	}
	return o, err
}

// checkForeignChanges returns an error if another process replaced the database with an
// older copy, removed its log, or changed its schema.
func (s *Sink) checkForeignChanges(ctx context.Context) error {
	o := &s.foreign
	if err := o.checkLog(); err != nil {
		return err
	}
	version, err := s.conn.number(ctx, "PRAGMA data_version")
	if err != nil || version == o.version {
		return err
	}
	layout, err := s.conn.number(ctx, "PRAGMA schema_version")
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
	removals, err := s.conn.number(ctx, countRemovals)
	if err != nil {
		return err
	}
	if older, err := s.isOlder(ctx, &horizon, removals); err != nil || older {
		return cmp.Or(err, fmt.Errorf("%w: an older copy was put in its place", sink.ErrLost))
	}
	o.version, o.schema, o.horizon, o.removals = version, layout, horizon, removals
	return nil
}

// isOlder reports whether the database is an older copy: removed nodes are back, or the
// newest node is missing although nothing was removed since it was stored. Changed and
// additional nodes are no sign of an older copy.
func (s *Sink) isOlder(ctx context.Context, now *schema.Horizon, removals int64) (bool, error) {
	if removals < s.foreign.removals {
		return true, nil
	}
	was, moved := s.foreign.horizon.Kinds(), removals > s.foreign.removals
	for kind, before := range now.Kinds() {
		if before.Before(*was[kind]) {
			return true, nil
		}
		moved = moved || before.After(*was[kind])
	}
	id := s.foreign.newest
	if id == "" {
		_, id, _ = strings.Cut(s.marked, " ") // of an earlier run
	}
	if moved {
		s.foreign.removable = id
	}
	if id == s.foreign.removable || strings.HasPrefix(id, "message:") {
		return false, nil
	}
	st, err := s.conn.Stmt(ctx, "SELECT NOT EXISTS (SELECT * FROM nodes WHERE id = ?)")
	if err != nil {
		return false, err
	}
	var gone bool
	err = st.QueryRowContext(ctx, id).Scan(&gone)
	return gone, err
}

// checkLog returns an error if the write-ahead log is not the file that this connection
// has open: other processes would not see what it writes.
func (o *foreignChanges) checkLog() error {
	info, err := os.Stat(o.log)
	if err != nil {
		if os.IsNotExist(err) && o.logState != (filestate.State{}) {
			return fmt.Errorf("%s: %w: it was removed", o.log, sink.ErrLost)
		}
		return nil // the first write creates it, or it cannot be read now
	}
	is, ok := filestate.Of(o.log, info)
	switch {
	case !ok:
	case o.logState == filestate.State{}:
		o.logState = is
	case !is.SameFile(o.logState):
		return fmt.Errorf("%s: %w: it was replaced", o.log, sink.ErrLost)
	}
	return nil
}
