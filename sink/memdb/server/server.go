package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/httpbody"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/audit"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/rpc"
)

// Options say what a server serves and to whom.
type Options struct {
	Store   calls.Store
	Version string
	// Token may do everything; "" is none. Access are the other tokens; nil: there
	// are none. Without any, only this machine may call, and says that something is
	// internal only with a proof of Own; nil: there is none.
	Token  string
	Access *access.List
	Own    *access.Own
	Log    *slog.Logger // of accesses; must not be nil
	Audit  *audit.Trail // of calls; nil is none
	Now    func() time.Time
	Random io.Reader // of request ids
	// AtOnce is how many calls are worked on at a time, once they have been read; 0
	// is 64. More are told to come again.
	AtOnce int
	// Watchers is how many may watch at a time; 0 is 256. More are told to come again.
	Watchers int
	// LookEvery is how often a watcher looks for what was written by way of another
	// server and nothing hints at; 0 is a second.
	LookEvery time.Duration
}

// Server answers calls. It is an [http.Handler].
type Server struct {
	options Options
	token   [sha256.Size]byte
	calls   *calls.Calls
	slots   chan struct{} // of calls
	asking  chan struct{} // of questions for health, which must not wait for calls
	watches chan struct{} // of watchers, which keep their places
	bodies  *httpbody.Pool
	leaving leaving // answers
	mux     *http.ServeMux
}

// What is taken in at once, beside the calls that are worked on.
const (
	askAtOnce   = 8         // questions for health
	watchAtOnce = 256       // watchers
	readAtOnce  = 256 << 20 // bytes of bodies that are being read
	manyBodies  = 1024      // of these bodies
)

// healthPath is where a monitor asks.
const healthPath = "/v1/health"

// New returns a server for a store. It does not listen yet; see [Server.Run].
func New(o Options) *Server {
	if o.AtOnce == 0 {
		o.AtOnce = 64
	}
	if o.Watchers == 0 {
		o.Watchers = watchAtOnce
	}
	s := &Server{
		options: o, token: sha256.Sum256([]byte(o.Token)), mux: http.NewServeMux(),
		calls: calls.New(o.Store, o.Now),
		slots: make(chan struct{}, o.AtOnce), asking: make(chan struct{}, askAtOnce), watches: make(chan struct{}, o.Watchers),
		bodies: httpbody.New(httpbody.Limits{Bytes: readAtOnce, Most: manyBodies, Now: o.Now}),
	}
	s.calls.AuditTo(o.Audit)
	if o.LookEvery > 0 {
		s.calls.LookEvery(o.LookEvery)
	}
	for _, r := range s.routes() {
		s.mux.Handle(r.pattern, r)
	}
	procedures := rpc.Handler(s.calls, report)
	for _, path := range rpc.Procedures() {
		s.mux.Handle(path, procedures)
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, api.NewProblem(api.NotFound, "there is no such call"))
	})
	return s
}

// call handles a request. It writes the answer or returns an error, which becomes a problem.
type call func(w http.ResponseWriter, r *http.Request) error

// route is a path with its methods.
type route struct {
	pattern string
	methods map[string]call
}

// routes lists the paths with their methods. A method that is not listed is answered
// with 405.
func (s *Server) routes() []route {
	return []route{
		{pattern: healthPath, methods: map[string]call{http.MethodGet: s.health}},
		{pattern: "/v1/namespaces/{name}", methods: map[string]call{
			http.MethodPut: s.putNamespace, http.MethodPatch: s.patchNamespace, http.MethodDelete: s.deleteNamespace,
		}},
		{pattern: "/v1/namespaces/{name}/memories", methods: map[string]call{http.MethodPost: s.write}},
		{pattern: "/v1/memories/{id}", methods: map[string]call{http.MethodGet: s.get, http.MethodDelete: s.forget}},
		{pattern: "/v1/search", methods: map[string]call{http.MethodPost: s.search}},
		{pattern: "/v1/provenance/{id}", methods: map[string]call{http.MethodGet: s.provenance}},
		{pattern: "/v1/provenance/verify", methods: map[string]call{
			http.MethodPost: s.verify,
			http.MethodGet: func(w http.ResponseWriter, r *http.Request) error {
				r.SetPathValue("id", "verify") // a memory may be called so
				return s.provenance(w, r)
			},
		}},
	}
}

// ServeHTTP works on a request of a known path.
func (t route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := t.methods[r.Method]
	if !ok {
		allowed := []string{}
		for _, m := range []string{http.MethodGet, http.MethodPut, http.MethodPost, http.MethodPatch, http.MethodDelete} {
			if t.methods[m] != nil {
				allowed = append(allowed, m)
			}
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		refuse(w, api.NewProblem(api.MethodNotAllowed, "allowed are %s", strings.Join(allowed, ", ")))
		return
	}
	if err := f(w, r); err != nil {
		if o, ok := w.(*observed); ok {
			o.failed = err
		}
		refuse(w, problemOf(err))
	}
}

// problemOf returns the problem that a client gets for an error.
func problemOf(err error) *api.Problem {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return api.NewProblem(api.TooLarge, "a request may have %d bytes", tooLarge.Limit)
	case errors.Is(err, httpbody.ErrSlow):
		return api.NewProblem(api.TooManyRequests, "%v", err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return api.NewProblem(api.Unavailable, "the request took too long to come")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return api.NewProblem(api.Unavailable, "it took too long")
	}
	return api.ProblemOf(err)
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := s.options.Now()
	id := s.requestID(r)
	w.Header().Set("X-Request-Id", id)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	o := &observed{ResponseWriter: w, leaving: &s.leaving, now: s.options.Now}
	_, pattern := s.mux.Handler(r)
	s.work(o, r)
	s.log(r, o, answered{id, pattern, s.options.Now().Sub(start)})
}

// work checks the rights of a call, reads its body, and only then takes a place for it: a
// client that sends slowly blocks no place.
func (s *Server) work(o *observed, r *http.Request) {
	grant, err := s.admit(r)
	var body []byte
	if err == nil {
		o.caller = grant.Name
		body, err = s.readBody(o, r)
	}
	if err != nil {
		o.failed = err
		turnAway(o, r, problemOf(err))
		return
	}
	// What came is here; whoever works on it has the time of the call.
	_ = http.NewResponseController(o).SetReadDeadline(time.Time{})
	grant = s.prove(grant, r, body)
	o.caller = grant.Name
	r = r.WithContext(calls.As(observe(r.Context(), o), &calls.Caller{
		Grant: grant, Again: func(ctx context.Context) (access.Grant, error) { return s.admit(r.WithContext(ctx)) },
	}))
	r.Body = io.NopCloser(bytes.NewReader(body))
	o.place = s.placesFor(r)
	if !s.enter(r.Context(), o.place) {
		o.Header().Set("Retry-After", "1")
		turnAway(o, r, api.NewProblem(api.TooManyRequests, ""))
		return
	}
	defer func() { <-o.place }()
	s.mux.ServeHTTP(o, r)
}

// enter takes a place for a call. If there is none, it ends the call whose client has read
// nothing of its answer for the longest time, at least a second.
func (s *Server) enter(ctx context.Context, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
	}
	if !s.leaving.giveUp(places, s.options.Now()) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// placesFor returns the places that a call can take.
func (s *Server) placesFor(r *http.Request) chan struct{} {
	switch r.URL.Path {
	case healthPath:
		return s.asking
	case rpc.Watch:
		return s.watches
	}
	return s.slots
}

// turnAway answers a request that is refused before it becomes a call, in the protocol of the
// request.
func turnAway(w http.ResponseWriter, r *http.Request, p *api.Problem) {
	if !strings.HasPrefix(r.URL.Path, rpc.Path) || !rpc.Refuse(w, r, p) {
		refuse(w, p)
	}
}

// readBody reads the body of a request, if it has one.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) (text []byte, err error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	body := s.bodies.Open(w, r, api.MaxBody)
	text, err = io.ReadAll(body)
	return text, errors.Join(err, body.Close())
}

// requestID returns the id that the request brings, if it is a valid one, or a new one.
func (s *Server) requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	ok := id != "" && len(id) <= 64
	for i := range len(id) {
		b := id[i]
		ok = ok && (b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '-' || b == '_' || b == '.')
	}
	if ok {
		return id
	}
	var random [8]byte
	if _, err := io.ReadFull(s.options.Random, random[:]); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(random[:])
}

// take reads the body of a request as a value of the contract.
func take(r *http.Request, into api.Wire) error {
	body, err := read(r)
	if err != nil {
		return err
	}
	return api.Decode(body, into)
}

// read returns the body of a request, which must be JSON. Its size was bounded
// before.
func read(r *http.Request) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return nil, api.NewProblem(api.UnsupportedType, "send Content-Type: application/json")
	}
	return io.ReadAll(r.Body)
}

// give writes an answer.
func give(w http.ResponseWriter, status int, v api.Wire) error {
	if err := v.Validate(); err != nil {
		return errors.New("answer is not of the contract: " + err.Error())
	}
	body, err := api.Append(nil, v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // who is gone needs no answer
	return nil
}

// refuse writes a problem as the answer.
func refuse(w http.ResponseWriter, p *api.Problem) {
	p.Instance = w.Header().Get("X-Request-Id")
	body, err := api.Append(nil, p)
	if err != nil {
		body = []byte(`{"type":"about:blank","title":"The server failed","status":500}`)
	}
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Type", api.ProblemType)
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // who is gone needs no answer
}
