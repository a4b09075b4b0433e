package pg

import (
	"context"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/internal/sink"
)

// foreignQuery lists triggers, rules and policies on our tables that others have made: they act
// when a row is read or written. A table that was replaced by a view has a rule. The policies of
// docs/postgres/row-security.sql are our own. A table may have been divided into parts, as by
// docs/postgres/partitions.sql.
const foreignQuery = `WITH whole AS (SELECT name, to_regclass(name)::oid AS id FROM unnest($1::text[]) AS name),
ours AS (SELECT name, id FROM whole UNION ALL SELECT inhrelid::regclass::text, inhrelid FROM pg_inherits JOIN whole ON inhparent = id)
SELECT what FROM (
  SELECT 'trigger ' || tgname || ' on ' || name AS what FROM pg_trigger JOIN ours ON tgrelid = id WHERE NOT tgisinternal
  UNION ALL SELECT 'rule ' || rulename || ' on ' || name FROM pg_rewrite JOIN ours ON ev_class = id
  UNION ALL SELECT 'policy ' || polname || ' on ' || name FROM pg_policy JOIN ours ON polrelid = id WHERE polname <> 'memscribe_namespaces'
) AS found ORDER BY what`

// Foreign returns the names of triggers, rules and policies on tables that others have made. It
// returns "" if there are none, or if the server is not PostgreSQL and has no such catalog.
func Foreign(ctx context.Context, pool *Pool, tables []string) (string, error) {
	var all []string
	err := Look(ctx, pool, func(ctx context.Context, tx Tx) error {
		rows, err := tx.Query(ctx, foreignQuery, tables)
		if err != nil {
			return err
		}
		all, err = Texts(rows)
		return err
	})
	if Unable(err) {
		return "", nil
	}
	return strings.Join(all, ", "), err
}

// refuseForeign returns a fault that names what others have made on our tables.
func refuseForeign(ctx context.Context, pool *Pool, tables []string) error {
	named, err := Foreign(ctx, pool, tables)
	if err == nil && named != "" {
		err = &sink.Fault{Err: fmt.Errorf("%w: it has what Memscribe did not make: %s", ErrForeign, named)}
	}
	return err
}
