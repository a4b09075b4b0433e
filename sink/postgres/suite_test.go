package postgres_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/postgres"
	"github.com/memscribe/memscribe/sink/sinktest"
	server "github.com/memscribe/memscribe/testkit/postgres"
)

// serverURL is where the test has its server: the child that is killed uses it too.
const serverURL = "MEMSCRIBE_TEST_POSTGRES"

func start(t *testing.T) {
	t.Helper()
	if os.Getenv(serverURL) == "" {
		t.Setenv(serverURL, server.Start(t).URL("postgres"))
	}
}

// urlOf is the database that belongs to a folder. It is made if it is not there.
func urlOf(ctx context.Context, dir string) (string, error) {
	name := fmt.Sprintf("d%x", sha256.Sum256([]byte(dir)))[:20]
	conn, err := pgx.Connect(ctx, os.Getenv(serverURL))
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "CREATE DATABASE "+name)
	if e, ok := errors.AsType[*pgconn.PgError](err); err != nil && (!ok || e.Code != "42P04") {
		return "", err
	}
	return strings.Replace(os.Getenv(serverURL), "/postgres?", "/"+name+"?", 1), nil
}

func open(ctx context.Context, dir string) (sink.Sink, error) {
	url, err := urlOf(ctx, dir)
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, url)
}

func read(ctx context.Context, dir string) ([]string, error) {
	url, err := urlOf(ctx, dir)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SELECT json FROM memscribe.nodes")
	if err == nil {
		var all []string
		if all, err = pgx.CollectRows(rows, pgx.RowTo[string]); err == nil {
			return all, nil
		}
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "42P01" {
		return nil, nil // nothing was opened yet
	}
	return nil, err
}

// TestSuite runs what every sink passes.
func TestSuite(t *testing.T) {
	start(t)
	sinktest.Suite{Open: open, Read: read, AtOnce: true}.Run(t)
}
