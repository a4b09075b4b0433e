// Package modelserver plays a scripted model to a real coding agent on loopback.
//
// It speaks Anthropic's Messages, OpenAI's Responses and Chat Completions, and
// Google's generateContent, each streamed or whole. What it answers follows from
// the request alone, as far as it can: which of the script's prompts was the last
// one, and how many of its steps were played already. So a tool may try again, end
// and resume. What was asked of the tool and what became of it is kept in a [Log].
package modelserver

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/memscribe/memscribe/testkit/script"
)

// Server is an [http.Handler] that plays one scenario to one tool.
type Server struct {
	scenario *script.Scenario
	work     string

	mu     sync.Mutex
	ids    *rand.Rand
	play   play
	log    Log // but for its calls
	calls  []*Call
	moved  chan struct{} // closed when a step is played, and made again
	errors []error
}

// New returns a server of a scenario whose work tree is the folder work. The ids
// that it makes up follow from the seed.
func New(s *script.Scenario, work, seed string) *Server {
	h := fnv.New64a()
	_, _ = io.WriteString(h, seed)
	return &Server{
		scenario: s, work: work, moved: make(chan struct{}),
		ids:  rand.New(rand.NewPCG(h.Sum64(), 1)), //nolint:gosec // ids of made-up answers
		play: play{at: map[string]moment{}, furthest: map[int]int{}, called: map[int][]int{}, refused: map[moment]int{}, times: map[moment]int{}, found: map[string]bool{}},
	}
}

// Await returns when the model has played a step.
func (s *Server) Await(ctx context.Context, at script.Moment) error {
	for {
		s.mu.Lock()
		far, begun := s.play.furthest[at.Turn]
		moved := s.moved
		s.mu.Unlock()
		if begun && far >= at.Step {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("await step %d of turn %d: %w", at.Step, at.Turn, ctx.Err())
		}
	}
}

// Played counts how often the model has played a step: a person may go back and
// send a prompt again.
func (s *Server) Played(at script.Moment) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.play.times[moment{at.Turn, at.Step}]
}

// Again notes that the tool has done by itself, again and with the same result,
// what the model had asked for in a step.
func (s *Server) Again(at script.Moment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.Turn == at.Turn && c.Step == at.Step {
			again := *c
			again.ID = ""
			s.calls = append(s.calls, &again)
		}
	}
}

// ByHand notes that a person has changed a file otherwise than by a prompt: by a
// command of the tool's own, say.
func (s *Server) ByHand(path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, err := s.tree()
	if err != nil {
		return err
	}
	before := now
	if n := len(s.calls); n > 0 {
		before = s.calls[n-1].After
	}
	s.calls = append(s.calls, &Call{
		Kind: script.Bash, Turn: s.play.last, Paths: []string{path}, Shell: true, Answered: true, Before: before, After: now,
	})
	return nil
}

// Log returns what was asked of the tool and what became of it. Calls that were
// never answered are looked at now, so the tool must have ended.
func (s *Server) Log() (Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	after, err := s.tree()
	if err != nil {
		return Log{}, err
	}
	log := s.log
	for _, c := range s.calls {
		settled := *c
		switch {
		case settled.Answered, settled.After != nil:
		case settled.cut:
			settled.After = settled.Before
		default:
			settled.After = after
		}
		log.Calls = append(log.Calls, settled)
	}
	if len(s.errors) > 0 {
		return log, s.errors[0]
	}
	return log, nil
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		s.post(w, r)
	case http.MethodConnect:
		s.mu.Lock()
		s.log.Outside = append(s.log.Outside, r.Host)
		s.mu.Unlock()
		http.Error(w, "nothing past loopback", http.StatusForbidden)
	case http.MethodHead:
	default:
		s.get(w, r)
	}
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/models") && strings.Contains(r.URL.Path, "/v1/") {
		model := object{"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted", "owned_by": "script"}
		writeJSON(w, http.StatusOK, object{"object": "list", "data": []any{model}, "models": []any{}, "has_more": false})
		return
	}
	notHere(w)
}

func notHere(w http.ResponseWriter) {
	writeJSON(w, http.StatusNotFound, object{"error": object{"type": "not_found_error", "message": "not served here"}})
}

func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d, path := dialect(nil), r.URL.Path
	switch {
	case strings.HasSuffix(path, "/count_tokens"):
		writeJSON(w, http.StatusOK, object{"input_tokens": len(body)/4 + 1})
		return
	case strings.HasSuffix(path, ":countTokens"):
		writeJSON(w, http.StatusOK, object{"totalTokens": len(body)/4 + 1})
		return
	case strings.HasSuffix(path, "/messages"):
		d = &messages{}
	case strings.HasSuffix(path, "/responses"):
		d = &responses{}
	case strings.HasSuffix(path, "/chat/completions"):
		d = &chat{}
	case strings.Contains(path, "enerateContent"):
		d = &gemini{streamed: strings.Contains(path, ":stream")}
	default:
		notHere(w)
		return
	}
	s.answer(&stream{w: w}, d, body)
}

// dialect is one of the APIs.
type dialect interface {
	// read takes a request in.
	read(body []byte) (*request, error)
	// calls says an op in the words of the tools that the request offers.
	calls(v *vocabulary, op *script.Op) []call
	// aside answers what is no part of the conversation: titles and the like.
	aside(r *request) string
	// refusal is the form of an error.
	refusal(op *script.Op) object
	// write answers.
	write(w *stream, a *answer, id func(alphabet string, n int) string)
}

func (s *Server) answer(w *stream, d dialect, body []byte) {
	req, err := d.read(body)
	if err != nil {
		http.Error(w.w, err.Error(), http.StatusBadRequest)
		return
	}
	req.size = len(body)
	s.mu.Lock()
	a, err := s.next(d, req)
	s.mu.Unlock()
	switch {
	case err != nil:
		s.fault(err)
		http.Error(w.w, err.Error(), http.StatusInternalServerError)
	case a.refuse != nil:
		writeJSON(w.w, a.refuse.Status, d.refusal(a.refuse))
	default:
		w.left = a.cut
		d.write(w, a, s.id)
		if w.err != nil {
			s.note(w.err)
		}
	}
}

// fault keeps what kept the server from playing its script.
func (s *Server) fault(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors = append(s.errors, err)
}

// note keeps that a tool did not listen to the end, which it may.
func (s *Server) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.Cut = append(s.log.Cut, err.Error())
}

// The alphabets of ids.
const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	hexes   = "0123456789abcdef"
)

// id makes up an id.
func (s *Server) id(alphabet string, n int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.freshID(alphabet, n)
}

func (s *Server) freshID(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[s.ids.IntN(len(alphabet))]
	}
	return string(b)
}

func readBody(r *http.Request) ([]byte, error) {
	var in io.Reader = r.Body
	var err error
	switch r.Header.Get("Content-Encoding") {
	case "gzip":
		in, err = gzip.NewReader(r.Body)
	case "deflate":
		in = flate.NewReader(r.Body)
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(r.Body); err == nil {
			defer z.Close()
			in = z
		}
	}
	if err != nil {
		return nil, fmt.Errorf("unpack request: %w", err)
	}
	return io.ReadAll(in)
}

// object is a JSON object on its way out.
type object = map[string]any

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// stream writes server-sent events.
type stream struct {
	w     http.ResponseWriter
	begun bool
	left  int // events until it breaks off; 0 is never
	err   error
}

// breakOff ends the connection in the middle of an answer.
func (s *stream) breakOff() error {
	conn, _, err := http.NewResponseController(s.w).Hijack()
	if err != nil {
		return fmt.Errorf("break off: %w", err)
	}
	return errors.Join(errBrokenOff, conn.Close())
}

var errBrokenOff = errors.New("the script broke it off")

// event sends one event; the name may be empty.
func (s *stream) event(name string, v any) {
	if s.err != nil {
		return
	}
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.Header().Set("Cache-Control", "no-cache")
	}
	data, err := json.Marshal(v)
	if err == nil && name != "" {
		_, err = fmt.Fprintf(s.w, "event: %s\n", name)
	}
	if err == nil {
		_, err = fmt.Fprintf(s.w, "data: %s\n\n", data)
	}
	if f, ok := s.w.(http.Flusher); ok && err == nil {
		f.Flush()
	}
	if s.left--; s.left == 0 && err == nil {
		err = s.breakOff()
	}
	s.err = err
}

// pieces cuts a text as a model's answer comes.
func pieces(text string, size int) []string {
	var all []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(size, len(runes))
		all, runes = append(all, string(runes[:n])), runes[n:]
	}
	return all
}
