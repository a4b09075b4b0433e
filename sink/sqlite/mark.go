package sqlite

import "context"

// Mark implements [sink.Marker]. It is the id of a node that the database holds,
// one that was applied lately: a database that was begun anew, or an older copy,
// does not have it. It is empty if this Sink has applied nothing.
func (s *Sink) Mark() string { return s.marked }

// Holds implements [sink.Marker].
func (s *Sink) Holds(mark string) bool {
	if s.conn == nil {
		return false
	}
	var there bool
	err := s.conn.QueryRowContext(context.Background(), "SELECT EXISTS (SELECT * FROM nodes WHERE id = ?)", mark).Scan(&there)
	return err == nil && there
}
