package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// Limits on what is taken of one server, which may say anything: bytes of a node, and
// bytes and memories of a namespace.
const (
	maxNode     = 4 << 20
	maxBytes    = 1 << 30
	maxMemories = 1_000_000
)

// errTooMuch says that a server has more than is taken of one.
var errTooMuch = fmt.Errorf("it has more than %d memories or %d MiB, or says the same again and again: no more is taken", maxMemories, maxBytes>>20)

// receiver stores what others shared in the database that watch keeps, so that
// every question is answered from one's own nodes and those of the team. Nothing a
// server sends is trusted: a node must parse as one JSON value, be of a known kind, carry
// the id of its memory and be at most 4 MiB; it is redacted again with the user's rules,
// and orders to agents are taken out, because agents will read it. What was captured here
// stays as it is, and what was forgotten here does not come back. At most 1,000,000
// memories or 1 GiB are taken from a namespace.
type receiver struct {
	path      string
	into      *sqlite.Sink
	forgotten *forget.Book
	kept      map[string]bool // the ids of all nodes that others share
	prepare   *record.Preparer
	doc       jsondoc.Doc
}

// newReceiver opens the database, and an encoder with the user's redaction rules:
// nothing that a server sends is stored before it was redacted again.
func newReceiver(ctx context.Context, s *setup.Setup, database string) (*receiver, error) {
	path, err := filepath.Abs(database)
	if err != nil {
		return nil, fmt.Errorf("find database: %w", err)
	}
	r := &receiver{path: path, kept: map[string]bool{}}
	encoder, err := (&source.Privacy{Rules: &s.Rules}).Encoder()
	if err != nil {
		return nil, err
	}
	if r.prepare, err = record.NewPreparer(encoder.Scrubber); err != nil {
		return nil, err
	}
	if r.forgotten, err = forgotten(s); err != nil {
		return nil, err
	}
	if err = s.Private(s.Logger(), r.path, ""); err != nil {
		return nil, err
	}
	r.into, err = sqlite.Open(ctx, r.path, sqlite.Options{Bulk: true})
	return r, err
}

// taken is what came of a namespace.
type taken struct {
	many, left int
	why        error    // why the first was left
	mine       []string // ids of what was shared in this user's name, and forgotten here since
}

// leave counts a memory that was not taken.
func (t *taken) leave(why error) {
	t.left++
	t.why = cmp.Or(t.why, why)
}

// receive fetches and stores the nodes of a namespace, page by page. Memories that the server
// does not call trusted are not asked for. A memory that is no acceptable node is
// counted and left there, with the reason of the first; so is an id that another server
// or namespace has given, so that one team cannot rewrite what another one says.
//
// A server whose pages never end is stopped when a page brings no new id.
func (r *receiver) receive(ctx context.Context, c *client.Client, t *setup.Team) (got taken, err error) {
	ask := api.SearchRequest{
		Namespaces: []string{t.Namespace}, Trust: []api.Trust{api.Trusted}, IncludeInvalid: true, IncludeNode: true, Limit: api.MaxPage,
	}
	from := sqlite.Origin{Server: t.URL, Namespace: t.Namespace}
	size, seen := 0, map[string]bool{}
	for {
		before := len(seen)
		found, err := c.Search(ctx, ask)
		if err != nil {
			return got, err
		}
		var nodes []sqlite.Shared
		for i := range found.Memories {
			m := &found.Memories[i]
			seen[m.ID] = true
			if len(m.Node) == 0 && m.Kind == "note" {
				continue // who joined
			}
			l, failed := r.line(m, t)
			var gone bool
			if failed == nil {
				gone, failed = r.isForgotten(&l)
			}
			by := ""
			if failed == nil {
				by, failed = r.by(m)
			}
			switch {
			case failed != nil:
				got.leave(failed)
			case gone && m.UserID == t.User:
				got.mine = append(got.mine, m.ID)
			case !gone:
				size += len(l.JSON)
				nodes = append(nodes, sqlite.Shared{Line: l, By: by})
			}
		}
		if size > maxBytes || len(seen) > maxMemories {
			return got, errTooMuch
		}
		receipt, err := r.into.Receive(ctx, from, nodes)
		if err != nil {
			return got, err
		}
		got.many += len(receipt.Taken)
		for _, id := range receipt.Taken {
			r.kept[id] = true
		}
		for _, id := range receipt.Elsewhere {
			r.kept[id] = true
			got.leave(fmt.Errorf("another server or namespace has a node of the id %s", id))
		}
		if ask.Cursor = found.NextCursor; ask.Cursor == "" {
			return got, nil
		}
		if len(seen) == before {
			return got, errTooMuch
		}
	}
}

// line returns the node of a memory, as it is kept.
func (r *receiver) line(m *api.Memory, t *setup.Team) (sink.Line, error) {
	switch {
	case m.Trust != api.Trusted || m.Namespace != t.Namespace:
		return sink.Line{}, errors.New("it is none of those that were asked for")
	case !slices.Contains([]string{"conversation", "decision", "episode", "binding"}, m.Kind):
		return sink.Line{}, errors.New("it is of no kind of node")
	case len(m.Node) > maxNode:
		return sink.Line{}, fmt.Errorf("it has more than %d bytes", maxNode)
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
		Moved: sink.Moved{From: rootOf(node, t), To: t.Project},
		ID:    m.ID, Kind: m.Kind, Source: core.Tool(node.Get("source").Str()), Session: node.Get("session_id").Str(),
		Thread: node.Get("thread_id").Str(), Seq: uint64(max(seq, 0)), JSON: clean,
	}, nil
}

// rootOf returns the folder of the project on the machine that a node comes from: its
// repository; else the folder of the session or one above it that is called as the
// project is here, or as the repository of the namespace; else the folder of the session.
func rootOf(node jsondoc.Value, t *setup.Team) string {
	if root := node.Path("project", "repo_root").Str(); root != "" {
		return root
	}
	cwd := node.Path("project", "cwd").Str()
	names := []string{filepath.Base(t.Project), t.Namespace[strings.LastIndexByte(t.Namespace, '.')+1:]}
	for root := cwd; root != ""; {
		i := strings.LastIndexAny(root, `/\`)
		if slices.Contains(names, root[i+1:]) {
			return root
		}
		root = root[:max(i, 0)]
	}
	return cwd
}

// isForgotten reports whether a node was forgotten here: by itself, or with the project,
// whose folder is another one there.
func (r *receiver) isForgotten(l *sink.Line) (bool, error) {
	gone, err := r.forgotten.Line(l.JSON)
	if err != nil || gone {
		return gone, err
	}
	if _, err = r.doc.Parse(l.JSON); err != nil {
		return false, err
	}
	project := r.doc.Root().Get("project")
	return r.forgotten.Project(&core.Project{
		RepoRoot: l.Moved.Path(project.Get("repo_root").Str()), Cwd: l.Moved.Path(project.Get("cwd").Str()),
	}), nil
}

// maxBy bounds the name of who shared a node, in bytes.
const maxBy = 200

// by names who shared a memory, as the server says, without secrets and orders to agents.
func (r *receiver) by(m *api.Memory) (string, error) {
	name, err := r.prepare.Describe(m.UserID)
	return fulltext.Cut(cmp.Or(name, "somebody"), maxBy), err
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
	_, err = sqlite.ForgetReceived(ctx, r.path, r.kept)
	return err
}
