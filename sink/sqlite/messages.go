package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/sums"
	"github.com/memscribe/memscribe/internal/nodedb/tokens"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// storedMessage is what the table holds of a message.
type storedMessage struct {
	n      int64
	digest table.Digest
	claim  table.Claim
}

// talk is where messages come from. Its number is of the table talks.
type talk struct {
	sums.Part

	copied bool
	file   int64
}

// talkOfMessage returns the talk that a message belongs to, for the tally.
func talkOfMessage(m *table.Message) talk {
	return talk{Part: partOf(&m.Row), copied: m.Claim.Copied, file: m.Claim.File}
}

// talkOf returns the number of the talk of a message. Within a batch it does not change.
func (b *batch) talkOf(ctx context.Context, m *table.Message) (t int64, err error) {
	of := talkOfMessage(m)
	if known, ok := b.talks[of]; ok {
		return known, nil
	}
	args := []any{of.Session, of.Source, of.Thread, of.Project, schema.Bit(of.copied), of.file}
	st, err := b.sink.conn.Stmt(ctx, "INSERT INTO talks (session, source, thread, project, copied, file) VALUES "+schema.Placeholders(len(args))+" ON CONFLICT DO NOTHING RETURNING t")
	if err != nil {
		return 0, err
	}
	err = st.QueryRowContext(ctx, args...).Scan(&t)
	if errors.Is(err, sql.ErrNoRows) { // it is there
		if st, err = b.sink.conn.Stmt(ctx, "SELECT t FROM talks WHERE session = ? AND source = ? AND thread = ? AND project = ? AND copied = ? AND file = ?"); err == nil {
			err = st.QueryRowContext(ctx, args...).Scan(&t)
		}
	}
	if err == nil {
		b.talks[of] = t
	}
	return t, err
}

// splitMessages separates the lines of messages from those of nodes.
func splitMessages(lines []sink.Line) (nodes, messages []sink.Line) {
	for i := range lines {
		if lines[i].Kind != sink.Message {
			continue
		}
		for j := range lines {
			if lines[j].Kind == sink.Message {
				messages = append(messages, lines[j])
			} else {
				nodes = append(nodes, lines[j])
			}
		}
		return nodes, messages
	}
	return lines, nil
}

// putMessages stores the messages of the batch. A message is stored once by its key: of
// several candidates (the original, copies by a fork or a resume) the one with the
// lowest claim wins, in whatever order they arrive.
func (b *batch) putMessages(ctx context.Context) error {
	all := slices.Grow(b.sink.read[:0], len(b.messages))[:len(b.messages)]
	defer func() { clear(all) }()
	b.sink.read = all
	b.talks = map[talk]int64{}
	for i := range b.messages {
		if err := b.cancelled(); err != nil {
			return err
		}
		if err := b.sink.rows.Message(&all[i], &b.messages[i]); err != nil {
			return err
		}
	}
	stored, err := b.lookUpMessages(ctx, all)
	if err != nil {
		return err
	}
	for i := range all {
		m := &all[i]
		if err := b.cancelled(); err != nil {
			return err
		}
		if !keeps(&b.sink.horizon, &m.Row) {
			continue
		}
		if err := b.putMessage(ctx, m, stored); err != nil {
			return fmt.Errorf("keep %s: %w", m.ID, err)
		}
		if err := b.putUsage(ctx, m); err != nil {
			return fmt.Errorf("keep usage of %s: %w", m.ID, err)
		}
	}
	return nil
}

// lookUpMessages returns the stored messages, by key. While the Sink is new, that is only those
// that may have to be deleted: an insert finds out about the others.
func (b *batch) lookUpMessages(ctx context.Context, all []table.Message) (map[string]storedMessage, error) {
	stored := make(map[string]storedMessage, len(all))
	var keys [][]byte
	for i := range all {
		if !b.sink.isNew || all[i].Text == "" {
			keys = append(keys, all[i].Key)
		}
	}
	for part := range slices.Chunk(keys, chunk) {
		if err := b.lookUpKeys(ctx, part, stored); err != nil {
			return nil, err
		}
	}
	return stored, nil
}

// lookUpKeys adds the stored messages that have one of at most 64 keys.
func (b *batch) lookUpKeys(ctx context.Context, keys [][]byte, stored map[string]storedMessage) error {
	st, err := b.sink.conn.Stmt(ctx, "SELECT id, n, digest, copied, session, file FROM messages CROSS JOIN talks USING (t) WHERE id IN "+schema.Placeholders(chunk))
	if err != nil {
		return err
	}
	args := make([]any, chunk)
	for i := range args {
		args[i] = keys[min(i, len(keys)-1)]
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	return scanStored(rows, stored)
}

// scanStored reads the digests of stored messages.
func scanStored(rows *sql.Rows, stored map[string]storedMessage) error {
	defer rows.Close()
	for rows.Next() {
		var (
			id, sum sql.RawBytes
			k       storedMessage
		)
		if err := rows.Scan(&id, &k.n, &sum, &k.claim.Copied, &k.claim.Session, &k.claim.File); err != nil {
			return err
		}
		copy(k.digest[:], sum)
		stored[string(id)] = k
	}
	return rows.Err()
}

// putMessage stores a message, unless the table holds it already or has a better
// candidate.
//
//	known  text   digest or claim             what is done
//	no     empty                              nothing
//	yes    any    same, or the old one wins   nothing
//	yes    empty  the new one wins            the old one is deleted
//	any    set    the new one wins            it is written, after the old one is deleted
//
// An empty text means that the message is gone from its transcript (a revised turn).
func (b *batch) putMessage(ctx context.Context, m *table.Message, stored map[string]storedMessage) error {
	old, known := stored[string(m.Key)]
	if known && (old.digest == m.Digest || old.claim.Compare(m.Claim) < 0) || !known && m.Text == "" {
		return nil
	}
	if known {
		b.changed = true
		if err := b.removeMessage(ctx, m, old); err != nil {
			return err
		}
		if delete(stored, string(m.Key)); m.Text == "" {
			return nil
		}
	}
	err := b.addMessage(ctx, m, stored)
	if errors.Is(err, errStored) {
		return b.putMessage(ctx, m, stored)
	}
	return err
}

// addMessage adds a message. If the table has its id, it notes that in stored, and returns errStored.
func (b *batch) addMessage(ctx context.Context, m *table.Message, stored map[string]storedMessage) error {
	t, err := b.talkOf(ctx, m)
	if err != nil {
		return err
	}
	m.Packed = b.sink.packer.Pack(nil, m.Text)
	err = b.sink.placeMessage(ctx, m, func(int64) (bool, error) {
		added, failed := b.insertMessage(ctx, m, t)
		if failed != nil || added {
			return added, failed
		}
		failed = b.lookUpKeys(ctx, [][]byte{m.Key}, stored)
		if _, known := stored[string(m.Key)]; known && failed == nil {
			failed = errStored
		}
		return false, failed
	})
	if err != nil {
		return err
	}
	b.changed = true
	stored[string(m.Key)] = storedMessage{n: m.N, digest: m.Digest, claim: m.Claim}
	if b.mark == "" {
		b.same = markOf(m.ID, m.Digest) // there may be no node
	}
	b.tallies.AddMessage(partOf(&m.Row), m.N)
	b.words.Words = append(b.words.Words, b.sink.scopes.TextOfMessage(m))
	return nil
}

// removeMessage removes a message that another one replaces.
func (b *batch) removeMessage(ctx context.Context, m *table.Message, old storedMessage) error {
	b.tallies.Again(sums.Part{Session: old.claim.Session, Source: m.Source})
	if err := b.words.RemoveMessage(ctx, b.sink.words, old.n); err != nil {
		return err
	}
	return b.sink.deleteMessage(ctx, old.n)
}

// deleteMessage deletes the row of a message.
func (s *Sink) deleteMessage(ctx context.Context, n int64) error {
	_, err := s.conn.Exec(ctx, "DELETE FROM messages WHERE n = ?", n)
	return err
}

// removeMessage removes a message with its words.
func (s *Sink) removeMessage(ctx context.Context, n int64) error {
	if err := s.words.RemoveMessage(ctx, n); err != nil {
		return err
	}
	return s.deleteMessage(ctx, n)
}

// insertMessage adds a message, and reports whether it was not there.
func (b *batch) insertMessage(ctx context.Context, m *table.Message, t int64) (bool, error) {
	const insert = `INSERT INTO messages (n, id, t, seq, kind, size, digest, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
	added, err := b.sink.conn.Exec(ctx, insert, m.N, m.Key, t, m.Seq, m.Kind, int64(len(m.Text)), m.Digest[:], m.Packed)
	return added > 0, err
}

// putUsage stores the token counts of a message. The row is replaced only by a
// candidate that is at least as good as the stored one (an original before a copy, then
// by session and file) and that differs: a second delivery changes nothing, and the
// order of deliveries does not matter.
func (b *batch) putUsage(ctx context.Context, m *table.Message) error {
	if m.Usage == nil {
		return nil
	}
	var ms any
	row := tokens.Row{
		ID: [tokens.IDSize]byte(m.Key), Model: []byte(m.Model), Response: tokens.Response(m.Response), Fast: m.Usage.Fast,
		Input: m.Usage.Input, Output: m.Usage.Output, Reasoning: m.Usage.Reasoning,
		CacheRead: m.Usage.CacheRead, CacheCreation: m.Usage.CacheCreation, CacheCreation1h: m.Usage.CacheCreation1h,
	}
	if row.Ms, row.Timed = schema.Millis(m.Timestamp); row.Timed {
		ms = row.Ms
	}
	t, err := b.talkOf(ctx, m)
	if err != nil {
		return err
	}
	args := []any{
		m.Key, t, ms, m.Model, m.Response, row.Input, row.Output, row.CacheRead, row.CacheCreation,
		row.CacheCreation1h, row.Reasoning, schema.Bit(row.Fast),
	}
	const insert = `INSERT INTO usage (id, t, ms, model, response, input, output, cache_read, cache_creation,
		  cache_creation_1h, reasoning, fast)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO `
	added, err := b.sink.conn.Exec(ctx, insert+"NOTHING", args...)
	if err != nil {
		return err
	}
	if added == 0 {
		st, err := b.sink.conn.Stmt(ctx, "SELECT t FROM usage WHERE id = ?")
		if err != nil {
			return err
		}
		var was int64
		if err = st.QueryRowContext(ctx, m.Key).Scan(&was); err != nil {
			return err
		}
		const update = insert + `UPDATE SET t = excluded.t, ms = excluded.ms, model = excluded.model, response = excluded.response,
		  input = excluded.input, output = excluded.output, cache_read = excluded.cache_read, cache_creation = excluded.cache_creation,
		  cache_creation_1h = excluded.cache_creation_1h, reasoning = excluded.reasoning, fast = excluded.fast
		WHERE (SELECT copied, session, file FROM talks WHERE t = excluded.t) <= (SELECT copied, session, file FROM talks WHERE t = usage.t)
		  AND (excluded.t, excluded.input, excluded.output, excluded.cache_read, excluded.cache_creation, excluded.model, excluded.ms,
		    excluded.cache_creation_1h, excluded.reasoning, excluded.fast)
		    IS NOT (usage.t, usage.input, usage.output, usage.cache_read, usage.cache_creation, usage.model, usage.ms,
		    usage.cache_creation_1h, usage.reasoning, usage.fast)`
		changed, err := b.sink.conn.Exec(ctx, update, args...)
		if err != nil || changed == 0 {
			return err
		}
		b.spent.Remove(was, m.Key)
	}
	b.spent.Add(t, &row)
	b.changed = true
	return nil
}
