package sqlite

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// Mark implements [sink.Marker]. It is the id and the digest of the node that was
// stored last: a new database, or an older copy, does not have it in
// these words. While nothing was stored it is what Holds has found, or else a node that
// was applied and was there already; it is empty if this Sink has applied nothing.
//
// A Sink that keeps messages adds a word, so that it does not know the mark of one
// that kept none: then everything is read again, and what was said comes too.
func (s *Sink) Mark() string {
	if s.options.Messages && s.marked != "" {
		return s.marked + withMessages
	}
	return s.marked
}

const withMessages = " and messages"

// markOf returns the mark for the node that was applied last.
func markOf(id string, sum table.Digest) string { return hex.EncodeToString(sum[:]) + " " + id }

// Holds implements [sink.Marker].
func (s *Sink) Holds(mark string) bool {
	mark, heard := strings.CutSuffix(mark, withMessages)
	if s.options.Messages && !heard {
		return false
	}
	sum, id, ok := strings.Cut(mark, " ")
	digest, err := hex.DecodeString(sum)
	if s.conn.Conn == nil || !ok || err != nil {
		return false
	}
	var there bool
	ask, name := "SELECT EXISTS (SELECT * FROM nodes WHERE id = ? AND digest = ?)", any(id)
	if key, ok := strings.CutPrefix(id, "message:"); ok {
		ask = "SELECT EXISTS (SELECT * FROM messages WHERE id = ? AND digest = ?)"
		if name, err = hex.DecodeString(key); err != nil {
			return false
		}
	}
	err = s.conn.QueryRowContext(context.Background(), ask, name, digest).Scan(&there)
	if err != nil || !there {
		return false
	}
	if s.marked == "" {
		s.marked = mark
	}
	return true
}
