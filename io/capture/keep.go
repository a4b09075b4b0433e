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

// Keeper captures the conversations of stores while they change: of databases,
// and of folders full of small files. It serves as the keeper of a
// [tail.Source] whose consumer is a [Follower], and keeps to the same rule: what
// is sent to the sink is what a replay of the stores as they are would give. A
// conversation that has changed is read again, and with it those that have a say
// in its nodes.
type Keeper struct {
	o        KeeperOptions
	follower *Follower
	stores   map[string]*kept
	strays   *store.OrphanDirs
}

// KeeperOptions say how a Keeper reads stores.
type KeeperOptions struct {
	// Layout finds the adapter whose tool made a database, or none.
	Layout func(path string, s core.Schema) (core.Adapter, core.Layout)
	// IsStore, if not nil, says by its path whether a tool keeps a database there: what
	// cannot be read as one is reported.
	IsStore func(path string) bool
	// MaxConversation is how many bytes of a conversation are kept; 0 is the standard of
	// package store.
	MaxConversation int
	// Clock, if not nil, has stores take turns with everything else. A look ends, to be
	// gone on with, after a quarter of a second. A database where a query takes longer
	// than a second is set aside, and tried again later with twice the patience: what
	// is slow is read in the end, and takes a thirtieth of the time. Without a clock
	// every look is to the end, and a query takes as long as suits the database.
	Clock func() time.Time
}

const (
	lookTime     = 250 * time.Millisecond
	firstWait    = time.Second
	longestWait  = time.Hour
	restPerQuery = 30 // how many times a query's time a database is left alone
)

// kept is a store that is followed, from its first look until it is gone.
type kept struct {
	chunk    tail.Chunk
	database *store.Database // nil: it is a tree
	tree     *store.Tree
	adapter  core.Adapter // of the tree
	streams  map[string]*Stream

	failed error         // of the pass that is on its way
	wait   time.Duration // how long a query may take
	aside  error         // why the database is set aside; nil: it is not
	until  time.Time     // when it is tried again
}

// NewKeeper returns a Keeper beside a Follower.
func NewKeeper(f *Follower, o KeeperOptions) *Keeper {
	return &Keeper{o: o, follower: f, stores: map[string]*kept{}, strays: store.NewStrays()}
}

// Keeps implements [tail.Keeper].
func (k *Keeper) Keeps(path string, head []byte, place core.Adapter) bool {
	if store.IsDatabase(head) || k.isStore(path) {
		return true
	}
	_, _, ok := k.treeOf(path, head, place)
	return ok
}

func (k *Keeper) isStore(path string) bool { return k.o.IsStore != nil && k.o.IsStore(path) }

// treeOf says whether a file is the first one of a conversation in many.
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
		return !k.isAside(s) && s.database.HasMoved()
	default:
		return s.tree.HasMoved()
	}
}

// Look implements [tail.Keeper].
func (k *Keeper) Look(ctx context.Context, c tail.Chunk) (more bool, err error) {
	defer func() {
		if delete(k.follower.again, c.File); more {
			k.follower.again[c.File] = struct{}{} // until all of it is read
		}
	}()
	s, err := k.open(c)
	if err != nil {
		return false, &tail.InputError{Err: err}
	}
	if k.isAside(s) {
		return false, &tail.InputError{Err: s.aside}
	}
	k.recall(s)
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

// isAside reports whether a database is set aside for now.
func (k *Keeper) isAside(s *kept) bool { return s.aside != nil && k.o.Clock().Before(s.until) }

// setAside leaves a slow database alone for a while.
func (k *Keeper) setAside(s *kept, err error) {
	s.aside, s.until = err, k.o.Clock().Add(restPerQuery*s.wait)
	s.wait = min(2*s.wait, longestWait)
	s.database.SetPatience(s.wait)
}

// open returns the store, and prepares to read it the first time.
func (k *Keeper) open(c tail.Chunk) (*kept, error) {
	if s := k.stores[c.File]; s != nil {
		return s, nil
	}
	s := &kept{chunk: c, streams: map[string]*Stream{}}
	if a, tree, ok := k.treeOf(c.Path, nil, c.Place); ok {
		s.adapter, s.tree = a, store.NewTree(c.File, tree, k.strays)
		s.tree.SetMost(k.o.MaxConversation)
	} else {
		layout := func(_ string, schema core.Schema) (core.Adapter, core.Layout) { return k.o.Layout(c.Path, schema) }
		var err error
		if s.database, err = store.Open(c.File, layout); err != nil {
			return nil, err
		}
		s.database.SetMost(k.o.MaxConversation)
		if s.wait = firstWait; k.o.Clock != nil {
			s.database.SetPatience(s.wait)
		}
	}
	k.stores[c.File] = s
	k.follower.load(k.follower.o.Store.Of(c.File), c.File) // a conversation of it may be gone
	return s, nil
}

// recall has conversations read again that the Follower has forgotten, with a
// file that had a say in their nodes.
func (k *Keeper) recall(s *kept) {
	for _, key := range slices.Sorted(maps.Keys(s.streams)) {
		if len(s.streams[key].stream.Group().Streams()) == 0 {
			delete(s.streams, key)
			s.again(key)
		}
	}
}

// again has a conversation read by the next look, changed or not.
func (s *kept) again(key string) {
	if s.database != nil {
		s.database.Again(key)
	} else {
		s.tree.Again()
	}
}

// database reads the conversations of a database that have changed, until there
// are none or a look's time is over: one that has a say in another's nodes has that
// one read again too. What cannot be read now is read later.
func (k *Keeper) database(ctx context.Context, s *kept) (more bool, err error) {
	if k.o.Clock != nil {
		end := k.o.Clock().Add(lookTime)
		s.database.SetPause(func() bool { return !k.o.Clock().Before(end) })
	}
	for {
		found, err := k.pass(ctx, s)
		switch {
		case err != nil:
			return false, err
		case s.database.IsAmid():
			return true, nil
		case s.failed != nil:
			return false, k.failure(s)
		case !found || !s.database.HasMoved():
			s.aside = nil
			return false, nil
		}
	}
}

// pass captures what the database finds, up to a pause or the end.
// A database that is busy is not waited for. One that cannot be read is reported after
// the pass, so that the other conversations are captured all the same.
func (k *Keeper) pass(ctx context.Context, s *kept) (found bool, err error) {
	for conversation, err := range s.database.Changes(ctx) {
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case errors.Is(err, store.ErrUnknown): // no tool's, or its tables are being made
			if k.isStore(s.chunk.Path) {
				_, s.failed = s.database.Check(ctx)
			}
			return false, nil
		case errors.Is(err, store.ErrBusy): // the next look will do
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

// failure is what a pass has met, which has ended.
func (k *Keeper) failure(s *kept) error {
	err := fmt.Errorf("read database: %w", s.failed)
	s.failed = nil
	if errors.Is(err, store.ErrSlow) && k.o.Clock != nil {
		k.setAside(s, err)
	}
	return &tail.InputError{Err: err}
}

// changed captures a conversation as it is now: it is withdrawn and read again whole,
// since rows of a database are changed in place. One that was deleted is taken back;
// its nodes stay, where they are not another's too.
func (k *Keeper) changed(ctx context.Context, s *kept, c store.Conversation) error {
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

// withdraw takes back what a conversation has said. The others of its group are
// read again.
func (k *Keeper) withdraw(s *kept, key string) {
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
	k.recall(s)
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
