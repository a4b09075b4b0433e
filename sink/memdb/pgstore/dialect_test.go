package pgstore_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestDialect holds every statement of the store to a list of the kinds, functions and
// types that it makes use of: one that is not listed needs a look at what the
// dialects of PostgreSQL share.
func TestDialect(t *testing.T) {
	kinds := regexp.MustCompile(`^(SELECT|INSERT INTO|UPDATE|DELETE FROM|SET LOCAL|CREATE TABLE|CREATE INDEX|LISTEN)(\s|$)`)
	// What stands before a bracket, and is no function.
	columns := regexp.MustCompile(`^(INSERT INTO|CREATE TABLE|CREATE INDEX)[^(]*\(|\bAS [a-z] \(|\bCONFLICT \(`)
	call, cast := regexp.MustCompile(`\b([A-Za-z_][A-Za-z_0-9]*) ?\(`), regexp.MustCompile(`::([a-z]+)`)
	// pg_notify and LISTEN are hints, outside of every transaction that counts: a dialect
	// without them works.
	words := []string{
		"pg_notify", "any", "exists", "lateral", "unnest", "count", "values", "key", "gin", "as", "and", "or", "not", "in", "from",
		"where", "coalesce", "min", "sum", "cardinality",
		"to_regtype",
	} // asked of a database for which there are embeddings
	types := []string{"text", "bigint", "bytea", "tsvector", "tsquery", "real"}
	made := 0
	for where, text := range statements(t) {
		for one := range strings.SplitSeq(text, ";") {
			if one = strings.TrimSpace(one); one == "" {
				continue
			}
			made++
			if !kinds.MatchString(one) {
				t.Errorf("%s: a statement of a kind that is not listed: %s", where, one)
			}
			one = columns.ReplaceAllString(one, " ")
			for _, m := range call.FindAllStringSubmatch(one, -1) {
				if !slices.Contains(words, strings.ToLower(m[1])) {
					t.Errorf("%s: %s( is not listed: %s", where, m[1], one)
				}
			}
			for _, m := range cast.FindAllStringSubmatch(one, -1) {
				if !slices.Contains(types, m[1]) {
					t.Errorf("%s: the type %s is not listed: %s", where, m[1], one)
				}
			}
		}
	}
	if made < 20 {
		t.Errorf("only %d statements were found", made)
	}
}

// statements are the texts of the package that begin a statement, by where they stand.
// Pieces that are put into one are not looked at.
func statements(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, "near/near.go", "steps/steps.go")
	all := map[string]string{}
	begins := regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|SET|CREATE|DROP|ALTER|TRUNCATE|LOCK|LISTEN|NOTIFY|COPY|MERGE|DO|CALL|WITH)\s`)
	set := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err == nil && begins.MatchString(text) {
				all[set.Position(lit.Pos()).String()] = text
			}
			return true
		})
	}
	for _, name := range []string{"schema.sql", "embeddings.sql"} {
		schema, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = regexp.MustCompile(`--[^\n]*`).ReplaceAllString(string(schema), "")
	}
	return all
}
