package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Versions of the protocol before 2025-06-18 have batches: a list of messages, which is
// answered with a list. Later ones do not.
const withoutBatches = "2025-06-18"

// The bounds of batches: the messages of one, and how many may wait for answers at once.
const (
	maxBatch   = 100
	maxBatches = 16
)

// maxDrain is how long a server waits for its last answers, after a client has closed its
// side.
const maxDrain = 5 * time.Second

// batchFault splits a batch into its messages and returns the ids of the calls among them. If
// anything is wrong with the batch, refused is the answer to it, and none of its messages is
// passed on: version does not have batches, there are too many messages, one of them is no
// message, or two calls have the same id.
func batchFault(message []byte, version string) (parts []json.RawMessage, calls []jsonrpc.ID, refused []byte) {
	refuse := func(reason string) ([]json.RawMessage, []jsonrpc.ID, []byte) {
		return nil, nil, refusal(jsonrpc.CodeInvalidRequest, nil, reason)
	}
	if version == "" || version >= withoutBatches {
		return refuse("batches are not part of this version of the protocol: send one message at a time")
	}
	if err := json.Unmarshal(message, &parts); err != nil || len(parts) == 0 || len(parts) > maxBatch {
		return refuse("a batch has from 1 to " + strconv.Itoa(maxBatch) + " messages")
	}
	seen := map[jsonrpc.ID]bool{}
	for i, part := range parts {
		at := "message " + strconv.Itoa(i+1) + " of the batch "
		m, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			return refuse(at + "is not a message of JSON-RPC 2.0")
		}
		r, asks := m.(*jsonrpc.Request)
		if !asks || !r.IsCall() {
			continue
		}
		if r.Method == "initialize" || seen[r.ID] {
			return refuse(at + "begins a session, or has the id of another")
		}
		seen[r.ID] = true
		calls = append(calls, r.ID)
	}
	return parts, calls, nil
}

// answers writes what the library answers, one message per call of Write. The answers to the
// calls of a batch are held until all of them are there, and then written as one list.
//
// It is shared by the goroutine that reads messages and those of the library that answer.
type answers struct {
	io.WriteCloser

	lock    sync.Mutex
	version string // that the client asks for as it begins; "" before
	waiting map[jsonrpc.ID]*batch
	batches int
	open    int           // how many calls are not answered
	drained chan struct{} // is closed when none is; nil where this is not waited for
}

// batch is a batch whose answers are not complete.
type batch struct {
	left    int
	answers []json.RawMessage
}

// Write implements [io.Writer].
func (a *answers) Write(p []byte) (int, error) {
	a.lock.Lock()
	defer a.lock.Unlock()
	m, err := jsonrpc.DecodeMessage(p)
	r, is := m.(*jsonrpc.Response)
	if err != nil || !is {
		return a.WriteCloser.Write(p)
	}
	defer a.answered()
	b := a.waiting[r.ID]
	if b == nil {
		return a.WriteCloser.Write(p)
	}
	delete(a.waiting, r.ID)
	b.answers = append(b.answers, bytes.Clone(bytes.TrimSpace(p)))
	if b.left--; b.left > 0 {
		return len(p), nil
	}
	a.batches--
	whole, err := json.Marshal(b.answers)
	if err == nil {
		_, err = a.WriteCloser.Write(append(whole, '\n'))
	}
	return len(p), err
}

// answered counts an answer.
func (a *answers) answered() {
	if a.open--; a.open <= 0 && a.drained != nil {
		close(a.drained)
		a.drained = nil
	}
}

// passes counts a call that is passed on. It keeps the version of the protocol, if a client
// begins with it.
func (a *answers) passes(message []byte) {
	m, err := jsonrpc.DecodeMessage(message)
	r, asks := m.(*jsonrpc.Request)
	if err != nil || !asks || !r.IsCall() {
		return
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	a.open++
	if r.Method == "initialize" {
		var of struct {
			Version string `json:"protocolVersion"`
		}
		_ = json.Unmarshal(r.Params, &of) // the library says what is wrong
		a.version = cmp.Or(a.version, of.Version)
	}
}

// drain waits until all calls are answered, at most maxDrain. A client that has closed its side
// may still be listening. A call that was cancelled is never answered.
func (a *answers) drain() {
	a.lock.Lock()
	if a.open <= 0 {
		a.lock.Unlock()
		return
	}
	done := make(chan struct{})
	a.drained = done
	a.lock.Unlock()
	late := time.NewTimer(maxDrain) // a call that was cancelled is not answered
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// take registers a batch and returns its messages, one per line, for the library. If the batch
// is refused, it returns the answer instead and registers nothing.
func (a *answers) take(message []byte) (lines, refused []byte) {
	a.lock.Lock()
	defer a.lock.Unlock()
	parts, calls, refused := batchFault(message, a.version)
	switch {
	case refused != nil:
		return nil, refused
	case len(calls) > 0 && a.batches == maxBatches:
		return nil, refusal(jsonrpc.CodeInvalidRequest, nil, strconv.Itoa(maxBatches)+" batches wait for answers: no more at once")
	}
	for _, id := range calls {
		if a.waiting[id] != nil {
			return nil, refusal(jsonrpc.CodeInvalidRequest, nil, "a call of the batch has the id of one that waits for its answer")
		}
	}
	if len(calls) > 0 {
		b := &batch{left: len(calls)}
		a.batches++
		a.open += len(calls)
		for _, id := range calls {
			a.waiting[id] = b
		}
	}
	for _, part := range parts {
		var line bytes.Buffer
		_ = json.Compact(&line, part) // it was decoded
		lines = append(append(lines, line.Bytes()...), '\n')
	}
	return lines, nil
}

// refuse writes an answer of our own.
func (a *answers) refuse(answer []byte) error {
	a.lock.Lock()
	defer a.lock.Unlock()
	_, err := a.WriteCloser.Write(append(answer, '\n'))
	return err
}
