package capture

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/store"
	"github.com/memscribe/memscribe/io/tail"
)

// Keeper captures the conversations of stores while they change: databases, and folders of
// many small files. It is the keeper of a [tail.Source] whose consumer is a [Follower]. Like
// there, the nodes are those of a replay of the stores as they are now. A changed
// conversation is read again together with its group.
type Keeper struct {
	o        KeeperOptions
	follower *Follower
	stores   map[string]*followedStore
	orphans  *store.OrphanDirs
}

// KeeperOptions say how a Keeper reads stores.
type KeeperOptions struct {
	// Layout returns the adapter and the layout for a database, or nil.
	Layout func(path string, s core.Schema) (core.Adapter, core.Layout)
	// IsStore, if not nil, reports whether a path is that of a tool's database. A file
	// there that cannot be read as one is reported.
	IsStore func(path string) bool
	// MaxConversation limits the bytes of a conversation; 0 is the default of package
	// store.
	MaxConversation int
	// Clock, if not nil, limits the time that stores take from everything else. A look
	// pauses after a quarter of a second. A database with a query of more than a second
	// is suspended for thirty times as long, then tried with twice the patience, so that
	// a slow database is read in the end. Without a clock there are no limits.
	Clock func() time.Time
}

const (
	lookTime      = 250 * time.Millisecond
	firstPatience = time.Second
	maxPatience   = time.Hour
	restFactor    = 30 // a database is suspended for this many times the patience
)

// followedStore is a store that is followed.
type followedStore struct {
	chunk    tail.Chunk
	database *store.Database // nil for a tree
	tree     *store.Tree
	adapter  core.Adapter // of the tree
	streams  map[string]*Stream

	failed    error         // of the current readChanges
	patience  time.Duration // how long a query may take
	suspended error         // why the database is suspended, or nil
	until     time.Time     // when it is tried again
}

// NewKeeper returns a Keeper that works with a Follower.
func NewKeeper(f *Follower, o KeeperOptions) *Keeper {
	return &Keeper{o: o, follower: f, stores: map[string]*followedStore{}, orphans: store.NewStrays()}
}

// Keeps implements [tail.Keeper].
func (k *Keeper) Keeps(path string, head []byte, place core.Adapter) bool {
	if store.IsDatabase(head) || k.isStore(path) {
		return true
	}
	_, _, ok := k.treeOf(path, head, place)
	return ok
}

// isStore reports whether a path is one of a tool's database; without the option none is.
func (k *Keeper) isStore(path string) bool { return k.o.IsStore != nil && k.o.IsStore(path) }

// treeOf reports whether a file is the first one of a conversation in many files.
func (k *Keeper) treeOf(path string, head []byte, place core.Adapter) (core.Adapter, core.Tree, bool) {
	a, _ := k.follower.o.Judge(path, head, false, place)
	t, ok := a.(core.TreeAdapter)
	if !ok {
		return nil, core.Tree{}, false
	}
	tree, ok := t.Tree(path)
	return a, tree, ok
}

// HasMoved implements [tail.Keeper].
func (k *Keeper) HasMoved(file string) bool {
	s := k.stores[file]
	switch {
	case s == nil:
		return true
	case s.database != nil:
		return !k.isSuspended(s) && s.database.HasMoved()
	default:
		return s.tree.HasMoved()
	}
}

// Look implements [tail.Keeper].
func (k *Keeper) Look(ctx context.Context, c tail.Chunk) (more bool, err error) {
	defer func() {
		if delete(k.follower.rereading, c.File); more {
			k.follower.rereading[c.File] = struct{}{} // until all of it is read
		}
	}()
	s, err := k.open(c)
	if err != nil {
		return false, &tail.InputError{Err: err}
	}
	if k.isSuspended(s) {
		return false, &tail.InputError{Err: s.suspended}
	}
	k.rereadForgotten(s)
	if s.database != nil {
		return k.database(ctx, s)
	}
	rows, err := s.tree.Changes()
	if err != nil {
		return false, &tail.InputError{Err: err}
	}
	if rows == nil {
		return false, nil
	}
	return false, k.changed(ctx, s, store.Conversation{Rows: rows})
}

// isSuspended reports whether a database is suspended now.
func (k *Keeper) isSuspended(s *followedStore) bool {
	return s.suspended != nil && k.o.Clock().Before(s.until)
}

// suspend suspends a slow database.
func (k *Keeper) suspend(s *followedStore, err error) {
	s.suspended, s.until = err, k.o.Clock().Add(restFactor*s.patience)
	s.patience = min(2*s.patience, maxPatience)
	s.database.SetPatience(s.patience)
}

// open returns the store of a file, and opens it the first time.
func (k *Keeper) open(c tail.Chunk) (*followedStore, error) {
	if s := k.stores[c.File]; s != nil {
		return s, nil
	}
	s := &followedStore{chunk: c, streams: map[string]*Stream{}}
	if a, tree, ok := k.treeOf(c.Path, nil, c.Place); ok {
		s.adapter, s.tree = a, store.NewTree(c.File, tree, k.orphans)
		s.tree.SetMost(k.o.MaxConversation)
	} else {
		layout := func(_ string, schema core.Schema) (core.Adapter, core.Layout) {
			a, layout := k.o.Layout(c.Path, schema)
			if a == nil && !k.isStore(c.Path) {
				layout.Missing = nil
			}
			return a, layout
		}
		var err error
		if s.database, err = store.Open(c.File, layout); err != nil {
			return nil, err
		}
		s.database.SetMost(k.o.MaxConversation)
		if s.patience = firstPatience; k.o.Clock != nil {
			s.database.SetPatience(s.patience)
		}
	}
	k.stores[c.File] = s
	k.follower.load(k.follower.o.Store.Of(c.File), c.File) // a conversation may have been deleted
	return s, nil
}

// rereadForgotten reads conversations again that the Follower has forgotten with the group of
// a file.
func (k *Keeper) rereadForgotten(s *followedStore) {
	for _, key := range slices.Sorted(maps.Keys(s.streams)) {
		if len(s.streams[key].stream.Group().Streams()) == 0 {
			delete(s.streams, key)
			s.reread(key)
		}
	}
}

// reread makes the next look read a conversation, even if it has not changed.
func (s *followedStore) reread(key string) {
	if s.database != nil {
		s.database.Again(key)
	} else {
		s.tree.Again()
	}
}

// database reads changed conversations until there are none or the time of a look is over.
// It repeats, since a conversation may require others of its group to be read again.
func (k *Keeper) database(ctx context.Context, s *followedStore) (more bool, err error) {
	if k.o.Clock != nil {
		end := k.o.Clock().Add(lookTime)
		s.database.SetPause(func() bool { return !k.o.Clock().Before(end) })
	}
	for {
		found, err := k.readChanges(ctx, s)
		switch {
		case err != nil:
			return false, err
		case s.database.IsAmid():
			return true, nil
		case s.failed != nil:
			return false, k.failure(s)
		case !found || !s.database.HasMoved():
			s.suspended = nil
			return false, nil
		}
	}
}

// readChanges captures the changed conversations, up to a pause or the end. It does not wait
// for a busy database. An error is kept in failed and reported later, so that the other
// conversations are captured.
func (k *Keeper) readChanges(ctx context.Context, s *followedStore) (found bool, err error) {
	for conversation, err := range s.database.Changes(ctx) {
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case errors.Is(err, store.ErrUnknown): // of no tool, or its tables are being created
			if k.isStore(s.chunk.Path) {
				if _, s.failed = s.database.Check(ctx); s.failed == nil && k.o.Clock == nil {
					s.failed = err // there is no later look at which the tables may be known
				}
			}
			return false, nil
		case errors.Is(err, store.ErrBusy): // the next look reads it
			continue
		case err != nil:
			if !errors.Is(s.failed, store.ErrSlow) {
				s.failed = err
			}
			continue
		}
		found = true
		if err := k.changed(ctx, s, conversation); err != nil {
			return false, err
		}
	}
	return found, nil
}

// failure returns the error of readChanges and resets it.
func (k *Keeper) failure(s *followedStore) error {
	err := fmt.Errorf("read database: %w", s.failed)
	s.failed = nil
	if errors.Is(err, store.ErrSlow) && k.o.Clock != nil {
		k.suspend(s, err)
	}
	return &tail.InputError{Err: err}
}

// changed captures a conversation as it is now: it is forgotten and read again completely,
// since rows are changed in place. The nodes of a deleted conversation stay in the sink.
func (k *Keeper) changed(ctx context.Context, s *followedStore, c store.Conversation) error {
	k.withdraw(s, c.Key)
	if c.Gone {
		return nil
	}
	a := s.adapter
	if s.database != nil {
		a = s.database.Adapter()
	}
	stream := k.follower.o.Capture.Open(Transcript{
		Adapter: a, Info: discover.Info(a, s.chunk.Path, s.chunk.File), File: s.chunk.File, Key: c.Key,
	})
	s.streams[c.Key] = stream
	if err := stream.Rows(ctx, c.Rows); err != nil {
		return err
	}
	_, err := stream.Close(ctx)
	return err
}

// withdraw forgets the group of a conversation, and reads the others of the group again.
func (k *Keeper) withdraw(s *followedStore, key string) {
	old := s.streams[key]
	delete(s.streams, key)
	if old == nil {
		return
	}
	group := old.stream.Group()
	for _, st := range group.Streams() {
		if st == old.stream {
			continue
		}
		if other := k.stores[st.File()]; other == nil {
			k.follower.reread(st.File())
		} else if other != s {
			k.follower.o.Files.Again(st.File())
		}
	}
	k.follower.o.Capture.options.Set.Forget(group)
	k.rereadForgotten(s)
}

// End implements [tail.Keeper].
func (k *Keeper) End(file string, gone bool) error {
	s := k.stores[file]
	delete(k.stores, file)
	if s == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(s.streams)) {
		if gone {
			k.withdraw(s, key)
		}
	}
	if s.database == nil {
		return nil
	}
	return s.database.Close()
}
