package server

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// stall is how long a client may take nothing of an answer. Then its connection ends:
// it holds a place.
const stall = time.Minute

// observed is a response that the log has a line about, and that waits for no client for
// ever.
type observed struct {
	http.ResponseWriter

	status int
	code   string // of a call by gRPC that failed, as "not_found"
	bytes  int64
	failed error
	caller string // the name of the token; "" for who was not let in
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
	return func() { _ = c.SetWriteDeadline(time.Time{}) }
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
