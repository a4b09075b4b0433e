package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/filestate"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// others notices what is done to a database by other connections, and to its files.
type others struct {
	version int64 // of what they have committed, as SQLite counts it for this connection
	schema  int64
	want    sqlitefile.Schema
	log     string          // name of the write-ahead log
	was     filestate.State // of the log, once it was seen
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
	schema, err := s.pragma(ctx, "schema_version")
	if err != nil {
		return err
	}
	if schema != o.schema {
		is, err := sqlitefile.ReadSchema(ctx, s.conn)
		if err != nil {
			return err
		}
		d := is.Differs(o.want)
		if err := d.Fault(); err != nil {
			return err
		}
	}
	if mark := s.Mark(); mark != "" && !s.Holds(mark) {
		return fmt.Errorf("%w: what was stored last is not there any more", sink.ErrLost)
	}
	o.version, o.schema = version, schema
	return nil
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

// pragma returns the number that a pragma has.
func (s *Sink) pragma(ctx context.Context, name string) (is int64, err error) {
	st, err := s.stmt(ctx, "PRAGMA "+name)
	if err == nil {
		err = st.QueryRowContext(ctx).Scan(&is)
	}
	return is, err
}
