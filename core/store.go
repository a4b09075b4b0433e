package core

import (
	"slices"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Schema has the columns of each table of a database.
type Schema map[string][]string

// Has reports whether a table exists and has all of these columns.
func (s Schema) Has(table string, columns ...string) bool {
	have, ok := s[table]
	for _, c := range columns {
		ok = ok && slices.Contains(have, c)
	}
	return ok
}

// DatabaseAdapter is an optional interface for adapters of tools that keep conversations in
// SQLite databases. It says what to read and does not read itself.
type DatabaseAdapter interface {
	Adapter
	// Layout returns how conversations are stored in a database with these tables, and
	// how well the tables fit the tool. Only the tables and columns that it names are
	// read.
	Layout(path string, s Schema) (Layout, Fit)
}

// Layout says how conversations are stored in a database.
//
// Each conversation is a stream. Its records are rows, which the parser gets as JSON
// objects, one per line:
//
//	{"table":"part","key":"prt_1","time_created":1795223585190,"data":{"type":"text",…}}
//
// A column whose name ends in ":json" is embedded as a JSON value if it is one; a column
// whose name ends in ":packed" is decompressed first. Bytes that are not text become
// {"base64":"…"}. NULL columns are omitted.
type Layout struct {
	// Conversations is a query for the keys of all conversations, in the first column.
	Conversations string
	// Stamp is a query for one row, given the key of a conversation, that differs
	// whenever the conversation has changed. It is used if it is not known which pages
	// of the database have changed. Without it all conversations are read again.
	Stamp string
	// Rows are the queries for the rows of a conversation, in order.
	Rows []Rows
}

// Rows is a query for some of a conversation's rows.
type Rows struct {
	Table string // the name of the rows for the parser
	// Query has one parameter: the key of the conversation or, for a query in Below, the
	// key of the parent row. Its first column is the key of the row.
	Query string
	Below []Rows // child rows, read after each row
}

// TreeAdapter is an optional interface for adapters of tools that keep a conversation in many
// small files.
type TreeAdapter interface {
	Adapter
	// Tree returns where the files of a conversation are, given the slash-separated path
	// of its first file. It returns false if the path is not that of a first file.
	Tree(path string) (Tree, bool)
}

// Tree is a conversation in many small files, each a JSON document. The parser gets them
// like rows of a database: the key is the file's name without its extension, and "data" is
// the document.
type Tree struct {
	Table    string // the name of the first file for the parser
	Branches []Branch
}

// Branch is a folder of records of a conversation, in the order of the file names.
type Branch struct {
	Table string // the name of the files for the parser
	Dir   string // slash-separated
	File  string // if set, only the file with this name
	// Below returns the folders of the child records of a key. It may be nil.
	Below func(key string) []Branch
	// Mark returns the part of a record that a copy in another conversation has too (""
	// is none), and whether the record is such a copy. It may be nil. The original is
	// searched in sibling folders. The record then has the members "copy_of",
	// "copied_session" and "copied_parts": the keys of the original, of its folder and of
	// its child records.
	Mark func(key string, document []byte) (mark string, isCopy bool)
	// OrphanDirs says where child records without a parent may be. It may be nil.
	OrphanDirs *OrphanDirs
}

// OrphanDirs are the folders of child records, one for each parent, named by its key. If the
// parent no longer exists, its folder is read at the position of its key among the others,
// unless the conversation is a copy or has one.
type OrphanDirs struct {
	Dir string // the parent of the folders; slash-separated
	// Owner returns the conversation that a folder belongs to, given one of its files. Of
	// is this conversation. If Owner is nil, all folders belong to it.
	Owner func(document []byte) string
	Of    string
}

// Row returns the table and the key of a row of a database or a file of a tree.
func Row(record jsondoc.Value) (table, key string) {
	return record.Get("table").Str(), record.Get("key").Str()
}
