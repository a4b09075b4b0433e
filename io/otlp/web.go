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

// handler returns the handler for requests over HTTP.
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

// serve handles one request.
//
// Cheap checks come first: method, token, origin and type are checked before the body is read.
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
	// A request gets its slot after it was received, so that a slow client takes none.
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
	body.Close() // its memory now counts as memory for processing
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

// read decompresses and reads a request.
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

// refused returns the status and the reason for refusing a request before it is read; code is 0 if
// it is accepted. A web page must not be able to write here: its requests have another host name,
// or an Origin.
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

// isToken reports whether a header has the token, in constant time.
func (r *Receiver) isToken(header string) bool {
	const scheme = "bearer "
	if len(header) < len(scheme) || !strings.EqualFold(header[:len(scheme)], scheme) {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(header[len(scheme):]), []byte(r.token)) == 1
}

// isJSON reports whether a request has the type of JSON.
func isJSON(q *http.Request) bool {
	kind, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	return err == nil && kind == typeJSON
}

var (
	errTooLong  = errors.New("longer than")
	errEncoding = errors.New("unknown content encoding: use gzip or none")
)

// longer returns the error for a request over the limit.
func longer(limit int64) error { return fmt.Errorf("%w %d bytes", errTooLong, limit) }

// receive reads the body of a request. Its memory counts until the body is closed.
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

// decompress removes the content encoding of a request; the result has at most most bytes.
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

// bodyError returns the status for an error of reading a body.
func bodyError(err error) int {
	switch {
	case errors.Is(err, errTooLong):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, errEncoding):
		return http.StatusUnsupportedMediaType
	}
	return http.StatusBadRequest
}

// answer answers that a request was kept, in the encoding of the request.
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

// notNow answers 503, so that the client sends the request again.
func notNow(w http.ResponseWriter, q *http.Request, why string) {
	w.Header().Set("Retry-After", "5")
	refuse(w, q, http.StatusServiceUnavailable, why)
}

// refuse answers why a request was not kept, in the encoding of the request.
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

// send writes an answer.
func send(w http.ResponseWriter, kind string, code int, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(code)
	// A client that does not get the answer sends the request again; the events then have the
	// same ids.
	_, _ = w.Write(body)
}

// rpcCode returns the gRPC code for a status of HTTP.
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
