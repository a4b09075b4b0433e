package otlp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"connectrpc.com/connect"

	"github.com/memscribe/memscribe/internal/httpbody"
	"github.com/memscribe/memscribe/internal/local"
)

// export returns the path of the gRPC method for a kind of telemetry.
func (s signal) export() string {
	return [...]string{
		"/opentelemetry.proto.collector.logs.v1.LogsService/Export",
		"/opentelemetry.proto.collector.trace.v1.TraceService/Export",
		"/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
	}[s]
}

// server returns the gRPC server: HTTP/2, also without TLS.
func (r *Receiver) server() *http.Server {
	mux := http.NewServeMux()
	for _, s := range []signal{logs, traces, metrics} {
		mux.Handle(s.export(), connect.NewUnaryHandler(s.export(), r.exporter(s), connect.WithCodec(verbatim{}), connect.WithReadMaxBytes(int(r.mostProto()))))
	}
	var protocols http.Protocols
	protocols.SetHTTP2(r.tls != nil)
	protocols.SetUnencryptedHTTP2(r.tls == nil)
	return &http.Server{
		Handler: r.onlyRPC(mux), Protocols: &protocols, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxRequests},
		ReadTimeout: patience, ReadHeaderTimeout: patience, WriteTimeout: 2 * patience, IdleTimeout: idle, MaxHeaderBytes: maxHeader,
		ErrorLog: r.serverLog(),
	}
}

// rpcHead is the size of the head of a message: a compression flag and the length.
const rpcHead = 5

// onlyRPC passes on gRPC requests only, and no protocol that a web page can use. A request that it
// passes on was read within the limits, and has a slot and the memory for unpacking.
//
// The message is read here and passed on as a body in memory, because connect would read it
// without a time limit.
func (r *Receiver) onlyRPC(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		kind := q.Header.Get("Content-Type")
		if kind != "application/grpc" && kind != "application/grpc+proto" {
			http.Error(w, "this address is for gRPC", http.StatusUnsupportedMediaType)
			return
		}
		if r.token == "" && !local.Asked(q) {
			http.Error(w, "not meant for this address, or not for pages", http.StatusForbidden)
			return
		}
		done, err := r.admit(w, q)
		if err != nil {
			if connect.NewErrorWriter().Write(w, q, err) != nil {
				r.options.Log.Debug("a client did not wait for its answer")
			}
			return
		}
		defer done()
		next.ServeHTTP(w, q.WithContext(context.WithValue(q.Context(), doneKey{}, done)))
	})
}

// doneKey is the context key of the function that gives back the slot and the memory of a call. It
// is called before the answer is written, since a client may never read that.
type doneKey struct{}

// admit checks the token and reads the message, if there is room for one.
func (r *Receiver) admit(w http.ResponseWriter, q *http.Request) (done func(), err error) {
	if given := q.Header.Values("Authorization"); r.token != "" && (len(given) != 1 || !r.isToken(given[0])) {
		return nil, connect.NewError(connect.CodeUnauthenticated, errors.New("needs the token"))
	}
	body := r.bodies.Open(w, q, r.mostProto()+rpcHead)
	defer body.Close()
	sent, err := r.receive(body)
	switch {
	case errors.Is(err, httpbody.ErrSlow):
		return nil, later(err.Error())
	case errors.Is(err, errTooLong):
		return nil, connect.NewError(connect.CodeResourceExhausted, err)
	case err != nil:
		return nil, connect.NewError(connect.CodeInvalidArgument, err)
	}
	leave, ok := r.enter()
	if !ok {
		return nil, later("too many requests at once")
	}
	encoding := q.Header.Get("Grpc-Encoding")
	worked, err := r.work(q.Context(), sent[min(rpcHead, len(sent)):], encoding != "" && encoding != "identity", false)
	if err != nil {
		leave()
		return nil, later("too many requests at once")
	}
	message := bytes.NewReader(sent)
	q.Body = io.NopCloser(message)
	return sync.OnceFunc(func() {
		message.Reset(nil)
		worked()
		leave()
	}), nil
}

// exporter returns the handler for a kind of telemetry.
func (r *Receiver) exporter(s signal) func(context.Context, *connect.Request[message]) (*connect.Response[message], error) {
	return func(ctx context.Context, q *connect.Request[message]) (*connect.Response[message], error) {
		if done, ok := ctx.Value(doneKey{}).(func()); ok {
			defer done()
		}
		var p partial
		err := r.contained(func() (err error) {
			p, err = r.take(ctx, s, q.Msg.bytes)
			q.Msg.bytes = nil
			return err
		})
		if errors.Is(err, errBroken) {
			err = connect.NewError(connect.CodeInternal, err)
		}
		if err != nil {
			return nil, err
		}
		return connect.NewResponse(&message{p.proto()}), nil
	}
}

// take keeps a request, or returns the error for the client.
func (r *Receiver) take(ctx context.Context, s signal, body []byte) (partial, error) {
	req, err := readProtoAs(s, body)
	if err != nil {
		return partial{}, connect.NewError(connect.CodeInvalidArgument, err)
	}
	p, err := r.keep(ctx, req)
	if errors.Is(err, errNotNow) {
		return partial{}, later("cannot be stored for now")
	}
	return p, err
}

// later returns the error that makes a client send the request again.
func later(why string) error { return connect.NewError(connect.CodeUnavailable, errors.New(why)) }

// message is an encoded protobuf message.
type message struct{ bytes []byte }

// verbatim is a codec that leaves messages encoded. They are decoded by the same code as requests
// over HTTP.
type verbatim struct{}

// Name implements [connect.Codec].
func (verbatim) Name() string { return "proto" }

// Marshal implements [connect.Codec].
func (verbatim) Marshal(m any) ([]byte, error) {
	msg, ok := m.(*message)
	if !ok {
		return nil, fmt.Errorf("write message: it is a %T", m)
	}
	return msg.bytes, nil
}

// Unmarshal implements [connect.Codec]. The bytes are the caller's.
func (verbatim) Unmarshal(data []byte, m any) error {
	msg, ok := m.(*message)
	if !ok {
		return fmt.Errorf("read message: it is a %T", m)
	}
	msg.bytes = bytes.Clone(data)
	return nil
}
