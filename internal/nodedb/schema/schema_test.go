package schema_test

import (
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestOwnSchema: a database of this version is known at first sight. Whoever changes
// the schema puts the sum that this test prints into ownSchema.
func TestOwnSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sum, err := schema.Sum(t.Context(), path)
	if err != nil || sum != schema.OwnSum {
		t.Errorf("the sum of a new database is %s, %v; ownSchema is %s", sum, err, schema.OwnSum)
	}
}
