package otlp

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"connectrpc.com/connect"

	"github.com/memscribe/memscribe/internal/httpbody"
	"github.com/memscribe/memscribe/internal/local"
)

// The encodings of requests.
const (
	typeProto = "application/x-protobuf"
	typeJSON  = "application/json"
)

func slogError(err error) slog.Attr { return slog.Any("error", err) }

func (r *Receiver) handler() http.Handler {
	paths := map[string]signal{"/v1/logs": logs, "/v1/traces": traces, "/v1/metrics": metrics, "": logs}
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		s, known := paths[strings.TrimSuffix(q.URL.Path, "/")]
		if !known {
			r.lost(q.URL.Path)
			refuse(w, q, http.StatusNotFound, "no such path: use /v1/logs, /v1/traces or /v1/metrics")
			return
		}
		broken := r.contained(func() error {
			r.serve(w, q, s)
			return nil
		})
		if broken != nil {
			refuse(w, q, http.StatusInternalServerError, broken.Error())
		}
	})
}

// serve takes one request.
//
// The order is cheapest first: method, token, origin and type are looked at before the
// body is read.
func (r *Receiver) serve(w http.ResponseWriter, q *http.Request, s signal) {
	if code, why := r.refused(q); code != 0 {
		refuse(w, q, code, why)
		return
	}
	body := r.bodies.Open(w, q, r.most())
	defer body.Close()
	sent, err := r.receive(body)
	if errors.Is(err, httpbody.ErrSlow) {
		notNow(w, q, err.Error())
		return
	}
	if err != nil {
		refuse(w, q, bodyError(err), err.Error())
		return
	}
	// Only what is there takes a place: who sends slowly keeps none from others.
	leave, ok := r.enter()
	if !ok {
		notNow(w, q, "too many requests at once")
		return
	}
	defer leave()
	done, err := r.work(q.Context(), sent, q.Header.Get("Content-Encoding") != "", isJSON(q))
	if err != nil {
		notNow(w, q, "too many requests at once")
		return
	}
	defer done()
	body.Close() // it is part of what is worked on now
	req, err := r.read(q, s, sent)
	if err != nil {
		refuse(w, q, bodyError(err), err.Error())
		return
	}
	p, err := r.keep(q.Context(), req)
	if err != nil {
		notNow(w, q, "cannot be stored for now")
		return
	}
	answer(w, q, s, p)
}

// read makes of what was sent what was meant.
func (r *Receiver) read(q *http.Request, s signal, sent []byte) (request, error) {
	plain, err := decompress(q.Header.Get("Content-Encoding"), sent, r.most())
	switch {
	case err != nil:
		return request{}, err
	case isJSON(q):
		return readJSON(plain)
	case int64(len(plain)) > r.mostProto():
		return request{}, fmt.Errorf("%w, which is the limit in protobuf", longer(r.mostProto()))
	default:
		return readProto(s, plain)
	}
}

// refused says why a request is not even read. A page in a browser must not be
// able to write here: it can only reach the address under another name, or shows
// where it comes from.
func (r *Receiver) refused(q *http.Request) (code int, why string) {
	kind, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	switch {
	case q.Method != http.MethodPost:
		return http.StatusMethodNotAllowed, "use POST"
	case r.token != "" && !r.isToken(q.Header.Get("Authorization")):
		return http.StatusUnauthorized, "needs the token"
	case r.token == "" && !local.Asked(q):
		return http.StatusForbidden, "not meant for this address"
	case q.Header.Get("Origin") != "":
		return http.StatusForbidden, "not for pages"
	case err != nil || kind != typeProto && kind != typeJSON:
		return http.StatusUnsupportedMediaType, "use " + typeProto + " or " + typeJSON
	}
	return 0, ""
}

func (r *Receiver) isToken(header string) bool {
	const scheme = "bearer "
	if len(header) < len(scheme) || !strings.EqualFold(header[:len(scheme)], scheme) {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(header[len(scheme):]), []byte(r.token)) == 1
}

func isJSON(q *http.Request) bool {
	kind, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	return err == nil && kind == typeJSON
}

var (
	errTooLong  = errors.New("longer than")
	errEncoding = errors.New("unknown content encoding: use gzip or none")
)

// longer says that a request is longer than the limit.
func longer(limit int64) error { return fmt.Errorf("%w %d bytes", errTooLong, limit) }

// receive reads a request as it is sent. The body counts until it is closed.
func (r *Receiver) receive(body *httpbody.Body) ([]byte, error) {
	sent, err := io.ReadAll(body)
	long, isLong := errors.AsType[*http.MaxBytesError](err)
	switch {
	case isLong:
		return nil, longer(long.Limit)
	case err != nil:
		return nil, fmt.Errorf("read request: %w", err)
	case !body.Whole():
		return nil, httpbody.ErrSlow
	}
	return sent, nil
}

// decompress takes off the encoding of a request.
func decompress(encoding string, sent []byte, most int64) ([]byte, error) {
	var (
		z   io.ReadCloser
		err error
	)
	switch strings.ToLower(encoding) {
	case "", "identity":
		return sent, nil
	case "gzip":
		z, err = gzip.NewReader(bytes.NewReader(sent))
	case "deflate", "zlib":
		z, err = zlib.NewReader(bytes.NewReader(sent))
	default:
		return nil, errEncoding
	}
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(z, most+1))
	if err = errors.Join(err, z.Close()); err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	if int64(len(data)) > most {
		return nil, longer(most)
	}
	return data, nil
}

func bodyError(err error) int {
	switch {
	case errors.Is(err, errTooLong):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, errEncoding):
		return http.StatusUnsupportedMediaType
	}
	return http.StatusBadRequest
}

// answer says that a request was kept, in its own encoding.
func answer(w http.ResponseWriter, q *http.Request, s signal, p partial) {
	if !isJSON(q) {
		send(w, typeProto, http.StatusOK, p.proto())
		return
	}
	body, err := p.json(s)
	if err != nil {
		refuse(w, q, http.StatusInternalServerError, err.Error())
		return
	}
	send(w, typeJSON, http.StatusOK, body)
}

// notNow asks a client to come again.
func notNow(w http.ResponseWriter, q *http.Request, why string) {
	w.Header().Set("Retry-After", "5")
	refuse(w, q, http.StatusServiceUnavailable, why)
}

// refuse says in the encoding of the request why it was not kept.
func refuse(w http.ResponseWriter, q *http.Request, code int, why string) {
	why = strings.ToValidUTF8(why, "\ufffd")
	r := refusal{uint32(rpcCode(code)), why}
	if !isJSON(q) {
		send(w, typeProto, code, r.proto())
		return
	}
	body, err := json.Marshal(r)
	if err != nil {
		body = nil
	}
	send(w, typeJSON, code, body)
}

func send(w http.ResponseWriter, kind string, code int, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(code)
	// A client that does not wait for the answer sends again: what it sent twice
	// has the same ids.
	_, _ = w.Write(body)
}

// rpcCode returns what gRPC says for a code of HTTP.
func rpcCode(code int) connect.Code {
	switch code {
	case http.StatusUnauthorized:
		return connect.CodeUnauthenticated
	case http.StatusForbidden:
		return connect.CodePermissionDenied
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return connect.CodeUnimplemented
	case http.StatusServiceUnavailable:
		return connect.CodeUnavailable
	case http.StatusInternalServerError:
		return connect.CodeInternal
	}
	return connect.CodeInvalidArgument
}
