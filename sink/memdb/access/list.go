package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// List has the tokens of a MemDB. It is safe for concurrent use, also by several processes: a
// token that is created or revoked counts from the next call on.
type List struct {
	db      *sql.DB
	options Options
}

// Options say where tokens come from and when it is.
type Options struct {
	Now    func() time.Time
	Random io.Reader
}

// Token is a token that was created, without its secret. A time that does not apply is zero.
type Token struct {
	Grant

	Created, Expires, Revoked time.Time
}

const tables = `CREATE TABLE IF NOT EXISTS tokens (
  name       TEXT PRIMARY KEY,
  hash       BLOB NOT NULL UNIQUE, -- SHA-256 of the token
  namespaces TEXT NOT NULL,        -- with spaces between
  rights     TEXT NOT NULL,        -- the same
  created    INTEGER NOT NULL,     -- milliseconds since 1970
  expires    INTEGER NOT NULL,     -- 0: never
  revoked    INTEGER NOT NULL      -- 0: it is not
) STRICT, WITHOUT ROWID`

// Open opens the tokens in the state folder of a MemDB. It creates the file, which only the
// user can read.
func Open(ctx context.Context, dir string, o Options) (*List, error) {
	path := filepath.Join(dir, "memdb.tokens")
	db, err := open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open tokens %s: %w", path, sqlitefile.Explain(err))
	}
	return &List{db, o}, nil
}

// open opens the database of tokens, readable by its owner only.
func open(ctx context.Context, path string) (*sql.DB, error) {
	if err := sqlitefile.Create(path); err != nil {
		return nil, err
	}
	db, err := sqlitefile.Dial(path, sqlitefile.Options{Connections: 2, Pragmas: []string{"synchronous(full)", "secure_delete(on)"}})
	if err != nil {
		return nil, err
	}
	err = sqlitefile.RetryBusy(ctx, func() error {
		_, failed := db.ExecContext(ctx, tables)
		return failed
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Close releases the file.
func (l *List) Close() error { return l.db.Close() }

// ErrName is the error of a name that is already used, or that no token has.
var ErrName = errors.New("no such name")

// Create returns a new token of 256 random bits; it cannot be read again later. A name can be
// used only once, even after the token was revoked, since logs identify tokens by their names.
func (l *List) Create(ctx context.Context, g Grant, expires time.Time) (token string, err error) {
	if err = check(&g); err != nil {
		return "", fmt.Errorf("create token: %w", err)
	}
	var random [32]byte
	if _, err = io.ReadFull(l.options.Random, random[:]); err != nil {
		return "", fmt.Errorf("create token: %w", err)
	}
	token = "memdb_" + base64.RawURLEncoding.EncodeToString(random[:])
	sum := sha256.Sum256([]byte(token))
	words := make([]string, len(g.Rights))
	for i, r := range g.Rights {
		words[i] = string(r)
	}
	done, err := l.db.ExecContext(ctx, `INSERT INTO tokens (name, hash, namespaces, rights, created, expires, revoked)
		VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT (name) DO NOTHING`,
		g.Name, sum[:], strings.Join(g.Namespaces, " "), strings.Join(words, " "), l.options.Now().UnixMilli(), stamp(expires))
	if err != nil {
		return "", fmt.Errorf("create token: %w", sqlitefile.Explain(err))
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return "", errors.Join(fmt.Errorf("create token %s: %w: it was used before", g.Name, ErrName), err)
	}
	return token, nil
}

// check returns an error if the name or the namespaces of a Grant are not valid.
func check(g *Grant) error {
	errs := []error{api.CheckNamespaceName(g.Name)}
	if len(g.Namespaces) == 0 || len(g.Rights) == 0 {
		errs = append(errs, errors.New("it needs a namespace and a right"))
	}
	for _, n := range g.Namespaces {
		if n != Everywhere {
			errs = append(errs, api.CheckNamespaceName(n))
		}
	}
	return errors.Join(errs...)
}

// Revoke ends a token immediately. Revoking twice is safe.
func (l *List) Revoke(ctx context.Context, name string) error {
	done, err := l.db.ExecContext(ctx, "UPDATE tokens SET revoked = CASE revoked WHEN 0 THEN ? ELSE revoked END WHERE name = ?", l.options.Now().UnixMilli(), name)
	if err != nil {
		return fmt.Errorf("revoke token: %w", sqlitefile.Explain(err))
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(fmt.Errorf("revoke token %s: %w", name, ErrName), err)
	}
	return nil
}

// Any reports whether a token was ever created. From then on every call needs one.
func (l *List) Any(ctx context.Context) (there bool, err error) {
	if err = l.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM tokens)").Scan(&there); err != nil {
		return false, fmt.Errorf("read tokens: %w", sqlitefile.Explain(err))
	}
	return there, nil
}

// Find returns what a token grants. Ok is false for an unknown, expired or revoked token.
func (l *List) Find(ctx context.Context, token string) (g Grant, ok bool, err error) {
	sum := sha256.Sum256([]byte(token))
	found, err := l.query(ctx, "WHERE hash = ?", sum[:])
	if err != nil || len(found) != 1 {
		return Grant{}, false, err
	}
	t := found[0]
	ok = subtle.ConstantTimeCompare(t.hash, sum[:]) == 1 && t.Revoked.IsZero() && (t.Expires.IsZero() || l.options.Now().Before(t.Expires))
	if !ok {
		return Grant{}, false, nil
	}
	return t.Grant, true, nil
}

// Tokens returns all tokens that were ever created, sorted by name.
func (l *List) Tokens(ctx context.Context) ([]Token, error) {
	found, err := l.query(ctx, "ORDER BY name")
	all := make([]Token, len(found))
	for i := range found {
		all[i] = found[i].Token
	}
	return all, err
}

// row is a token as it is kept.
type row struct {
	Token

	hash []byte
}

// query returns the tokens that meet a condition.
func (l *List) query(ctx context.Context, which string, args ...any) (all []row, err error) {
	rows, err := l.db.QueryContext(ctx, "SELECT name, hash, namespaces, rights, created, expires, revoked FROM tokens "+which, args...)
	if err != nil {
		return nil, fmt.Errorf("read tokens: %w", sqlitefile.Explain(err))
	}
	defer rows.Close()
	for rows.Next() {
		var (
			t                         row
			namespaces, rights        string
			created, expires, revoked int64
		)
		if err = rows.Scan(&t.Name, &t.hash, &namespaces, &rights, &created, &expires, &revoked); err != nil {
			return nil, fmt.Errorf("read tokens: %w", err)
		}
		t.Namespaces = strings.Fields(namespaces)
		if t.Rights, err = ParseRights(strings.Fields(rights)); err != nil {
			return nil, err
		}
		t.Created, t.Expires, t.Revoked = moment(created), moment(expires), moment(revoked)
		all = append(all, t)
	}
	return all, rows.Err()
}

// stamp returns a time in Unix milliseconds; 0 for the zero time.
func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// moment returns the inverse of stamp.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
