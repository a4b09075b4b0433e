package sqlite

import (
	"github.com/memscribe/memscribe/internal/nodedb/wordindex"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// InsertNode is the statement that adds a node, and InsertWords the one that
// makes it findable.
func InsertNode() string { return insertNode(table.Columns()) }

// InsertWords is the statement that makes a node findable.
func InsertWords() string { return wordindex.InsertSearch }

// Values are the arguments of InsertNode and InsertWords for a line that has the
// number n.
func Values(l sink.Line, n int64) (node, found []any, err error) {
	p := table.Parser{Cap: 4096}
	r, err := p.Read(&l, table.DigestOf(l.JSON))
	if err != nil {
		return nil, nil, err
	}
	r.N = n
	if r.Words != (table.Words{}) {
		e := new(table.Scopes).EntryOf(r)
		found = []any{e.N, e.Text, e.Path, e.Scope}
	}
	return r.Args(nil), found, nil
}

// SetPiece sets how many bytes of entries a bulk sink gathers before it writes them.
func SetPiece(s *Sink, bytes int) { s.words.PieceBytes = bytes }
