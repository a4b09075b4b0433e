// Package live tells open pages that the database was written to.
//
//	database ── looked at every so often, by one goroutine ──▶ Hub ──▶ page 1
//	                                                            ├───▶ page 2
//	                                                            └───▶ …     at most MaxPages
//
// While no page is open, nothing looks. A page gets a server-sent event "changed" without
// content, and reloads what it shows. Changes that come faster than a page reads them are
// merged into one event. Every 20 seconds a comment is sent, so that a lost connection is
// noticed.
package live

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/panics"
)

// Look begins to observe the database. changed reports whether something was written since its
// last call; done ends the observation.
type Look func(ctx context.Context) (changed func(context.Context) (bool, error), done func() error, err error)

// MaxPages bounds how many pages may stand open.
const MaxPages = 32

// Hub keeps the open pages. It is safe for concurrent use.
type Hub struct {
	look  Look
	every time.Duration
	now   func() time.Time

	mu    sync.Mutex
	pages map[chan struct{}]bool
	stop  context.CancelFunc // of the goroutine that looks; nil if there is none
}

// New makes a hub that looks so often.
func New(look Look, every time.Duration, now func() time.Time) *Hub {
	return &Hub{look: look, every: every, now: now, pages: map[chan struct{}]bool{}}
}

// The times of a page that is connected: how long a write may take, and how often
// something is written so that a lost connection is noticed.
const (
	writing = 10 * time.Second
	beat    = 20 * time.Second
)

// ServeHTTP sends an event "changed" each time, until the page is closed.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, ok := h.enter() //nolint:contextcheck // looking goes on for other pages
	if !ok {
		http.Error(w, "too many pages stand open", http.StatusServiceUnavailable)
		return
	}
	defer h.leave(page)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	beats := time.NewTicker(beat)
	defer beats.Stop()
	for said := "retry: 5000\n\n"; ; {
		if err := out.SetWriteDeadline(h.now().Add(writing)); err != nil {
			return
		}
		if _, err := io.WriteString(w, said); err != nil {
			return
		}
		if out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case _, open := <-page:
			if !open {
				return
			}
			said = "event: changed\ndata: {}\n\n"
		case <-beats.C:
			said = ":\n\n"
		}
	}
}

// enter registers an open page, up to MaxPages.
func (h *Hub) enter() (page chan struct{}, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.pages) >= MaxPages {
		return nil, false
	}
	page = make(chan struct{}, 1)
	h.pages[page] = true
	if h.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		h.stop = stop
		// who looks in vain shows what there was
		go func() { _ = panics.Caught(func() error { return h.watch(ctx) }) }()
	}
	return page, true
}

// leave removes a page. The last one stops the watching of the database.
func (h *Hub) leave(page chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.pages, page)
	if len(h.pages) == 0 && h.stop != nil {
		h.stop()
		h.stop = nil
	}
}

// Close lets all pages go.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for page := range h.pages {
		close(page)
		delete(h.pages, page)
	}
	if h.stop != nil {
		h.stop()
		h.stop = nil
	}
}

// watch looks until there are no pages. A database that cannot be read now may be later.
func (h *Hub) watch(ctx context.Context) error {
	changed, done, err := h.look(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = done() }() // what was only read loses nothing
	ticks := time.NewTicker(h.every)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		}
		if is, err := changed(ctx); err == nil && is {
			h.tell()
		}
	}
}

// tell marks every page as to be told. A page that was not told of the last change yet is told
// of both at once: its channel holds one mark.
func (h *Hub) tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for page := range h.pages {
		select {
		case page <- struct{}{}:
		default:
		}
	}
}
