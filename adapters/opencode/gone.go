package opencode

import (
	"strconv"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// What a rewind takes back is deleted as soon as more is said. But the databases
// of later versions have a log beside the messages, from which nothing is
// deleted (recorded 1.18.33): every state of a message and of its parts, and that
// it was removed. And where sessions lie in files, only those of the messages are
// deleted: those of their parts stay (recorded 0.5.29).

// withGone gives common table expressions for the messages of a session, m, with
// those that were deleted: "gone_at" is then the id of the log's record of that,
// "back_to" the message to which the session was going back, and "parts" what
// belonged to the message. Nothing is looked for where the log has no removal. A
// message that a fork still has a copy of is left to the fork.
func withGone() string {
	return `WITH gone AS MATERIALIZED (
	SELECT json_extract(e.data, '$.messageID') AS id, e.id AS at, min(e.seq), (
		SELECT json_extract(s.data, '$.info.revert.messageID') FROM event s
		WHERE s.aggregate_id = ?1 AND s.type = 'session.updated.1' AND s.seq < e.seq ORDER BY s.seq DESC LIMIT 1) AS back_to
	FROM event e WHERE e.aggregate_id = ?1 AND e.type = 'message.removed.1'
	AND json_extract(e.data, '$.messageID') NOT IN (SELECT id FROM message WHERE session_id = ?1) GROUP BY 1
), was AS MATERIALIZED (
	SELECT g.id, g.at, g.back_to, max(e.seq), json_extract(e.data, '$.info') AS info
	FROM event e JOIN gone g ON g.id = json_extract(e.data, '$.info.id')
	WHERE EXISTS (SELECT 1 FROM gone) AND e.aggregate_id = ?1 AND e.type = 'message.updated.1' GROUP BY g.id
), had AS MATERIALIZED (
	SELECT json_extract(e.data, '$.part.id') AS id, json_extract(e.data, '$.part.messageID') AS message, max(e.seq), json_extract(e.data, '$.part') AS part
	FROM event e WHERE EXISTS (SELECT 1 FROM gone) AND e.aggregate_id = ?1 AND e.type = 'message.part.updated.1'
	AND json_extract(e.data, '$.part.messageID') IN (SELECT id FROM gone) GROUP BY 1
), m AS (
	SELECT id, session_id, time_created, data, NULL AS gone_at, NULL AS back_to, NULL AS parts FROM message WHERE session_id = ?1
	UNION ALL
	SELECT w.id, ?1, json_extract(w.info, '$.time.created'), json_remove(w.info, '$.id', '$.sessionID'), w.at, w.back_to,
		(SELECT json_group_array(json(part)) FROM (SELECT part FROM had WHERE message = w.id ORDER BY id))
	FROM was w WHERE NOT EXISTS (
		SELECT 1 FROM session t JOIN message x ON x.session_id = t.id AND x.time_created = json_extract(w.info, '$.time.created')
		WHERE t.project_id = (SELECT project_id FROM session WHERE id = ?1) AND t.id <> ?1
		AND json_extract(x.data, '$.role') = json_extract(w.info, '$.role') AND ` + isCopy("x") + `)
) `
}

// goneColumns are the columns of m that only a deleted message has.
const goneColumns = `, m.gone_at, m.back_to, m.parts AS "parts:json"`

// gone is a message that was deleted, and has been read: when, if that is known,
// and to which message the session was going back then.
type gone struct{ id, at, backTo string }

// stray opens a message with nothing left but its parts. What it was its
// first part says, and when it was made its id. A rewind begins with what a
// person said, and a record that cannot be read is not gone.
func (p *parser) stray(id string, first jsondoc.Value) {
	if len(p.gone) == 0 {
		p.kept = p.files.Keep()
	}
	before := p.message.role
	p.marks = append(p.marks, mark{message: id, id: p.LastID, seq: p.Last, known: p.LastID != ""})
	p.message, p.Parent, p.Scope = message{id: id, role: "user"}, "", ""
	if after, ok := since(id, p.born); ok && p.born > 0 {
		p.message.time = core.UnixMilli(p.born + after)
	}
	switch first.Get("type").Str() {
	case "step-start", "step-finish", "reasoning", "tool":
		p.message.role = "assistant"
		p.message.summary = p.summing || p.oneEach && before == "assistant"
		p.summing = false
	}
	g := gone{id: id}
	if p.message.role == "user" && !p.broken {
		g.backTo = id
	}
	p.broken = false
	p.gone = append(p.gone, g)
}

// deleted reads what belonged to a message that was deleted.
func (p *parser) deleted(key string, row jsondoc.Value) {
	at := row.Get("gone_at").Str()
	if at == "" {
		return
	}
	if len(p.gone) == 0 {
		p.kept = p.files.Keep()
	}
	p.gone = append(p.gone, gone{key, at, row.Get("back_to").Str()})
	for part := range row.Get("parts").Elems() {
		p.Raw = core.RawValue(part)
		p.partOf(part.Get("id").Str(), part)
	}
}

// goneBefore emits the rewind that deleted messages before one which was made at
// a moment. Messages that were deleted by themselves were not taken back.
func (p *parser) goneBefore(ms int64) {
	back := gone{}
	rest := p.gone[:0]
	for _, g := range p.gone {
		switch {
		case isLater(g.at, ms):
			rest = append(rest, g)
		case g.backTo != "" && back.id == "":
			back = g
		}
	}
	p.gone = rest
	if back.id == "" {
		return
	}
	to := back.backTo
	if _, ok := p.markOf(to); !ok {
		to = back.id
	}
	if m, ok := p.markOf(to); ok {
		p.restore()
		p.message, p.Parent, p.Scope = message{}, "", ""
		p.Send(stream.Head{ID: "revert:" + to}, &core.Rewind{ToEvent: m.id, ToSeq: m.seq})
	}
}

// restore has the files be what they were, if they were put back: that is done by
// the parts that say what a step changed, and where there are none the files stay
// as they are (read in source; recorded 1.2.27, Kilo 7.7.9).
func (p *parser) restore() {
	if p.putBack {
		p.files.Back(p.kept)
	}
	p.putBack = false
}

// markOf finds where a message began, if anything stands before it.
func (p *parser) markOf(id string) (mark, bool) {
	for _, m := range p.marks {
		if id != "" && m.message == id && m.known {
			return m, true
		}
	}
	return mark{}, false
}

// A fork copies messages and their parts under new ids and keeps the moments at
// which the messages were made (recorded 1.0.0, 1.1.34, 1.2.27, 1.18.33). An id
// begins with the moment at which it was made itself: 36 bits of milliseconds
// and 12 of a counter. A message takes its id before its moment or with it
// (recorded, all versions), so that one whose id is later is a copy.
const (
	idStart  = len("msg_")
	idDigits = 9
	idBits   = 36
)

// copyMark is what the copy of a message keeps of it; and whether it is one.
func copyMark(key string, document []byte) (string, bool) {
	v := stream.Parsed(new(jsondoc.Doc), document)
	made, ok := v.Path("time", "created").Int()
	if !ok {
		return "", false
	}
	role := v.Get("role").Str()
	return role + " " + strconv.FormatInt(made, 10), isLater(key, made)
}

// isLater reports whether an id was made after a moment.
func isLater(id string, ms int64) bool {
	gap, ok := since(id, ms)
	return ok && gap > 0 && gap < 1<<(idBits-1)
}

// since is how long after a moment an id was made, less whole rounds of its
// clock.
func since(id string, ms int64) (gap int64, ok bool) {
	if len(id) < idStart+idDigits || id[idStart-1] != '_' {
		return 0, false
	}
	at, err := strconv.ParseInt(id[idStart:idStart+idDigits], 16, 64)
	if err != nil {
		return 0, false
	}
	const whole = int64(1) << idBits
	return (at - ms%whole + whole) % whole, true
}
