package embed

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/memscribe/memscribe/internal/panics"
)

// Place is where a memory is in a store: the entry of its present version.
type Place struct {
	Namespace string
	Seq       int64
}

// Lacking is a memory without a vector.
type Lacking struct {
	Place

	Content string
}

// Filled is a memory with the vector that it was given.
type Filled struct {
	Place

	Hash   Hash
	Vector Vector
}

// Shelf is a store whose memories can get their vectors later.
type Shelf interface {
	// Lacking are the memories behind a place that have no vector of a model, so many at
	// most, in the order of their places.
	Lacking(ctx context.Context, model string, after Place, most int) ([]Lacking, error)
	// Fill stores vectors of a model, beside those memories that are still as they were.
	Fill(ctx context.Context, model string, filled []Filled) error
}

// The pace of filling in.
const (
	fillAtOnce = 64               // memories
	fillTime   = 10 * time.Minute // for so many
	fillEvery  = time.Hour        // for what others have left without vectors
	longPause  = 20               // pauses, between tries that fail
)

// Fill gives every memory of a store a vector that has none, and returns how many got one.
func (e *Embedder) Fill(ctx context.Context, shelf Shelf) (count int, err error) {
	var after Place
	for {
		found, err := shelf.Lacking(ctx, e.options.Model, after, fillAtOnce)
		if err != nil || len(found) == 0 {
			return count, err
		}
		after = found[len(found)-1].Place
		if err = e.fill(ctx, shelf, found); err != nil {
			return count, err
		}
		if count += len(found); len(found) < fillAtOnce {
			return count, nil
		}
	}
}

// fill asks for the vectors of memories that lack them, and puts them on the shelf, within fillTime.
func (e *Embedder) fill(ctx context.Context, shelf Shelf, found []Lacking) error {
	ctx, cancel := context.WithTimeout(ctx, fillTime)
	defer cancel()
	texts := make([]string, len(found))
	for i := range found {
		texts[i] = Text(found[i].Content)
	}
	made, err := e.ask(ctx, texts)
	if err != nil {
		return fmt.Errorf("make vectors: %w", err)
	}
	filled := make([]Filled, len(found))
	for i, v := range made {
		filled[i] = Filled{found[i].Place, HashOf(texts[i]), v}
	}
	return shelf.Fill(ctx, e.options.Model, filled)
}

// Start keeps filling in beside what else is done, until end is called. Of an Embedder that
// is nil it does nothing.
func (e *Embedder) Start(ctx context.Context, shelf Shelf) (end func()) {
	if e == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.KeepFilling(ctx, shelf)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// KeepFilling fills in until ctx ends: at first, when a memory was left without a vector,
// and now and then for what others have left.
func (e *Embedder) KeepFilling(ctx context.Context, shelf Shelf) {
	pause := e.options.Pause
	for ctx.Err() == nil {
		count := 0
		err := panics.Caught(func() (failed error) {
			count, failed = e.Fill(ctx, shelf)
			return failed
		})
		if count > 0 {
			e.options.Log.Info("memories got embeddings", slog.Int("count", count))
		}
		if err != nil && ctx.Err() == nil {
			e.options.Log.Warn("memories are without embeddings", slog.String("reason", err.Error()))
			rest(ctx, pause)
			pause = min(2*pause, longPause*e.options.Pause)
			continue
		}
		pause = e.options.Pause
		e.wait(ctx)
	}
}

// wait waits until there may be something to fill in.
func (e *Embedder) wait(ctx context.Context) {
	t := time.NewTimer(fillEvery)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	case <-e.left:
		rest(ctx, e.options.Pause) // the gateway has just failed
	}
}

// rest waits, or until ctx ends.
func rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
