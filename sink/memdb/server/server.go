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

	"github.com/memscribe/memscribe/internal/bodies"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// Store is what a server needs of the place where memories are kept. It may be
// used by several goroutines.
type Store interface {
	Kind() string // what it is, as "sqlite"
	Head(ctx context.Context) (chain.Head, error)
	PutNamespace(ctx context.Context, name string, put api.NamespacePut) (n api.Namespace, created bool, err error)
	PatchNamespace(ctx context.Context, name string, patch api.NamespacePatch) (api.Namespace, error)
	DeleteNamespace(ctx context.Context, name string, purge bool) error
	Write(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error)
	Get(ctx context.Context, namespace, id string) (api.MemoryAnswer, error)
	Forget(ctx context.Context, namespace, id string) error
	Search(ctx context.Context, r api.SearchRequest) (api.SearchResponse, error)
	Provenance(ctx context.Context, namespace, id string) (api.ProvenanceAnswer, error)
	Verify(ctx context.Context) (api.VerifyReport, error)
	Checkpoint(ctx context.Context) error // signs what was written
}

// Options say what a server serves.
type Options struct {
	Store   Store
	Version string
	// Token may do everything; "" is none. Access are the other tokens; nil: there
	// are none. Without any, only this machine may call.
	Token  string
	Access *access.List
	Log    *slog.Logger // of accesses; must not be nil
	Now    func() time.Time
	Random io.Reader // of request ids
	// AtOnce is how many calls are worked on at a time, once they have been read; 0
	// is 64. More are told to come again.
	AtOnce int
}

// Server answers calls. It is an [http.Handler].
type Server struct {
	options Options
	token   [sha256.Size]byte
	slots   chan struct{} // of calls
	asking  chan struct{} // of questions for health, which must not wait for calls
	bodies  *bodies.Pool
	mux     *http.ServeMux
}

// What is taken in at once, beside the calls that are worked on.
const (
	askAtOnce  = 8         // questions for health
	readAtOnce = 256 << 20 // bytes of bodies that are being read
	manyBodies = 1024      // of these bodies
)

// healthPath is where a monitor asks.
const healthPath = "/v1/health"

// New returns a Server.
func New(o Options) *Server {
	if o.AtOnce == 0 {
		o.AtOnce = 64
	}
	s := &Server{
		options: o, token: sha256.Sum256([]byte(o.Token)), mux: http.NewServeMux(),
		slots: make(chan struct{}, o.AtOnce), asking: make(chan struct{}, askAtOnce),
		bodies: bodies.New(bodies.Limits{Bytes: readAtOnce, Most: manyBodies, Now: o.Now}),
	}
	for _, r := range s.routes() {
		s.mux.Handle(r.pattern, r)
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, api.NewProblem(api.NotFound, "there is no such call"))
	})
	return s
}

// call works on a request and writes the answer, or returns what is wrong.
type call func(w http.ResponseWriter, r *http.Request) error

// route is a path with its methods.
type route struct {
	pattern string
	methods map[string]call
	timeout time.Duration // 0 is a minute
}

func (s *Server) routes() []route {
	return []route{
		{pattern: healthPath, methods: map[string]call{http.MethodGet: s.health}},
		{pattern: "/v1/namespaces/{name}", methods: map[string]call{
			http.MethodPut: s.putNamespace, http.MethodPatch: s.patchNamespace, http.MethodDelete: s.deleteNamespace,
		}, timeout: 10 * time.Minute},
		{pattern: "/v1/namespaces/{name}/memories", methods: map[string]call{http.MethodPost: s.write}},
		{pattern: "/v1/memories/{id}", methods: map[string]call{http.MethodGet: s.get, http.MethodDelete: s.forget}, timeout: 10 * time.Minute},
		{pattern: "/v1/search", methods: map[string]call{http.MethodPost: s.search}},
		{pattern: "/v1/provenance/{id}", methods: map[string]call{http.MethodGet: s.provenance}},
		{pattern: "/v1/provenance/verify", methods: map[string]call{
			http.MethodPost: s.verify,
			http.MethodGet: func(w http.ResponseWriter, r *http.Request) error {
				r.SetPathValue("id", "verify") // a memory may be called so
				return s.provenance(w, r)
			},
		}, timeout: 24 * time.Hour},
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
	timeout := t.timeout
	if timeout == 0 {
		timeout = time.Minute
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	if err := f(w, r.WithContext(ctx)); err != nil {
		if o, ok := w.(*observed); ok {
			o.failed = err
		}
		refuse(w, problemOf(err))
	}
}

// problemOf is what a client sees of an error.
func problemOf(err error) *api.Problem {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return api.NewProblem(api.TooLarge, "a request may have %d bytes", tooLarge.Limit)
	case errors.Is(err, bodies.ErrSlow):
		return api.NewProblem(api.TooManyRequests, "%v", err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return api.NewProblem(api.Unavailable, "the request took too long to come")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return api.NewProblem(api.Unavailable, "it took too long")
	}
	return api.ProblemOf(err)
}

// observed is a response that the log has a line about.
type observed struct {
	http.ResponseWriter

	status int
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

func (o *observed) Write(b []byte) (int, error) {
	if o.status == 0 {
		o.status = http.StatusOK
	}
	n, err := o.ResponseWriter.Write(b)
	o.bytes += int64(n)
	return n, err
}

// Unwrap is for [http.ResponseController].
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := s.options.Now()
	id := s.requestID(r)
	w.Header().Set("X-Request-Id", id)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	o := &observed{ResponseWriter: w}
	_, pattern := s.mux.Handler(r)
	s.work(o, r)
	s.log(r, o, answered{id, pattern, s.options.Now().Sub(start)})
}

// work lets a call in, reads it, and only then gives it a place: who sends slowly
// keeps none from others.
func (s *Server) work(w http.ResponseWriter, r *http.Request) {
	grant, err := s.admit(r)
	var body []byte
	if err == nil {
		if o, ok := w.(*observed); ok {
			o.caller = grant.Name
		}
		body, err = s.readBody(w, r)
	}
	if err != nil {
		if o, ok := w.(*observed); ok {
			o.failed = err
		}
		refuse(w, problemOf(err))
		return
	}
	r = as(r, &grant)
	r.Body = io.NopCloser(bytes.NewReader(body))
	places := s.slots
	if r.URL.Path == healthPath {
		places = s.asking
	}
	select {
	case places <- struct{}{}:
		defer func() { <-places }()
	default:
		w.Header().Set("Retry-After", "1")
		refuse(w, api.NewProblem(api.TooManyRequests, ""))
		return
	}
	s.mux.ServeHTTP(w, r)
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
	if o.status >= http.StatusInternalServerError && o.failed != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("error", o.failed))
	}
	s.options.Log.LogAttrs(r.Context(), level, "access", attrs...)
}

// requestID takes over the id that a request brings, if it is one, or makes one.
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

// take reads a request.
func take(r *http.Request, into api.Wire) error {
	body, err := read(r)
	if err != nil {
		return err
	}
	return api.Decode(body, into)
}

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

// refuse writes what is wrong.
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
