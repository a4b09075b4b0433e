package table

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/tokens"
	"github.com/memscribe/memscribe/internal/sink"
)

// Message is a message as the table holds it. One without a text is not stored, and has no digest.
type Message struct {
	Row // with the columns that a node has too

	Key      []byte // of the id
	Claim    Claim
	Model    string
	Text     string
	Packed   []byte // the text as it is stored
	Response string
	Usage    *core.Usage
}

// Claim orders the candidates for a message: the least one is stored. Transcripts repeat each
// other (resume, fork, archive), and the result must not depend on the order in which they are
// read.
type Claim struct {
	Copied  bool
	Session string
	File    int64
}

// Compare orders claims: the least stands.
func (c Claim) Compare(d Claim) int {
	rank := func(c Claim) int {
		if c.Copied {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(c), rank(d)), cmp.Compare(c.Session, d.Session), cmp.Compare(c.File, d.File))
}

// Message takes a line apart, into m.
func (p *Parser) Message(m *Message, l *sink.Line) error {
	n, err := p.Doc.Parse(l.JSON)
	if err != nil {
		return fmt.Errorf("read message %s: %w", l.ID, err)
	}
	root := p.Doc.Root()
	if n != len(l.JSON) || !root.Get("schema").Is(core.MessageSchema) || !root.Get("id").Is(l.ID) {
		return fmt.Errorf("read message %s: it is not one", l.ID)
	}
	*m = Message{Row: Row{ID: l.ID}}
	for name, v := range root.Fields() {
		switch string(name.Body()) {
		case "kind":
			m.Kind = latest(&p.last.kind, v)
		case "copied":
			m.Claim.Copied = v.Bool()
		case "file":
			m.Claim.File = hashOf(v.Body())
		case "text":
			m.Text = strings.TrimSpace(fulltext.CutSaid(v.Str()))
		case "model":
			m.Model = v.Str()
		case "response_id":
			m.Response = v.Str()
		case "usage":
			m.Usage = &core.Usage{}
			m.Usage.Input, _ = v.Get("input_tokens").Int()
			m.Usage.Output, _ = v.Get("output_tokens").Int()
			m.Usage.CacheRead, _ = v.Get("cache_read_tokens").Int()
			m.Usage.CacheCreation, _ = v.Get("cache_creation_tokens").Int()
			m.Usage.CacheCreation1h, _ = v.Get("cache_creation_1h_tokens").Int()
			m.Usage.Reasoning, _ = v.Get("reasoning_tokens").Int()
			m.Usage.Fast = v.Get("fast").Bool()
		default:
			p.head(&m.Row, name.Body(), v)
		}
	}
	m.Claim.Session = m.Session
	if m.Kind == string(core.Command) {
		m.Text = fulltext.Cut(m.Text, maxCommand)
	}
	_, id, _ := strings.Cut(l.ID, ":")
	if m.Key, err = hex.DecodeString(id); err == nil && len(m.Key) != tokens.IDSize {
		err = fmt.Errorf("it has %d bytes, not %d", len(m.Key), tokens.IDSize)
	}
	if err != nil {
		return fmt.Errorf("read message %s: its name is none: %w", l.ID, err)
	}
	if m.Text != "" {
		m.Digest = DigestOf(l.JSON)
	}
	return nil
}

// hashOf returns the hash by which equal messages are found. A collision costs a
// comparison and nothing else.
func hashOf(b []byte) int64 {
	h := fnv.New64a()
	h.Write(b)
	return int64(h.Sum64())
}

// maxCommand is how much of a command is kept: what is longer writes a file, and that
// is an edit.
const maxCommand = 4 << 10
