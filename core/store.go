package core

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Schema has the columns of each table of a database.
//
// An example: {"session": ["id", "title"], "message": ["id", "session_id", "data"]}.
type Schema map[string][]string

// Has reports whether a table exists and has all of these columns.
func (s Schema) Has(table string, columns ...string) bool {
	have, ok := s[table]
	for _, c := range columns {
		ok = ok && slices.Contains(have, c)
	}
	return ok
}

// Table is a table of a database with columns that it must have.
type Table struct {
	Name    string
	Columns []string
}

// Fits reports whether the schema has all of some tables. If it has one of them and lacks
// another, the layout says what is missing.
func (s Schema) Fits(tables ...Table) (Layout, bool) {
	var has, lacks []string
	for _, t := range tables {
		if s.Has(t.Name, t.Columns...) {
			has = append(has, t.Name)
			continue
		}
		lack := "table " + t.Name
		for _, c := range t.Columns {
			if _, ok := s[t.Name]; ok && !s.Has(t.Name, c) {
				lack = "column " + c + " of table " + t.Name
				break
			}
		}
		lacks = append(lacks, lack)
	}
	if len(lacks) == 0 || len(has) == 0 {
		return Layout{}, len(lacks) == 0
	}
	return Layout{Missing: &Missing{What: strings.Join(lacks, ", "), Others: has}}, false
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
	// Unreadable is a query for the names of values that should be JSON documents with
	// conversations in them, or that say whose or where those are, and are not. It may be empty.
	Unreadable string
	// Missing is nil if the database has all tables that it should have. It may be set
	// without a fit: the other tables show whose the database is.
	Missing *Missing
}

// Missing says which tables a database lacks. It lacks them for good if there are rows in
// the others: a tool that makes its tables one by one has none yet.
type Missing struct {
	What   string   // as in "table part"
	Others []string // the tables that are there
	// Instead are tables in which older versions of the tool keep what is missing: if one
	// has a row, nothing is missing.
	Instead []string
}

// Rows is a query for some of a conversation's rows.
//
//	Rows{Table: "message",
//	     Query: "SELECT id, role, data AS \"data:json\" FROM message WHERE session_id = ?1 ORDER BY id",
//	     Below: []Rows{{Table: "part", Query: "SELECT id, … FROM part WHERE message_id = ?1 ORDER BY id"}}}
//
// gives the parser message 1, its parts, message 2, its parts, and so on.
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
	Logs  bool   // its files are logs, named "….jsonl", and each line is a record
	// Take reports whether a document is a record of the conversation, and before which
	// others it comes: those with a greater order. It may be nil: all are, by their names.
	Take func(document []byte) (order string, ok bool)
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
