// Package client is the HTTP client of MemDB.
//
// A [Client] validates what it sends and what it gets. It follows no redirect, so a memory goes
// to the server that was named and to no other. A call takes at most two minutes.
//
//	Write, WriteEncoded     POST   /v1/namespaces/{ns}/memories    all or none
//	PutNamespace            PUT    /v1/namespaces/{ns}
//	Search                  POST   /v1/search
//	Forget, ForgetAll       DELETE /v1/memories/{id}?namespace={ns}
//	Health, HealthAt        GET    /v1/health
//
// A refusal of the server is an [api.Problem]. Any other error says nothing about the memories:
// the spool repeats the write with the same ids, and the server answers as the first time.
package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
)

// Options say which server is meant.
type Options struct {
	URL   string // http or https, with host and port
	Token string // what the server wants to see; "" is nothing
	// Own proves to a server without tokens that the client has its state folder; nil:
	// it does not.
	Own *access.Own
	// HTTP makes the connections; nil: one that keeps them and gives up on a
	// call after two minutes.
	HTTP *http.Client
}

// Client makes calls. It may be used by several goroutines.
type Client struct {
	base  string
	token string
	own   *access.Own
	http  *http.Client
}

// callTime is how long a call may take.
const callTime = 2 * time.Minute

// New returns a Client.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return nil, errors.New("the address of a server is http://host:port or https://host:port")
	}
	c := &Client{base: strings.TrimSuffix(u.String(), "/"), token: o.Token, own: o.Own, http: o.HTTP}
	if c.http == nil {
		transport := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second}
		c.http = &http.Client{Timeout: callTime, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a memory goes where it was sent, and nowhere else
		}}
	}
	return c, nil
}

// Close closes the connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Write writes memories, all or none.
func (c *Client) Write(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error) {
	batch := api.Batch{Memories: memories}
	body, err := encode(&batch)
	if err != nil {
		return nil, err
	}
	return c.write(ctx, namespace, body, len(memories))
}

// WriteEncoded is Write for memories that have been validated and encoded.
func (c *Client) WriteEncoded(ctx context.Context, namespace string, memories [][]byte) ([]api.WriteResult, error) {
	body := append([]byte(`{"memories":[`), bytes.Join(memories, []byte(","))...)
	return c.write(ctx, namespace, append(body, "]}"...), len(memories))
}

// write sends one batch. The server must answer for each memory in it.
func (c *Client) write(ctx context.Context, namespace string, body []byte, count int) ([]api.WriteResult, error) {
	var result api.BatchResult
	if err := c.call(ctx, request{http.MethodPost, "/v1/namespaces/" + url.PathEscape(namespace) + "/memories", body}, &result); err != nil {
		return nil, fmt.Errorf("write memories: %w", err)
	}
	if len(result.Results) != count {
		return nil, fmt.Errorf("write memories: %d were written, and the answer is about %d", count, len(result.Results))
	}
	return result.Results, nil
}

// encode makes the body of a request.
func encode(v api.Wire) ([]byte, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	return api.Append(nil, v)
}

// EnsureNamespace makes a namespace, if it is not there. One that is there is
// left alone.
func (c *Client) EnsureNamespace(ctx context.Context, name string, put api.NamespacePut) error {
	// A search for nothing in it says whether it is there.
	ask := api.SearchRequest{Namespaces: []string{name}, Limit: 1, To: "1970-01-01T00:00:00Z"}
	var found api.SearchResponse
	body, err := encode(&ask)
	if err == nil {
		err = c.call(ctx, request{http.MethodPost, "/v1/search", body}, &found)
	}
	if api.IsKind(err, api.NotFound) {
		return c.PutNamespace(ctx, name, put)
	}
	if api.IsKind(err, api.Forbidden) {
		return nil // a token that may only write: a write will say whether it is there
	}
	if err != nil {
		return fmt.Errorf("ask for namespace %s: %w", name, err)
	}
	return nil
}

// PutNamespace makes a namespace, or makes it what is wanted.
func (c *Client) PutNamespace(ctx context.Context, name string, put api.NamespacePut) error {
	var n api.Namespace
	body, err := encode(&put)
	if err == nil {
		err = c.call(ctx, request{http.MethodPut, "/v1/namespaces/" + url.PathEscape(name), body}, &n)
	}
	if err != nil {
		return fmt.Errorf("put namespace %s: %w", name, err)
	}
	return nil
}

// Health asks whether the server is there.
func (c *Client) Health(ctx context.Context) (h api.Health, err error) {
	if err = c.call(ctx, request{method: http.MethodGet, path: "/v1/health"}, &h); err != nil {
		return h, fmt.Errorf("ask for health: %w", err)
	}
	return h, nil
}

// HealthAt is Health, and asks for the hash of an entry of the chain.
func (c *Client) HealthAt(ctx context.Context, seq int64) (h api.Health, err error) {
	if err = c.call(ctx, request{method: http.MethodGet, path: "/v1/health?at=" + strconv.FormatInt(seq, 10)}, &h); err != nil {
		return h, fmt.Errorf("ask for health: %w", err)
	}
	return h, nil
}

// Search asks for memories.
func (c *Client) Search(ctx context.Context, r api.SearchRequest) (found api.SearchResponse, err error) {
	body, err := encode(&r)
	if err == nil {
		err = c.call(ctx, request{http.MethodPost, "/v1/search", body}, &found)
	}
	if err != nil {
		return found, fmt.Errorf("search: %w", err)
	}
	return found, nil
}

// Forget has the server forget what a memory said.
func (c *Client) Forget(ctx context.Context, namespace, id string) error {
	path := "/v1/memories/" + url.PathEscape(id) + "?namespace=" + url.QueryEscape(namespace)
	if err := c.call(ctx, request{method: http.MethodDelete, path: path}, nil); err != nil {
		return fmt.Errorf("forget memory %s: %w", id, err)
	}
	return nil
}

// forgetAtOnce is how many memories a server is asked to forget at the same time: it takes the
// words of all of them out of its index together.
const forgetAtOnce = 16

// ForgetAll has the server forget memories, and returns how many it did.
func (c *Client) ForgetAll(ctx context.Context, namespace string, ids []string) (n int, err error) {
	for some := range slices.Chunk(ids, forgetAtOnce) {
		var all sync.WaitGroup
		errs := make([]error, len(some))
		for i, id := range some {
			all.Go(func() {
				errs[i] = panics.Caught(func() error { return c.Forget(ctx, namespace, id) })
			})
		}
		all.Wait()
		for _, failed := range errs {
			if failed == nil {
				n++
			}
		}
		if err = errors.Join(errs...); err != nil {
			return n, err
		}
	}
	return n, nil
}

// request is what is sent; it is kept to be sent again.
type request struct {
	method, path string
	body         []byte
}

// call makes a call. What the server refuses is an [api.Problem]. Without an answer that is
// wanted, none is read.
func (c *Client) call(ctx context.Context, r request, answer api.Wire) error {
	if len(r.body) > api.MaxBody {
		return api.NewProblem(api.TooLarge, "a request may have %d bytes", api.MaxBody)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, bytes.NewReader(r.body))
	if err != nil {
		return err
	}
	if len(r.body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.own != nil {
		given, failed := c.own.Prove(r.method, r.path, r.body)
		if failed != nil {
			return failed
		}
		req.Header.Set(access.ProofHeader, given)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, 4*api.MaxBody))
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return err
	}
	return judge(res, text, answer)
}

// judge reads an answer. One that is not of the contract is from somebody else,
// as a proxy: it says nothing about the memories.
func judge(res *http.Response, text []byte, answer api.Wire) error {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")) // "" is another kind
	if res.StatusCode >= http.StatusOK && res.StatusCode < http.StatusMultipleChoices {
		if answer == nil {
			return nil
		}
		// An answer that cannot be read is no refusal.
		if err := api.Peek(text, answer); err != nil {
			return errors.New("the server's answer is not of the contract: " + err.Error())
		}
		return nil
	}
	var p api.Problem
	if kind == api.ProblemType && api.Peek(text, &p) == nil && p.Status == res.StatusCode {
		return &p
	}
	return fmt.Errorf("the server answers %s", res.Status)
}
