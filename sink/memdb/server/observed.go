package server

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// stall is how long a client may take nothing of an answer. Then its connection ends:
// it holds a place.
const stall = time.Minute

// observed is a response that the log has a line about, and that waits for no client for
// ever.
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

// hurry bounds what is written until it is done. Not every connection can be bounded:
// those of tests cannot.
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

// leaving is the answers that are being written.
type leaving struct {
	mu    sync.Mutex
	since map[*observed]time.Time
}

// begin notes that an answer is being written from now on.
func (l *leaving) begin(o *observed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.since == nil {
		l.since = map[*observed]time.Time{}
	}
	l.since[o] = o.now()
}

// end notes that it was, and reports whether it was not given up.
func (l *leaving) end(o *observed) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.since[o]
	delete(l.since, o)
	return ok
}

// leastLeaving is how long a client may take nothing of an answer, whoever waits for its place.
const leastLeaving = time.Second

// giveUp ends the call with one of some places whose answer is being written for the longest, and reports
// whether there is one whose client takes too long.
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

// report notes how a call by gRPC ended, whose status is not that of HTTP.
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

// log says who asked what and how it went, and nothing of what a memory holds.
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
