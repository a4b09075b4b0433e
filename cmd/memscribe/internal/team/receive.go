package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/source"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// received is the database, in the data folder, of what is shared by everybody. It is the
// program's own: what is not shared any more goes out of it.
const received = "team.db"

// Limits on what is taken of one server, which may say anything: bytes of a node, and
// bytes and memories of a namespace.
const (
	maxNode     = 4 << 20
	maxBytes    = 1 << 30
	maxMemories = 1_000_000
)

// errTooMuch says that a server has more than is taken of one.
var errTooMuch = fmt.Errorf("it has more than %d memories or %d MiB, or says the same again and again: no more is taken", maxMemories, maxBytes>>20)

// receiver fills that database. Nothing a server sends is trusted: a node must parse as
// one JSON value, be of a known kind, carry the id of its memory and be at most 4 MiB;
// it is redacted again with the user's rules, and orders to agents are taken out,
// because agents will read it. At most 1,000,000 memories or 1 GiB are taken from a
// namespace.
type receiver struct {
	path    string
	into    *sqlite.Sink
	kept    map[string]string // the ids of all nodes that are shared, and the server of each
	prepare *record.Preparer
	doc     jsondoc.Doc
}

// newReceiver opens the database for the memories of others, and an encoder with the
// user's redaction rules: nothing that a server sends is stored before it was
// redacted again.
func newReceiver(ctx context.Context, a *cli.App) (*receiver, error) {
	dir, err := a.DataDir()
	if err != nil {
		return nil, fmt.Errorf("find data folder: %w", err)
	}
	r := &receiver{path: filepath.Join(dir, received), kept: map[string]string{}}
	encoder, err := (&source.Privacy{Rules: &a.Rules}).Encoder()
	if err != nil {
		return nil, err
	}
	if r.prepare, err = record.NewPreparer(encoder.Scrubber); err != nil {
		return nil, err
	}
	if err = a.Private(r.path, ""); err != nil {
		return nil, err
	}
	r.into, err = sqlite.Open(ctx, r.path, sqlite.Options{Bulk: true})
	return r, err
}

// taken is what came of a namespace.
type taken struct {
	many, left int
	why        error // why the first was left
}

// receive takes in the nodes of a namespace, page by page. Memories that the server
// does not call trusted are not asked for. A memory that is no acceptable node is
// counted and left there, with the reason of the first; an id that another server has
// already given is refused, so that one team cannot rewrite what another one says.
//
// A server whose pages never end is stopped when a page brings no new id.
func (r *receiver) receive(ctx context.Context, c *client.Client, t *cli.Team) (got taken, err error) {
	ask := api.SearchRequest{
		Namespaces: []string{t.Namespace}, Trust: []api.Trust{api.Trusted}, IncludeInvalid: true, IncludeNode: true, Limit: api.MaxPage,
	}
	size, seen := 0, map[string]bool{}
	for {
		before := len(seen)
		found, err := c.Search(ctx, ask)
		if err != nil {
			return got, err
		}
		var lines []sink.Line
		for i := range found.Memories {
			m := &found.Memories[i]
			seen[m.ID] = true
			if len(m.Node) == 0 && m.Kind == "note" {
				continue // who joined
			}
			l, failed := r.line(m, t)
			if failed != nil {
				got.left++
				got.why = cmp.Or(got.why, failed)
				continue
			}
			size += len(l.JSON)
			r.kept[l.ID] = t.URL
			lines = append(lines, l)
		}
		got.many += len(lines)
		if size > maxBytes || len(seen) > maxMemories {
			return got, errTooMuch
		}
		if err = r.into.Apply(ctx, lines); err != nil {
			return got, err
		}
		if ask.Cursor = found.NextCursor; ask.Cursor == "" {
			return got, nil
		}
		if len(seen) == before {
			return got, errTooMuch
		}
	}
}

// line is the node of a memory, as it is kept.
func (r *receiver) line(m *api.Memory, t *cli.Team) (sink.Line, error) {
	switch {
	case m.Trust != api.Trusted || m.Namespace != t.Namespace:
		return sink.Line{}, errors.New("it is none of those that were asked for")
	case !slices.Contains([]string{"conversation", "decision", "episode", "binding"}, m.Kind):
		return sink.Line{}, errors.New("it is of no kind of node")
	case len(m.Node) > maxNode:
		return sink.Line{}, fmt.Errorf("it has more than %d bytes", maxNode)
	case r.kept[m.ID] != "" && r.kept[m.ID] != t.URL:
		return sink.Line{}, fmt.Errorf("%s has a node of that id", r.kept[m.ID])
	}
	if n, err := r.doc.Parse(m.Node); err != nil || n != len(m.Node) {
		return sink.Line{}, errors.New("it is not one JSON value")
	}
	clean, err := r.prepare.Received(m.Node)
	if err != nil {
		return sink.Line{}, err
	}
	if _, err = r.doc.Parse(clean); err != nil {
		return sink.Line{}, err
	}
	node := r.doc.Root()
	if !node.Get("schema").Is(core.NodeSchema) || !node.Get("id").Is(m.ID) || !node.Get("node").Is(m.Kind) {
		return sink.Line{}, errors.New("it is not the node that its memory names")
	}
	seq, _ := node.Path("turn_range", "start").Int()
	return sink.Line{
		ID: m.ID, Kind: m.Kind, Source: core.Tool(node.Get("source").Str()), Session: node.Get("session_id").Str(),
		Thread: node.Get("thread_id").Str(), Seq: uint64(max(seq, 0)), JSON: clean,
	}, nil
}

// close ends receiving. If all that is shared was received, what is not shared any more
// is forgotten here, too.
//
// A run that was interrupted deletes nothing.
func (r *receiver) close(ctx context.Context, all bool) error {
	err := r.into.Flush(ctx)
	if err = errors.Join(err, r.into.Close()); err != nil || !all { //nolint:contextcheck // it is closed, whatever has ended
		return err
	}
	db, err := nodedb.Open(ctx, r.path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	var gone []string
	err = db.Each(ctx, func(id string, _ []byte) error {
		if r.kept[id] == "" {
			gone = append(gone, id)
		}
		return nil
	})
	if err = errors.Join(err, db.Close()); err != nil || len(gone) == 0 {
		return err
	}
	_, err = sqlite.Forget(ctx, r.path, removal.Request{IDs: gone})
	return err
}
