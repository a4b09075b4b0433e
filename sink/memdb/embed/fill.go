package embed

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/memscribe/memscribe/internal/panics"
)

// Place identifies a version of a memory in a store, by the entry that wrote it.
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

// Shelf is a store that can give its memories their vectors later.
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

// Fill gives every memory without a vector one, and returns how many it gave. It works through
// the store in the order of places, 64 at a time, so it can be interrupted.
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

// fill asks for the vectors of memories and stores them, within ten minutes.
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

// Start runs KeepFilling on a goroutine until end is called. A nil Embedder does nothing.
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

// KeepFilling fills in vectors until ctx ends: at the beginning, whenever a memory was written
// without one, and every hour for those that other servers wrote.
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
			sleep(ctx, pause)
			pause = min(2*pause, longPause*e.options.Pause)
			continue
		}
		pause = e.options.Pause
		e.wait(ctx)
	}
}

// wait waits until there may be memories without vectors.
func (e *Embedder) wait(ctx context.Context) {
	t := time.NewTimer(fillEvery)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	case <-e.left:
		sleep(ctx, e.options.Pause) // the gateway has just failed
	}
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
