package sqlite

import (
	"context"
	"encoding/hex"
	"strings"
)

// Mark implements [sink.Marker]. It is the id and the digest of the node that was
// stored last: a database that was begun anew, or an older copy, does not have it in
// these words. While nothing was stored it is what Holds has found, or else a node that
// was applied and was there already; it is empty if this Sink has applied nothing.
func (s *Sink) Mark() string { return s.marked }

func markOf(id string, sum digest) string { return hex.EncodeToString(sum[:]) + " " + id }

// Holds implements [sink.Marker].
func (s *Sink) Holds(mark string) bool {
	sum, id, ok := strings.Cut(mark, " ")
	digest, err := hex.DecodeString(sum)
	if s.conn == nil || !ok || err != nil {
		return false
	}
	var there bool
	err = s.conn.QueryRowContext(context.Background(),
		"SELECT EXISTS (SELECT * FROM nodes WHERE id = ? AND digest = ?)", id, digest).Scan(&there)
	if err != nil || !there {
		return false
	}
	if s.marked == "" {
		s.marked = mark
	}
	return true
}
