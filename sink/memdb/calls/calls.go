// Package calls implements the calls of MemDB independently of the protocol. HTTP and gRPC both
// use it.
//
// Each call first checks the right of its caller, and has a time limit. An error that is an
// [api.Problem] or an [api.Invalid] is for the caller; any other is about the server.
//
// A call passes these steps, the same for both protocols:
//
//	1  the right     access: may the token read or write this namespace?
//	2  the time      a minute, ten for deleting, a day for verifying
//	3  the store     SQLite or PostgreSQL, behind [Store]
//	4  the trail     an entry of the audit log, without content
//	5  the bell      watchers of the namespace are woken by a write
//
// The right that each call needs, in every namespace that it names:
//
//	Get, Search, Provenance, Namespaces, Watch     Read
//	Write                                          Write; and Internal, for internal memories
//	Forget                                         Forget
//	PutNamespace, PatchNamespace, DeleteNamespace  Admin
//	Verify                                         Admin everywhere
//	Health, HashAt                                 none
package calls

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/audit"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// Store is where memories are kept, a SQLite file or PostgreSQL. It is safe for concurrent use.
// Write is all or nothing. An error that is an [api.Problem] or an [api.Invalid] is shown to
// the client.
type Store interface {
	Kind() string // what it is, as "sqlite"
	Head(ctx context.Context) (chain.Head, error)
	PutNamespace(ctx context.Context, name string, put api.NamespacePut) (n api.Namespace, created bool, err error)
	PatchNamespace(ctx context.Context, name string, patch api.NamespacePatch) (api.Namespace, error)
	DeleteNamespace(ctx context.Context, name string, purge bool) error
	// Namespaces are those behind a name, in the order of their names.
	Namespaces(ctx context.Context, after string, most int) ([]api.Namespace, error)
	Write(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error)
	Get(ctx context.Context, namespace, id string) (api.MemoryAnswer, error)
	Forget(ctx context.Context, namespace, id string) error
	Search(ctx context.Context, r api.SearchRequest) (api.SearchResponse, error)
	// Changes are what was done in a namespace behind a position of its chain.
	Changes(ctx context.Context, r api.ChangesRequest) (api.Changes, error)
	Provenance(ctx context.Context, namespace, id string) (api.ProvenanceAnswer, error)
	Verify(ctx context.Context) (api.VerifyReport, error)
	Checkpoint(ctx context.Context) error // signs what was written
}

// The time limits of calls. A client may ask for less.
const (
	usual = time.Minute
	long  = 10 * time.Minute // for what rewrites the file of a database
	whole = 24 * time.Hour   // for what reads all of it
)

// Calls are the calls of a MemDB. They are safe for concurrent use.
type Calls struct {
	store Store
	now   func() time.Time
	trail *audit.Trail // nil is none
	bells bells
	// lookEvery is how often a watcher looks for what nothing hints at.
	lookEvery time.Duration
	ended     chan struct{} // closed when watches shall end
	end       func()
}

// New returns the calls of a store.
func New(store Store, now func() time.Time) *Calls {
	ended := make(chan struct{})
	return &Calls{
		store: store, now: now, lookEvery: lookEvery, bells: bells{waiting: map[string]chan struct{}{}},
		ended: ended, end: sync.OnceFunc(func() { close(ended) }),
	}
}

// AuditTo makes every call add an entry to a trail. It must be called before the first call.
func (c *Calls) AuditTo(t *audit.Trail) { c.trail = t }

// EndWatches ends all watches, of now and later: the server stops.
func (c *Calls) EndWatches() { c.end() }

// Health returns the kind of the store and the head of its chain. No right is needed.
func (c *Calls) Health(ctx context.Context) (kind string, head chain.Head, err error) {
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	head, err = c.store.Head(ctx)
	return c.store.Kind(), head, err
}

// HashAt returns the hash of an entry of the chain, or "" if there is no such entry or the
// store has several chains. No right is needed, since a hash reveals nothing.
func (c *Calls) HashAt(ctx context.Context, seq int64) (string, error) {
	one, ok := c.store.(interface {
		HashAt(ctx context.Context, seq int64) (string, error)
	})
	if !ok {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	return one.HashAt(ctx, seq)
}

// PutNamespace creates a namespace, or changes it to the wanted state.
func (c *Calls) PutNamespace(ctx context.Context, name string, put api.NamespacePut) (n api.Namespace, created bool, err error) {
	defer c.note(ctx, about{call: "PutNamespace", namespace: name, params: []string{name}}, &err)
	if err = may(ctx, access.Admin, name); err != nil {
		return n, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	defer c.bells.ring(name)
	return c.store.PutNamespace(ctx, name, put)
}

// PatchNamespace changes a namespace.
func (c *Calls) PatchNamespace(ctx context.Context, name string, patch api.NamespacePatch) (n api.Namespace, err error) {
	defer c.note(ctx, about{call: "PatchNamespace", namespace: name, params: []string{name}}, &err)
	if err = may(ctx, access.Admin, name); err != nil {
		return n, err
	}
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	defer c.bells.ring(name)
	return c.store.PatchNamespace(ctx, name, patch)
}

// DeleteNamespace removes a namespace, with purge its memories too.
func (c *Calls) DeleteNamespace(ctx context.Context, name string, purge bool) (err error) {
	defer c.note(ctx, about{call: "DeleteNamespace", namespace: name, params: []string{name}}, &err)
	if err = may(ctx, access.Admin, name); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	defer c.bells.ring(name)
	return c.store.DeleteNamespace(ctx, name, purge)
}

// Namespaces returns the namespaces behind a name that the caller may read, at most the given
// number, sorted by name. If it returns as many as were asked for, there may be more.
func (c *Calls) Namespaces(ctx context.Context, after string, most int) (found []api.Namespace, err error) {
	defer c.note(ctx, about{call: "ListNamespaces", namespace: "", params: []string{after}}, &err)
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	for {
		some, err := c.store.Namespaces(ctx, after, api.MaxPage)
		if err != nil {
			return nil, err
		}
		for i := range some {
			after = some[i].Name
			if may(ctx, access.Read, after) != nil {
				continue
			}
			if found = append(found, some[i]); len(found) == most {
				return found, nil
			}
		}
		if len(some) < api.MaxPage {
			return found, nil
		}
	}
}

// Write writes memories into a namespace, all or none. A client that calls a memory internal
// needs the right Internal.
func (c *Calls) Write(ctx context.Context, namespace string, memories []api.MemoryWrite) (results []api.WriteResult, err error) {
	defer c.noteWrite(ctx, namespace, memories, &err)
	err = may(ctx, access.Write, namespace)
	if err == nil && slices.ContainsFunc(memories, func(m api.MemoryWrite) bool { return m.Origin == api.Internal }) {
		err = may(ctx, access.Internal, namespace)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	defer c.bells.ring(namespace)
	return c.store.Write(ctx, namespace, memories)
}

// Get returns a memory, and what the chain says of it.
func (c *Calls) Get(ctx context.Context, namespace, id string) (a api.MemoryAnswer, err error) {
	defer c.note(ctx, about{call: "GetMemory", namespace: namespace, params: []string{id}}, &err)
	if err = may(ctx, access.Read, namespace); err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	return c.store.Get(ctx, namespace, id)
}

// Forget deletes the content of a memory for good. Its entries in the chain stay, with their
// hashes.
func (c *Calls) Forget(ctx context.Context, namespace, id string) (err error) {
	defer c.note(ctx, about{call: "ForgetMemory", namespace: namespace, params: []string{id}}, &err)
	if err = may(ctx, access.Forget, namespace); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	defer c.bells.ring(namespace)
	return c.store.Forget(ctx, namespace, id)
}

// Search finds memories in the namespaces that the request names.
func (c *Calls) Search(ctx context.Context, r api.SearchRequest) (a api.SearchResponse, err error) {
	defer c.note(ctx, about{call: "SearchMemories", namespace: strings.Join(r.Namespaces, " "), params: []string{r.Query}}, &err)
	if err = may(ctx, access.Read, r.Namespaces...); err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	return c.store.Search(ctx, r)
}

// Provenance returns the entries of a memory in the chain.
func (c *Calls) Provenance(ctx context.Context, namespace, id string) (a api.ProvenanceAnswer, err error) {
	defer c.note(ctx, about{call: "GetProvenance", namespace: namespace, params: []string{id}}, &err)
	if err = may(ctx, access.Read, namespace); err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(ctx, usual)
	defer cancel()
	return c.store.Provenance(ctx, namespace, id)
}

// Verify verifies all chains with everything that depends on them. It may take hours for a
// large database.
func (c *Calls) Verify(ctx context.Context) (r api.VerifyReport, err error) {
	defer c.note(ctx, about{call: "VerifyChain", namespace: "", params: []string{}}, &err)
	if err = may(ctx, access.Admin, access.Everywhere); err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, whole)
	defer cancel()
	return c.store.Verify(ctx)
}
