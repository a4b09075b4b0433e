// Package otlp receives OTLP telemetry over HTTP and gRPC and passes it on as lines
// of JSON.
//
// A client is answered when its data is durable. A request that can never be accepted (it cannot
// be read, it is too long) gets a permanent error; one that may be accepted later (the disk is
// full, there are too many) gets a temporary error, and the client sends it again. The codes are
// those of the protocol, since clients decide by them:
//
//	             HTTP                        gRPC
//	kept         200                         OK
//	kept in part 200, partial_success        OK, partial_success
//	unreadable   400 404 405 413 415         InvalidArgument, ResourceExhausted
//	not allowed  401 403                     Unauthenticated
//	not now      503, Retry-After            Unavailable
//	broken       500                         Internal
//
// Addresses other than loopback need a token and TLS. On loopback, requests of web pages are
// refused: those with another host name, and those with an Origin.
//
// A request on its way, and what bounds each step:
//
//	body       read into the budget's share for bodies, 1,024 at a time; slow ones give way
//	place      one of 32, taken once the body is there
//	memory     8 bytes for each byte that it may unpack to, or 256 for each value, from the budget
//	decode     JSON as it came, protobuf made JSON; at most jsondoc.MaxValues values
//	scrub      every string, then the whole; what cannot be scrubbed is rejected
//	keep       one line for each resource, durable, all or none
//	answer     in the encoding of the request
//
// The meaning of the data is not looked at here; adapters/otel reads the lines later.
//
// What a request becomes. A client sends the logs of two processes in one request, in protobuf;
// the journal gets two lines of JSON, one for each resource:
//
//	{"resourceLogs":[{"resource":{…},"scopeLogs":[{"logRecords":[{…},{…}]}]}]}
//	{"resourceLogs":[{"resource":{…},"scopeLogs":[{"logRecords":[{…}]}]}]}
//
// A request in JSON is kept as it came, with members that the schema does not have.
//
// Where to find what:
//
//	receiver.go   Receiver, its limits, and how it ends
//	web.go        requests over HTTP
//	rpc.go        requests over gRPC
//	signal.go     what a request holds: logs, traces, metrics; JSON and protobuf
//	answer.go     partial success and refusal, in the encoding of the request
package otlp

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/budget"
	"github.com/memscribe/memscribe/internal/httpbody"
	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/internal/panics"
)

// Limits on what is taken in.
const (
	maxRequests = 32   // requests that are processed at a time
	maxBodies   = 1024 // requests that are being received at a time
	// costOfByte and costOfValue are how many bytes of memory a byte of a request, and a value
	// in it, may take while the request is processed.
	costOfByte  = 8
	costOfValue = 256
	// ratio is the highest compression ratio of deflate.
	ratio = 1032
	// drain is how long running requests may take when the receiver is asked to end.
	drain = time.Second
	// patience is how long receiving a request may take.
	patience = time.Minute
	idle     = 10 * time.Minute // how long an idle connection stays open
	// maxHeader is the size of the largest header in bytes.
	maxHeader = 64 << 10
)

// Options say where to listen and what to do with what comes.
type Options struct {
	HTTP, GRPC string // addresses, host:port; "" means that the protocol is off
	// Guard has the token that clients must send, if any, and the certificate. Addresses
	// other than loopback need both.
	Guard local.Guard
	// Keep makes lines durable, all or none. It is called concurrently.
	Keep func(ctx context.Context, lines ...[]byte) error
	// Scrub returns a JSON value on one line without its secrets. It is called
	// concurrently. A value for which it fails is rejected permanently.
	Scrub func(value []byte) ([]byte, error)
	// Memory is the budget for receiving, unpacking and processing requests. A request waits
	// if there is too little left. The largest request is a share of it. Nil means a default
	// budget of the receiver's own.
	Memory *budget.Budget
	Now    func() time.Time // must not be nil
	Log    *slog.Logger
}

// Receiver receives telemetry. [Receiver.Run] closes it and must be called.
//
// Requests are handled concurrently; the options must not change after Listen.
type Receiver struct {
	options Options
	web     net.Listener // nil if HTTP is off
	rpc     net.Listener
	token   string
	memory  *budget.Budget
	release func()        // returns the share for bodies to the budget
	tls     *tls.Config   // nil if there is no certificate
	busy    chan struct{} // slots of requests that are processed
	bodies  *httpbody.Pool
	told    atomic.Bool // it was logged that a client uses a path that is not served
}

// guard reads the token and the certificate, and returns an error for an address that would be
// open to others.
func (r *Receiver) guard() (err error) {
	var addresses []string
	for _, address := range []string{r.options.HTTP, r.options.GRPC} {
		if address != "" {
			addresses = append(addresses, address)
		}
	}
	if r.token, err = r.options.Guard.Check(false, addresses...); err != nil {
		return err
	}
	r.tls, err = r.options.Guard.TLS()
	return err
}

// Listen binds the addresses. The error for an address that would be open to others is a
// [local.ErrOpen].
func Listen(ctx context.Context, o Options) (*Receiver, error) {
	memory := o.Memory
	if memory == nil {
		memory = budget.New(budget.Standard)
	}
	r := &Receiver{
		options: o, busy: make(chan struct{}, maxRequests), memory: memory,
		bodies: httpbody.New(httpbody.Limits{Bytes: memory.Bodies(), Most: maxBodies, Now: o.Now}),
	}
	if err := r.guard(); err != nil {
		return nil, err
	}
	var err error
	if r.release, err = memory.Acquire(ctx, memory.Bodies()); err != nil {
		return nil, fmt.Errorf("receive telemetry: %w", err)
	}
	for _, l := range []struct {
		address string
		to      *net.Listener
	}{{o.HTTP, &r.web}, {o.GRPC, &r.rpc}} {
		if l.address == "" {
			continue
		}
		bound, err := listen(ctx, l.address)
		if err != nil {
			r.close()
			return nil, err
		}
		*l.to = bound
	}
	return r, nil
}

// listen binds an address.
func listen(ctx context.Context, address string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	return l, nil
}

// close closes the listeners and returns the memory for bodies.
func (r *Receiver) close() {
	for _, l := range []net.Listener{r.web, r.rpc} {
		if l != nil {
			l.Close()
		}
	}
	r.release()
}

// Addresses returns the addresses that it listens on, for HTTP and gRPC; "" if a protocol is off.
func (r *Receiver) Addresses() (web, rpc string) {
	if r.web != nil {
		web = r.web.Addr().String()
	}
	if r.rpc != nil {
		rpc = r.rpc.Addr().String()
	}
	return web, rpc
}

// Run serves until ctx ends, and returns when no request is running.
//
// Running requests have a second to end. An error of one listener ends both.
func (r *Receiver) Run(ctx context.Context) error {
	failed := make(chan error, 2)
	var all sync.WaitGroup
	var servers []*http.Server
	serve := func(s *http.Server, l net.Listener, by string) {
		servers = append(servers, s)
		all.Go(func() {
			if err := r.serveOn(s, l); !errors.Is(err, http.ErrServerClosed) {
				failed <- fmt.Errorf("serve OTLP by %s: %w", by, err)
			}
		})
	}
	if r.web != nil {
		serve(&http.Server{Handler: r.handler(), ReadTimeout: patience, ReadHeaderTimeout: patience, WriteTimeout: 2 * patience, MaxHeaderBytes: maxHeader, ErrorLog: r.serverLog()}, r.web, "HTTP")
	}
	if r.rpc != nil {
		serve(r.server(), r.rpc, "gRPC")
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	for _, s := range servers {
		stop(context.WithoutCancel(ctx), s)
	}
	all.Wait()
	r.release()
	return err
}

// serveOn serves with TLS, if there is a certificate.
func (r *Receiver) serveOn(s *http.Server, l net.Listener) error {
	if r.tls == nil {
		return s.Serve(l)
	}
	s.TLSConfig = r.tls.Clone()
	return s.ServeTLS(l, "", "")
}

// serverLog returns a logger for errors of connections.
func (r *Receiver) serverLog() *log.Logger {
	return slog.NewLogLogger(r.options.Log.Handler(), slog.LevelDebug)
}

// stop stops a server, and waits a while for running requests.
func stop(ctx context.Context, s *http.Server) {
	ctx, cancel := context.WithTimeout(ctx, drain)
	defer cancel()
	if s.Shutdown(ctx) != nil {
		s.Close()
	}
}

// lost logs, once, that a client sends telemetry to a path that is not served.
func (r *Receiver) lost(path string) {
	if !r.told.Swap(true) {
		r.options.Log.Warn("a client sends telemetry where none is taken", slog.String("path", path))
	}
}

// contained calls serve and catches a panic. The client then gets a permanent error, so that it
// does not send the request again, and other requests are served.
func (r *Receiver) contained(serve func() error) error {
	err := panics.Caught(serve)
	if f, ok := errors.AsType[*panics.Error](err); ok {
		r.options.Log.Error("a request could not be taken", slogError(f))
		return errBroken
	}
	return err
}

var errBroken = errors.New("the request could not be taken: a fault of the program")

// enter takes a slot for a request, if one is free. leave gives it back.
func (r *Receiver) enter() (leave func(), ok bool) {
	select {
	case r.busy <- struct{}{}:
		return func() { <-r.busy }, true
	default:
		return nil, false
	}
}

// work waits until the budget has memory for processing a request. done returns the memory.
func (r *Receiver) work(ctx context.Context, sent []byte, isPacked, isJSON bool) (done func(), err error) {
	size, values := int64(len(sent)), 0
	switch {
	case isPacked:
		size = min(r.most(), size*ratio)
	case isJSON:
		values = bytes.Count(sent, []byte("{")) + bytes.Count(sent, []byte("["))
	default:
		values, _ = parts(sent, 0)
	}
	return r.memory.Acquire(ctx, max(size*costOfByte, min(int64(values), jsondoc.MaxValues)*costOfValue))
}

// most returns the size of the largest request in bytes, decompressed: 16 MiB with the default
// budget.
func (r *Receiver) most() int64 { return r.memory.Request() }

// mostProto returns the size of the largest request in protobuf. It is half of most, since a record
// may take two bytes only.
func (r *Receiver) mostProto() int64 { return r.most() / 2 }
