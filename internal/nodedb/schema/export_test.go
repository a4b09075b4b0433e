package schema

import (
	"context"

	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// OwnSum is the sum of a database of this version.
const OwnSum = ownSchema

// Sum is the sum of a database.
func Sum(ctx context.Context, path string) (string, error) {
	db, err := sqlitefile.Dial(path, sqlitefile.Options{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer db.Close()
	return schemaSum(ctx, db)
}
