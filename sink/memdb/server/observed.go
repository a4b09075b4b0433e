package server

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// stall is how long a client may read nothing of an answer. Then its connection is closed,
// since it blocks a place.
const stall = time.Minute

// observed is the response to a call. It counts what the log needs, and it gives the client a
// deadline for reading.
type observed struct {
	http.ResponseWriter

	leaving *leaving
	now     func() time.Time
	place   chan struct{} // that the call holds one of, or waits for
	status  int
	code    string // of a call by gRPC that failed, as "not_found"
	bytes   int64
	failed  error
	caller  string // the name of the token; "" for who was not let in
}

// WriteHeader implements [http.ResponseWriter].
func (o *observed) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write passes on the answer, counts its bytes and gives a slow reader a deadline.
func (o *observed) Write(b []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	defer o.hurry()()
	n, err := o.ResponseWriter.Write(b)
	o.bytes += int64(n)
	return n, err
}

// Flush implements [http.Flusher], which streams need.
func (o *observed) Flush() {
	defer o.hurry()()
	_ = http.NewResponseController(o.ResponseWriter).Flush() // who is gone needs no answer
}

// hurry sets a deadline for writing until done is called. Connections of tests may have no
// deadlines, and are left.
func (o *observed) hurry() (done func()) {
	c := http.NewResponseController(o.ResponseWriter)
	_ = c.SetWriteDeadline(time.Now().Add(stall)) //nolint:forbidigo // the connection goes by the machine's clock
	o.leaving.begin(o)
	return func() {
		if o.leaving.end(o) {
			_ = c.SetWriteDeadline(time.Time{})
		}
	}
}

// leaving are the answers that are being written.
type leaving struct {
	mu    sync.Mutex
	since map[*observed]time.Time
}

// begin records that an answer is being written from now on.
func (l *leaving) begin(o *observed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.since == nil {
		l.since = map[*observed]time.Time{}
	}
	l.since[o] = o.now()
}

// end records that the answer was written. It returns false if the call was given up meanwhile.
func (l *leaving) end(o *observed) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.since[o]
	delete(l.since, o)
	return ok
}

// leastLeaving is how long a client may read nothing of an answer even if others wait for its
// place.
const leastLeaving = time.Second

// giveUp ends, among the calls with one of these places, the one whose answer has been written
// for the longest time. It returns false if none has taken at least leastLeaving.
func (l *leaving) giveUp(places chan struct{}, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	var slowest *observed
	for o, since := range l.since {
		if o.place == places && now.Sub(since) >= leastLeaving && (slowest == nil || since.Before(l.since[slowest])) {
			slowest = o
		}
	}
	if slowest == nil {
		return false
	}
	delete(l.since, slowest)
	return http.NewResponseController(slowest.ResponseWriter).SetWriteDeadline(time.Unix(1, 0)) == nil
}

// Unwrap is for [http.ResponseController].
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// observedKey is the key of the response in the context of a call.
type observedKey struct{}

// observe returns a context that carries the record of the call.
func observe(ctx context.Context, o *observed) context.Context {
	return context.WithValue(ctx, observedKey{}, o)
}

// report records the status of a call by gRPC, whose HTTP status is always 200.
func report(ctx context.Context, code string, err error) {
	if o, ok := ctx.Value(observedKey{}).(*observed); ok {
		o.code, o.failed = code, err
	}
}

// answered is a request that was answered, as metrics and the audit count it.
type answered struct {
	id, pattern string
	took        time.Duration
}

// log writes a line about a call: who called what, the status, the size and the time. It has
// nothing of a memory.
func (s *Server) log(r *http.Request, o *observed, a answered) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("request", a.id), slog.String("method", r.Method), slog.String("route", a.pattern), slog.String("from", r.RemoteAddr), slog.String("token", o.caller),
		slog.Int("status", o.status), slog.Int64("bytes", o.bytes), slog.Duration("took", a.took),
	}
	if o.code != "" {
		attrs = append(attrs, slog.String("code", o.code))
	}
	failed := o.status >= http.StatusInternalServerError || o.code == "internal" || o.code == "unavailable"
	if failed && o.failed != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("error", o.failed))
	}
	s.options.Log.LogAttrs(r.Context(), level, "access", attrs...)
}
