package team

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// received is the database, in the data folder, of what is shared by everybody. It is the
// program's own: what is not shared any more goes out of it.
const received = "team.db"

// receiver fills that database.
type receiver struct {
	path string
	into *sqlite.Sink
	kept map[string]bool // the ids of all nodes that are shared
	doc  jsondoc.Doc
}

func newReceiver(ctx context.Context, a *cli.App) (*receiver, error) {
	dir, err := a.DataDir()
	if err != nil {
		return nil, fmt.Errorf("find data folder: %w", err)
	}
	r := &receiver{path: filepath.Join(dir, received), kept: map[string]bool{}}
	if err = a.Private(r.path, ""); err != nil {
		return nil, err
	}
	r.into, err = sqlite.Open(ctx, r.path, sqlite.Options{Bulk: true})
	return r, err
}

// receive takes in the nodes of a namespace. Memories that a token may not vouch for, and
// what is not the node that its memory names, stay there: agents will read this.
func (r *receiver) receive(ctx context.Context, c *client.Client, namespace string) (many int, err error) {
	ask := api.SearchRequest{
		Namespaces: []string{namespace}, Trust: []api.Trust{api.Trusted}, IncludeInvalid: true, IncludeNode: true, Limit: api.MaxPage,
	}
	for {
		found, err := c.Search(ctx, ask)
		if err != nil {
			return many, err
		}
		var lines []sink.Line
		for i := range found.Memories {
			if l, ok := r.line(&found.Memories[i]); ok {
				r.kept[l.ID] = true
				lines = append(lines, l)
			}
		}
		if err = r.into.Apply(ctx, lines); err != nil {
			return many, err
		}
		many += len(lines)
		if ask.Cursor = found.NextCursor; ask.Cursor == "" {
			return many, nil
		}
	}
}

// line is the node of a memory.
func (r *receiver) line(m *api.Memory) (sink.Line, bool) {
	n, err := r.doc.Parse(m.Node)
	if err != nil || n != len(m.Node) {
		return sink.Line{}, false
	}
	node := r.doc.Root()
	seq, _ := node.Path("turn_range", "start").Int()
	l := sink.Line{
		ID: m.ID, Kind: m.Kind, Source: core.Tool(node.Get("source").Str()), Session: node.Get("session_id").Str(),
		Thread: node.Get("thread_id").Str(), Seq: uint64(max(seq, 0)), JSON: m.Node,
	}
	return l, node.Get("schema").Is(core.NodeSchema) && node.Get("id").Is(m.ID) && node.Get("node").Is(m.Kind)
}

// close ends receiving. If all that is shared was received, what is not shared any more
// is forgotten here, too.
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
		if !r.kept[id] {
			gone = append(gone, id)
		}
		return nil
	})
	if err = errors.Join(err, db.Close()); err != nil || len(gone) == 0 {
		return err
	}
	_, err = sqlite.Forget(ctx, r.path, nodedb.Forgetting{IDs: gone})
	return err
}
