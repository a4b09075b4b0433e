package core

import (
	"slices"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Schema lists the tables of a database, each with its columns.
type Schema map[string][]string

// Has reports whether there is a table with all of these columns.
func (s Schema) Has(table string, columns ...string) bool {
	have, ok := s[table]
	for _, c := range columns {
		ok = ok && slices.Contains(have, c)
	}
	return ok
}

// DatabaseAdapter is implemented by adapters of tools that keep conversations in
// databases. It says what to read; reading is not its business.
type DatabaseAdapter interface {
	Adapter
	// Layout says how the conversations lie in a database with these tables, and
	// how well the tables fit the tool. It names every table and column that may
	// be read: what it does not name is never looked at.
	Layout(path string, s Schema) (Layout, Fit)
}

// Layout says how the conversations of one database lie in it.
//
// Each conversation is a stream of its own. Its records are rows, which are
// given to the parser as JSON objects of a line each:
//
//	{"table":"part","key":"prt_1","time_created":1795223585190,"data":{"type":"text",…}}
//
// A column whose name ends in ":json" is embedded as the JSON value that it
// holds, if it holds one; one that ends in ":packed" is unpacked before. Bytes
// that are no text are {"base64":"…"}. Members that are NULL are left out.
type Layout struct {
	// Conversations is a query for the keys of all conversations, in its first
	// column.
	Conversations string
	// Stamp is a query for one row of a conversation, given its key, that is
	// another one whenever the conversation has changed. It is asked where it is
	// not known which pages of the database have changed, so that not everything
	// need be read again. Without one everything is.
	Stamp string
	// Rows are the rows of a conversation, query by query.
	Rows []Rows
}

// Rows is a query for some of a conversation's rows.
type Rows struct {
	Table string // what the rows are called
	// Query has one parameter: the conversation's key or, of a query below
	// another, the key of the row above. Its first column is the key of the row.
	Query string
	Below []Rows // of each row, behind it
}

// TreeAdapter is implemented by adapters of tools that keep a conversation in
// many small files.
type TreeAdapter interface {
	Adapter
	// Tree says where the files of a conversation lie whose first one is at a
	// slash-separated path. It is false if that is not the first one of any.
	Tree(path string) (Tree, bool)
}

// Tree is a conversation in many small files, each one JSON document. They are
// given to the parser like the rows of a database, with the file's name, less
// its suffix, for a key and the document as "data".
type Tree struct {
	Table    string // what the first file is called
	Branches []Branch
}

// Branch is a folder whose files are records of a conversation, in the order of
// their names.
type Branch struct {
	Table string // what the files are called
	Dir   string // slash-separated
	File  string // only the file of this name, if set
	// Below says where the files lie that belong behind the one of a key; nil if
	// there are none.
	Below func(key string) []Branch
	// Mark says what of a record a copy of it in another conversation keeps ("" is
	// nothing), and whether the record itself is such a copy; nil if there are none.
	// What a copy is of is looked for in the folders beside this one, and stands in
	// the record as "copy_of", "copied_session" and "copied_parts", which are the
	// keys of the other record, of its folder and of what lies below it.
	Mark func(key string, document []byte) (mark string, isCopy bool)
	// OrphanDirs says where else what belongs behind records may lie; nil if it goes
	// with its record.
	OrphanDirs *OrphanDirs
}

// OrphanDirs are the folders of what lies behind records, one for each record, by its
// key. A folder whose record is gone is read in the place that its key has among
// the others', unless the conversation is a copy, or has one.
type OrphanDirs struct {
	Dir string // in which the folders are; slash-separated
	// Owner reads out of a file to which conversation a folder belongs, and Of is
	// this one; nil if all of them are this one's.
	Owner func(document []byte) string
	Of    string
}

// Row returns what a row of a database, or a file of a tree, is called and what
// its key is.
func Row(record jsondoc.Value) (table, key string) {
	return record.Get("table").Str(), record.Get("key").Str()
}
