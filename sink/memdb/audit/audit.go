// Package audit reports the calls of a MemDB to a file, an HTTP endpoint or an
// OpenTelemetry log collector.
//
// It is best effort, and no call waits for it or fails by it: what cannot be delivered
// in time is counted and given up. What proves what was written is the chain.
//
//	Add ──▶ queue, 4,096 entries ──▶ batches of up to 256 ──▶ file | HTTP endpoint | OTLP
//	          │ full                      │ not delivered within 10 s
//	          └────────── counted as lost, and logged ─────────┘
//
// An entry has the name of the token, the call, the namespace and a hash of its parameters. It
// never has a token or a text of a memory.
//
// One line of the log:
//
//	{"time":"2026-06-24T10:00:00Z","token":"capture","call":"WriteMemory","namespace":"team",
//	 "session_id":"0199-s","params_sha256":"5f1c…","status":"ok"}
//
// Status is "ok" or the kind of the problem, such as "forbidden". The log is for an operator
// who asks who did what; it proves nothing, since it may have gaps.
package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/panics"
)

// Entry is one call. What it was about is only a hash, so the log does not reveal it, but a
// person who knows the parameters can find the entry:
//
//	{"time":"…","token":"capture","call":"ForgetMemory","namespace":"team","params_sha256":"…","status":"ok"}
type Entry struct {
	Time      time.Time `json:"time"`
	Token     string    `json:"token"` // its name
	Call      string    `json:"call"`  // as WriteMemory
	Namespace string    `json:"namespace,omitempty"`
	Session   string    `json:"session_id,omitempty"`
	Agent     string    `json:"agent_id,omitempty"`
	Params    string    `json:"params_sha256"` // see [Hash]
	Status    string    `json:"status"`        // ok, or the kind of problem
}

// Hash returns the SHA-256 of a call's name and what it was about, with a colon after each
// but the last.
//
//	Hash("ForgetMemory", "decision:1") = sha256("ForgetMemory:decision:1")
func Hash(call string, params ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{call}, params...), ":")))
	return hex.EncodeToString(sum[:])
}

// What waits to be delivered.
const (
	most      = 4096 // entries; more are given up
	atOnce    = 256  // entries of a delivery
	patience  = 10 * time.Second
	lastWords = 5 * time.Second // for what waits when the log is closed
)

// delivery takes entries somewhere.
type delivery interface {
	deliver(ctx context.Context, entries []Entry) error
	close() error
}

// Trail delivers entries in their order. It is safe for concurrent use.
type Trail struct {
	to    delivery
	log   *slog.Logger
	queue chan Entry
	done  chan struct{}

	lock   sync.RWMutex // held by who adds, and wholly by who closes
	closed bool
}

// Open opens a trail to a place. Entries that cannot be delivered are counted in the log. The
// trail does not end with ctx.
//
//	audit.jsonl                       a file, one JSON object per line
//	https://host/path                 the same lines, by POST
//	otlp+https://host                 logs of OpenTelemetry, by POST to /v1/logs
func Open(ctx context.Context, place string, log *slog.Logger) (*Trail, error) {
	to, err := open(place)
	if err != nil {
		return nil, fmt.Errorf("open audit log: %w", err)
	}
	t := &Trail{to: to, log: log, queue: make(chan Entry, most), done: make(chan struct{})}
	go t.run(context.WithoutCancel(ctx))
	return t, nil
}

// open returns the delivery for a place: a file, an http(s) URL for JSON lines, or
// an otlp+http(s) URL for logs. A URL must not hold a password, because places
// appear in logs.
func open(place string) (delivery, error) {
	u, err := url.Parse(place)
	switch {
	case err != nil || !strings.Contains(place, "://"):
		return openFile(place)
	case u.Host == "" || u.User != nil:
		return nil, errors.New("the URL needs a host, and may have no password")
	case u.Scheme == "http" || u.Scheme == "https":
		return newPost(place, "application/x-ndjson", lines), nil
	case u.Scheme == "otlp+http" || u.Scheme == "otlp+https":
		u.Scheme = strings.TrimPrefix(u.Scheme, "otlp+")
		return newPost(u.JoinPath("v1", "logs").String(), "application/json", logs), nil
	}
	return nil, fmt.Errorf("%s is neither http nor otlp+http", u.Scheme)
}

// Add adds an entry. It never waits; if the queue is full the entry is lost, and counted.
func (t *Trail) Add(e *Entry) {
	t.lock.RLock()
	defer t.lock.RUnlock()
	if t.closed {
		return
	}
	select {
	case t.queue <- *e:
	default:
		t.lose(1, errors.New("more comes than can be delivered"))
	}
}

// Close delivers the waiting entries, for at most five seconds, and closes the place.
func (t *Trail) Close() error {
	t.lock.Lock()
	if t.closed {
		t.lock.Unlock()
		return nil
	}
	t.closed = true
	close(t.queue)
	t.lock.Unlock()
	last := time.NewTimer(lastWords)
	defer last.Stop()
	select {
	case <-t.done:
	case <-last.C:
		t.lose(len(t.queue), errors.New("the place takes too long"))
	}
	return t.to.close()
}

// run delivers until the queue is closed.
func (t *Trail) run(ctx context.Context) {
	defer close(t.done)
	for e := range t.queue {
		entries := t.more([]Entry{e})
		err := panics.Caught(func() error {
			bounded, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			return t.to.deliver(bounded, entries)
		})
		if err != nil {
			t.lose(len(entries), err)
		}
	}
}

// more adds the entries that are waiting by now, up to one delivery.
func (t *Trail) more(entries []Entry) []Entry {
	for len(entries) < atOnce {
		select {
		case e, ok := <-t.queue:
			if !ok {
				return entries
			}
			entries = append(entries, e)
		default:
			return entries
		}
	}
	return entries
}

// lose reports entries that could not be delivered. The audit never delays or fails
// a call.
func (t *Trail) lose(n int, why error) {
	t.log.Warn("audit entries are lost", slog.Int("entries", n), slog.Any("error", why))
}
