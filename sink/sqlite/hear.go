package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
)

// message is a message as the table holds it.
type message struct {
	row // with the columns that a node has too

	key      []byte // of the id
	claim    claim
	model    string
	text     string
	packed   []byte // the text as it is stored
	response string
	usage    *core.Usage
}

// claim says which of the candidates for a message stands: the least. So it does
// not matter in what order transcripts are read that repeat each other.
type claim struct {
	copied  bool
	session string
	file    int64
}

func (c claim) compare(d claim) int {
	rank := func(c claim) int {
		if c.copied {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(c), rank(d)), cmp.Compare(c.session, d.session), cmp.Compare(c.file, d.file))
}

// keptMessage is what the table holds of a message.
type keptMessage struct {
	n      int64
	digest digest
	claim  claim
}

// talk is where messages come from. Its number is of the table talks.
type talk struct {
	part

	copied bool
	file   int64
}

func (m *message) talk() talk {
	return talk{part: partOf(&m.row), copied: m.claim.copied, file: m.claim.file}
}

// talkOf returns the number of a talk. Within a batch it does not change.
func (b *batch) talkOf(ctx context.Context, of talk) (t int64, err error) {
	if known, ok := b.talks[of]; ok {
		return known, nil
	}
	args := []any{of.session, of.source, of.thread, of.project, bit(of.copied), of.file}
	st, err := b.sink.stmt(ctx, "SELECT t FROM talks WHERE session = ? AND source = ? AND thread = ? AND project = ? AND copied = ? AND file = ?")
	if err != nil {
		return 0, err
	}
	err = st.QueryRowContext(ctx, args...).Scan(&t)
	if errors.Is(err, sql.ErrNoRows) {
		if st, err = b.sink.stmt(ctx, "INSERT INTO talks (session, source, thread, project, copied, file) VALUES "+marks(len(args))+" RETURNING t"); err == nil {
			err = st.QueryRowContext(ctx, args...).Scan(&t)
		}
	}
	if err == nil {
		b.talks[of] = t
	}
	return t, err
}

// split parts the lines of messages from those of nodes.
func split(lines []sink.Line) (nodes, said []sink.Line) {
	for i := range lines {
		if lines[i].Kind != sink.Message {
			continue
		}
		for j := range lines {
			if lines[j].Kind == sink.Message {
				said = append(said, lines[j])
			} else {
				nodes = append(nodes, lines[j])
			}
		}
		return nodes, said
	}
	return lines, nil
}

// hear takes in the messages of the batch.
func (b *batch) hear(ctx context.Context) error {
	all := make([]*message, len(b.said))
	for i := range b.said {
		if err := b.broken(); err != nil {
			return err
		}
		var err error
		if all[i], err = b.sink.rows.message(&b.said[i]); err != nil {
			return err
		}
	}
	b.talks = map[talk]int64{}
	kept, err := b.lookUpMessages(ctx, all)
	if err != nil {
		return err
	}
	for _, m := range all {
		if err := b.broken(); err != nil {
			return err
		}
		if !b.sink.horizon.keeps(&m.row) {
			continue
		}
		if err := b.putMessage(ctx, m, kept); err != nil {
			return fmt.Errorf("keep %s: %w", m.id, err)
		}
		if err := b.putUsage(ctx, m); err != nil {
			return fmt.Errorf("keep usage of %s: %w", m.id, err)
		}
	}
	return nil
}

// message takes a line apart.
func (p *rowReader) message(l *sink.Line) (*message, error) {
	n, err := p.doc.Parse(l.JSON)
	if err != nil {
		return nil, fmt.Errorf("read message %s: %w", l.ID, err)
	}
	root := p.doc.Root()
	if n != len(l.JSON) || !root.Get("schema").Is(core.MessageSchema) || !root.Get("id").Is(l.ID) {
		return nil, fmt.Errorf("read message %s: it is not one", l.ID)
	}
	m := &message{row: row{id: l.ID, digest: digestOf(l.JSON)}}
	for name, v := range root.Fields() {
		switch string(name.Body()) {
		case "kind":
			m.kind = latest(&p.last.kind, v)
		case "copied":
			m.claim.copied = v.Bool()
		case "file":
			m.claim.file = hashOf(v.Body())
		case "text":
			m.text = strings.TrimSpace(cutSaid(v.Str()))
		case "model":
			m.model = v.Str()
		case "response_id":
			m.response = v.Str()
		case "usage":
			m.usage = &core.Usage{}
			m.usage.Input, _ = v.Get("input_tokens").Int()
			m.usage.Output, _ = v.Get("output_tokens").Int()
			m.usage.CacheRead, _ = v.Get("cache_read_tokens").Int()
			m.usage.CacheCreation, _ = v.Get("cache_creation_tokens").Int()
			m.usage.CacheCreation1h, _ = v.Get("cache_creation_1h_tokens").Int()
			m.usage.Reasoning, _ = v.Get("reasoning_tokens").Int()
			m.usage.Fast = v.Get("fast").Bool()
		default:
			p.head(&m.row, name.Body(), v)
		}
	}
	m.claim.session = m.session
	if m.kind == string(core.Command) {
		m.text = cut(m.text, maxCommand)
	}
	_, id, _ := strings.Cut(l.ID, ":")
	if m.key, err = hex.DecodeString(id); err != nil {
		return nil, fmt.Errorf("read message %s: its name is none: %w", l.ID, err)
	}
	return m, nil
}

func hashOf(b []byte) int64 {
	h := fnv.New64a()
	h.Write(b)
	return int64(h.Sum64())
}

// lookUpMessages asks what the table holds of messages.
func (b *batch) lookUpMessages(ctx context.Context, all []*message) (map[string]keptMessage, error) {
	kept := map[string]keptMessage{}
	if len(all) == 0 {
		return kept, nil
	}
	st, err := b.sink.stmt(ctx, "SELECT id, n, digest, copied, session, file FROM messages CROSS JOIN talks USING (t) WHERE id IN "+marks(chunk))
	if err != nil {
		return nil, err
	}
	args := make([]any, chunk)
	for from := 0; from < len(all); from += chunk {
		for i := range args {
			args[i] = all[min(from+i, len(all)-1)].key
		}
		rows, err := st.QueryContext(ctx, args...)
		if err != nil {
			return nil, err
		}
		if err := scanKept(rows, kept); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

func scanKept(rows *sql.Rows, kept map[string]keptMessage) error {
	defer rows.Close()
	for rows.Next() {
		var (
			id, sum sql.RawBytes
			k       keptMessage
		)
		if err := rows.Scan(&id, &k.n, &sum, &k.claim.copied, &k.claim.session, &k.claim.file); err != nil {
			return err
		}
		copy(k.digest[:], sum)
		kept[string(id)] = k
	}
	return rows.Err()
}

// putMessage stores a message, unless the table holds it already or has a better
// candidate.
func (b *batch) putMessage(ctx context.Context, m *message, kept map[string]keptMessage) error {
	old, known := kept[string(m.key)]
	if known && (old.digest == m.digest || old.claim.compare(m.claim) < 0) || !known && m.text == "" {
		return nil
	}
	b.changed = true
	if known {
		if err := b.forget(ctx, m, old); err != nil {
			return err
		}
	}
	if m.text == "" {
		delete(kept, string(m.key))
		return nil
	}
	t, err := b.talkOf(ctx, m.talk())
	if err != nil {
		return err
	}
	m.packed = b.sink.packer.Pack(nil, m.text)
	err = b.sink.placeIn(ctx, numbered{"messages", b.sink.heard}, placeOf(&m.row), func(n int64) (bool, error) {
		m.n = n
		return b.insertMessage(ctx, m, t)
	})
	if err != nil {
		return err
	}
	kept[string(m.key)] = keptMessage{n: m.n, digest: m.digest, claim: m.claim}
	if b.mark == "" {
		b.same = markOf(m.id, m.digest) // there may be no node
	}
	b.tallies.addMessage(&m.row)
	b.spoken = append(b.spoken, b.sink.scopes.spokenOfMessage(m))
	return nil
}

// forget takes away a message in whose place another one comes.
func (b *batch) forget(ctx context.Context, m *message, old keptMessage) error {
	b.tallies.again(part{session: old.claim.session, source: m.source})
	b.unsaid = append(b.unsaid, rowOfMessage(old.n))
	for i := range b.spoken { // of this very batch
		if b.spoken[i].row == rowOfMessage(old.n) {
			b.spoken = append(b.spoken[:i], b.spoken[i+1:]...)
			break
		}
	}
	return b.sink.removeMessage(ctx, old.n)
}

func (s *Sink) removeMessage(ctx context.Context, n int64) error {
	_, err := s.exec(ctx, deleteSpoken, rowOfMessage(n))
	if err == nil {
		_, err = s.exec(ctx, "DELETE FROM messages WHERE n = ?", n)
	}
	return err
}

func (b *batch) insertMessage(ctx context.Context, m *message, t int64) (bool, error) {
	added, err := b.sink.exec(ctx, "INSERT INTO messages (n, id, t, seq, kind, size, digest, text) VALUES "+marks(8)+" ON CONFLICT (n) DO NOTHING",
		m.n, m.key, t, m.seq, m.kind, int64(len(m.text)), m.digest[:], m.packed)
	return added > 0, err
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// putUsage stores what a message says about tokens, by the same rule as the message
// itself.
func (b *batch) putUsage(ctx context.Context, m *message) error {
	if m.usage == nil {
		return nil
	}
	var ms any
	if at, ok := millis(m.timestamp); ok {
		ms = at
	}
	t, err := b.talkOf(ctx, m.talk())
	if err != nil {
		return err
	}
	changed, err := b.sink.exec(ctx, `INSERT INTO usage (id, t, ms, model, response, input, output, cache_read, cache_creation,
		  cache_creation_1h, reasoning, fast)
		VALUES `+marks(12)+` ON CONFLICT DO UPDATE SET t = excluded.t, ms = excluded.ms, model = excluded.model, response = excluded.response,
		  input = excluded.input, output = excluded.output, cache_read = excluded.cache_read, cache_creation = excluded.cache_creation,
		  cache_creation_1h = excluded.cache_creation_1h, reasoning = excluded.reasoning, fast = excluded.fast
		WHERE (SELECT copied, session, file FROM talks WHERE t = excluded.t) <= (SELECT copied, session, file FROM talks WHERE t = usage.t)
		  AND (excluded.t, excluded.input, excluded.output, excluded.cache_read, excluded.cache_creation, excluded.model, excluded.ms,
		    excluded.cache_creation_1h, excluded.reasoning, excluded.fast)
		    IS NOT (usage.t, usage.input, usage.output, usage.cache_read, usage.cache_creation, usage.model, usage.ms,
		    usage.cache_creation_1h, usage.reasoning, usage.fast)`,
		m.key, t, ms, m.model, m.response, m.usage.Input, m.usage.Output, m.usage.CacheRead, m.usage.CacheCreation,
		m.usage.CacheCreation1h, m.usage.Reasoning, bit(m.usage.Fast))
	b.changed = b.changed || changed > 0
	return err
}

// addMessage counts a new message.
func (t *tallies) addMessage(r *row) {
	sum := t.sum(partOf(r))
	sum.messages++
	sum.span(r.n)
}

// spokenOfMessage is what the index for memscribe search holds of a message.
func (s *scopes) spokenOfMessage(m *message) spoken {
	by := byAgent
	if m.kind == string(core.Asked) {
		by = byPerson
	}
	kind := "message"
	if m.kind == string(core.Command) {
		kind = m.kind
	}
	of := m.row
	of.kind = kind
	return spoken{row: rowOfMessage(m.n), text: findable(m.text), scope: s.of(&of) + " " + by}
}

// maxCommand is how much of a command is kept: what is longer writes a file, and that
// is an edit.
const maxCommand = 4 << 10

var errUnheard = errors.New("its text cannot be read")

// lostMessages makes entries of the first messages of a range that the index does
// not know, and returns where the rest of the range begins.
func (s *Sink) lostMessages(ctx context.Context, first, last int64) (_ []entry, said []spoken, next int64, err error) {
	scan := func(rows *sql.Rows, m *stored) error {
		return rows.Scan(&m.n, &m.kind, &m.source, &m.root, &m.size, &m.packed, &m.isSpoken)
	}
	all, err := collect(ctx, s.conn, scan, `SELECT n, kind, source, project, size, text,
		EXISTS (SELECT * FROM words_docsize WHERE id = 2 * n + 1)
		FROM messages CROSS JOIN talks USING (t) WHERE n >= ? AND n <= ? ORDER BY n LIMIT ?`, first, last, rereadRows)
	if err != nil || len(all) == 0 {
		return nil, nil, last + 1, err
	}
	u, err := newUnpacker()
	if err != nil {
		return nil, nil, 0, err
	}
	defer u.Close()
	for i := range all {
		m := &all[i]
		if m.isSpoken {
			continue
		}
		if m.text, err = m.unpack(u); err != nil {
			return nil, nil, 0, errors.Join(errUnheard, err)
		}
		said = append(said, s.scopes.spokenOfMessage(&m.message))
	}
	return nil, said, all[len(all)-1].n + 1, nil
}
