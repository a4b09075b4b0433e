package mcpserver

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The library ends a session at the first message that it cannot decode. Therefore all messages are
// decoded here first. One that cannot be decoded is answered with an error of JSON-RPC and not
// passed on to the library.

// fault returns the answer to a message that cannot be decoded, or nil if it can be.
func fault(message []byte) []byte {
	switch {
	case len(message) > maxMessage:
		return refusal(jsonrpc.CodeInvalidRequest, nil, "a message has at most "+strconv.Itoa(maxMessage)+" bytes")
	case !utf8.Valid(message):
		return refusal(jsonrpc.CodeParseError, nil, "not UTF-8")
	case !json.Valid(message):
		return refusal(jsonrpc.CodeParseError, nil, "not one JSON value on a line")
	case message[0] == '[':
		return nil // its messages are looked at one by one
	}
	if _, err := jsonrpc.DecodeMessage(message); err != nil {
		var of struct{ ID json.RawMessage }
		_ = json.Unmarshal(message, &of) // without an id the answer has none
		return refusal(jsonrpc.CodeInvalidRequest, of.ID, "not a message of JSON-RPC 2.0")
	}
	return nil
}

// refusal returns an error of JSON-RPC. The id must be a number or a string; others are left out.
func refusal(code int64, id json.RawMessage, reason string) []byte {
	if len(id) == 0 || id[0] != '"' && id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		id = json.RawMessage("null")
	}
	type problem struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	b, _ := json.Marshal(struct { // nothing in it can fail
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   problem         `json:"error"`
	}{"2.0", id, problem{code, reason}})
	return b
}

// frames reads the messages of a client, one per line, and passes on those that can be decoded.
// A longer line than maxMessage is read to its end and answered with an error; at most
// maxMessage bytes and a buffer of 64 KiB are kept.
type frames struct {
	from    *bufio.Reader
	answer  *answers
	line    []byte // the current message
	pending []byte // the part of line that was not passed on yet
}

// newFrames returns frames that read from one stream and write errors to another one.
func newFrames(from io.Reader, answer *answers) *frames {
	return &frames{from: bufio.NewReaderSize(from, 64<<10), answer: answer}
}

// Read implements [io.Reader].
func (f *frames) Read(p []byte) (int, error) {
	for len(f.pending) == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.pending)
	f.pending = f.pending[n:]
	return n, nil
}

// next reads a line. The last line needs no line end.
func (f *frames) next() error {
	f.line = f.line[:0]
	var err error
	for more := true; more; {
		var piece []byte
		piece, err = f.from.ReadSlice('\n')
		if more = errors.Is(err, bufio.ErrBufferFull); len(f.line) <= maxMessage {
			f.line = append(f.line, piece...)
		}
	}
	message := bytes.TrimSpace(f.line)
	if len(message) == 0 {
		if errors.Is(err, io.EOF) {
			f.answer.drain()
		}
		return err
	}
	refused := fault(message)
	if refused == nil && message[0] == '[' {
		if f.pending, refused = f.answer.take(message); refused == nil {
			return nil
		}
	}
	if refused != nil {
		if failed := f.answer.refuse(refused); failed != nil {
			return failed
		}
		return err
	}
	f.answer.passes(message)
	f.pending = append(message, '\n') // in place: it ends where the line did, or before
	return nil
}

// decodable answers requests whose message cannot be decoded, and passes on the others.
func decodable(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			h.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage+1))
		if _, long := errors.AsType[*http.MaxBytesError](err); err != nil && !long {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		refused, status := refusal(jsonrpc.CodeParseError, nil, "there is no message"), http.StatusBadRequest
		if message := bytes.TrimSpace(body); len(message) > 0 {
			if refused = fault(message); refused == nil && message[0] == '[' {
				// A client of the version with batches may leave the header out.
				_, _, refused = batchFault(message, cmp.Or(r.Header.Get("MCP-Protocol-Version"), "2025-03-26"))
			}
		}
		if len(body) > maxMessage {
			status = http.StatusRequestEntityTooLarge
		}
		if refused == nil {
			r.Body = io.NopCloser(bytes.NewReader(body))
			h.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(refused) // the client has gone
	})
}
