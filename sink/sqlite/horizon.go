package sqlite

import (
	"context"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// keeps reports whether a node belongs into a database with this horizon. The result
// depends on the node only, not on the order of delivery: a binding is kept if both the
// decision (or turn) it starts from and the edit it leads to are kept, which its own
// two times tell.
func keeps(h *schema.Horizon, r *table.Row) bool {
	switch r.Kind {
	case "conversation", "user", "assistant", "command": // the latter are messages
		return schema.IsSince(r.Timestamp, h.Conversations)
	case "decision":
		return schema.IsSince(r.Timestamp, h.Decisions)
	case "episode":
		return schema.IsSince(r.Timestamp, h.Edits)
	}
	from := h.Decisions
	if strings.HasPrefix(r.From, "conversation:") {
		from = h.Conversations
	}
	return schema.IsSince(r.Used, from) && schema.IsSince(r.Generated, h.Edits)
}

// readHorizon reads what another process may have changed.
func (s *Sink) readHorizon(ctx context.Context) (err error) {
	s.horizon, err = schema.ReadHorizon(ctx, s.conn)
	return err
}

// LeftOut returns how many lines were not taken in because they are older than what
// the database keeps.
func (s *Sink) LeftOut() int64 { return s.leftOut }

// Readmit takes the horizon away: what is older than it is taken in again when it
// is delivered. What is gone stays so until then.
func (s *Sink) Readmit(ctx context.Context) error {
	err := s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
		_, err := s.conn.Exec(ctx, "DELETE FROM horizon")
		return true, err
	})
	if err == nil {
		err = s.sync(ctx)
	}
	if err != nil {
		return fmt.Errorf("take horizon away: %w", sqlitefile.Explain(err))
	}
	return nil
}

// Keeps reports whether a database with a horizon takes a node in.
func Keeps(h schema.Horizon, node []byte) (bool, error) {
	var p table.Parser
	id, err := idOf(&p, node)
	if err != nil {
		return false, err
	}
	r, err := p.Read(&sink.Line{ID: id, JSON: node}, table.Digest{})
	if err != nil {
		return false, err
	}
	return keeps(&h, r), nil
}

// idOf returns the id of a node from its JSON.
func idOf(p *table.Parser, node []byte) (string, error) {
	if _, err := p.Doc.Parse(node); err != nil {
		return "", fmt.Errorf("read node: %w", err)
	}
	return p.Doc.Root().Get("id").Str(), nil
}
