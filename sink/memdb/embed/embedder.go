package embed

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Gateway is a service that makes vectors.
type Gateway interface {
	// Vectors makes a vector of each text, in their order. All have the same number of
	// numbers.
	Vectors(ctx context.Context, texts []string) ([]Vector, error)
}

// Options say what vectors are made by.
type Options struct {
	Gateway Gateway
	Model   string // as it is stored with each vector: vectors of two models cannot be compared
	// Required refuses a write while the gateway is away. Otherwise memories are written
	// without a vector then, and get theirs later.
	Required bool
	Now      func() time.Time // must not be nil
	Log      *slog.Logger     // must not be nil
	// Pause is how long the gateway is left alone after it failed; 0 is half a minute.
	Pause time.Duration
}

// How long a call waits for vectors, however often the gateway is asked meanwhile.
const (
	requiredTime = 30 * time.Second // a write that needs them
	optionalTime = 5 * time.Second  // a write that does not
	searchTime   = 10 * time.Second
	usualPause   = 30 * time.Second
)

// Embedder makes the vectors of memories and of questions. It is safe for concurrent use.
//
//	                                    gateway answers
//	working ──▶ asked for each write ──────────────────────▶ working
//	               │ fails
//	               ▼
//	            resting for Pause: writes get no vector
//	               │ then the next write asks again
//	               ▼
//	            working, and KeepFilling gives the memories of the meantime their vectors
//
// If vectors are required there is no rest: each write asks, and is refused while the gateway
// fails.
type Embedder struct {
	options Options
	recent  recent
	left    chan struct{} // holds one when a memory was left without a vector

	lock sync.Mutex
	away time.Time // when the gateway failed last; zero while it works
}

// NewEmbedder returns an Embedder.
func NewEmbedder(o Options) *Embedder {
	if o.Pause == 0 {
		o.Pause = usualPause
	}
	return &Embedder{options: o, left: make(chan struct{}, 1)}
}

// Model returns the name under which vectors are stored.
func (e *Embedder) Model() string { return e.options.Model }

// Stored returns the vectors that a namespace has already, by the hashes of their texts.
type Stored func(ctx context.Context, hashes []Hash) (map[Hash]Vector, error)

// Vectors returns the vectors of some texts, by the hash of the text. It asks the gateway only
// for texts whose vectors are neither remembered nor stored. If vectors are required, a missing
// one is an [api.Problem]; otherwise it is nil in the result.
func (e *Embedder) Vectors(ctx context.Context, namespace string, contents []string, stored Stored) (map[Hash]Vector, error) {
	have := make(map[Hash]Vector, len(contents))
	var (
		hashes []Hash // that are not remembered
		texts  []string
	)
	for _, c := range contents {
		h := HashOf(c)
		if _, met := have[h]; met {
			continue
		}
		v := e.recent.get(named{namespace, h})
		if have[h] = v; v == nil {
			hashes, texts = append(hashes, h), append(texts, Text(c))
		}
	}
	if len(hashes) == 0 {
		return have, nil
	}
	known, err := stored(ctx, hashes)
	if err != nil {
		return nil, err
	}
	var missing []string
	for i, h := range hashes {
		if v := known[h]; v != nil {
			have[h] = v
			e.recent.put(named{namespace, h}, v)
			continue
		}
		missing = append(missing, texts[i])
	}
	if len(missing) == 0 {
		return have, nil
	}
	made, err := e.forWrite(ctx, missing)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && e.options.Required {
		return nil, Away(err)
	}
	for i, v := range made {
		h := HashOf(missing[i])
		have[h] = v
		e.recent.put(named{namespace, h}, v)
	}
	return have, nil
}

// forWrite asks the gateway for a write, which waits 5 seconds for it, or 30 if vectors are
// required.
func (e *Embedder) forWrite(ctx context.Context, texts []string) (made []Vector, err error) {
	patience := requiredTime
	if !e.options.Required {
		patience = optionalTime
		if e.resting() {
			e.leave()
			return nil, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if made, err = e.ask(ctx, texts); err != nil {
		e.leave()
	}
	return made, err
}

// Ask returns the vector of a search query, and nil for a search by words. The query is sent
// without secrets and without the words that it excludes. A nil Embedder returns the problem
// that there are no vectors.
func (e *Embedder) Ask(ctx context.Context, p *record.Preparer, r *api.SearchRequest) (Vector, error) {
	if !r.Mode.ByVectors() {
		return nil, nil
	}
	if e == nil {
		return nil, api.NewProblem(api.NoEmbeddings, "search by words, or name a gateway in its settings")
	}
	text, err := p.Question(strings.Join(record.Wanted(r.Query), " "))
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, &api.Invalid{Flaws: []api.Flaw{{Pointer: "/query", Detail: "has no word to look for"}}}
	}
	n := named{hash: HashOf(text)}
	if v := e.recent.get(n); v != nil {
		return v, nil
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	made, err := e.ask(ctx, []string{Text(text)})
	if err != nil {
		return nil, Away(err)
	}
	e.recent.put(n, made[0])
	return made[0], nil
}

// Away returns the problem for a gateway that gives no vectors. The gateway's own message is
// only for the log.
func Away(err error) error {
	return &away{api.NewProblem(api.Unavailable, "no embeddings can be had; try again"), err}
}

// away is the error of a gateway that does not answer: the problem for the client, and the
// cause for the log.
type away struct {
	problem *api.Problem
	cause   error
}

// Error has both texts.
func (a *away) Error() string { return a.problem.Error() + ": " + a.cause.Error() }

// Unwrap returns both, so that errors.As finds either.
func (a *away) Unwrap() []error { return []error{a.problem, a.cause} }

// ask asks the gateway. It logs when the gateway fails, and when it works again.
func (e *Embedder) ask(ctx context.Context, texts []string) ([]Vector, error) {
	made, err := e.options.Gateway.Vectors(ctx, texts)
	e.lock.Lock()
	defer e.lock.Unlock()
	was := e.away
	switch {
	case err == nil:
		if e.away = (time.Time{}); !was.IsZero() {
			e.options.Log.Info("embeddings can be had again")
		}
	case errors.Is(ctx.Err(), context.Canceled): // the caller's own doing
	default:
		if e.away = e.options.Now(); was.IsZero() {
			e.options.Log.Warn("no embeddings can be had", slog.String("reason", err.Error()))
		}
	}
	return made, err
}

// resting reports whether the gateway failed less than Pause ago, so that it is not asked now.
func (e *Embedder) resting() bool {
	e.lock.Lock()
	defer e.lock.Unlock()
	since := e.options.Now().Sub(e.away)
	return !e.away.IsZero() && since >= 0 && since < e.options.Pause
}

// leave signals that memories were written without vectors.
func (e *Embedder) leave() {
	select {
	case e.left <- struct{}{}:
	default: // it is noted
	}
}

// Contents returns the contents of memories, without those that were forgotten.
func Contents(memories []api.Memory, gone map[string]bool) []string {
	all := make([]string, 0, len(memories))
	for i := range memories {
		if !gone[memories[i].ID] {
			all = append(all, memories[i].Content)
		}
	}
	return all
}
