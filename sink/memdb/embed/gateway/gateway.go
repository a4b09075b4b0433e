// Package gateway asks an OpenAI-compatible gateway for embeddings. A request and its answer:
//
//	POST https://api.example/v1/embeddings
//	{"model":"text-embedding-3-small","input":["Use cursor pagination"],"encoding_format":"float"}
//
//	{"data":[{"index":0,"embedding":[0.0123,-0.0456,…]}],…}
//
// This is the only part of MemDB that sends the content of memories to another program. It
// sends it to one address, follows no redirects, and takes only numbers from the answer;
// nothing else that the gateway says is stored or logged.
//
// The answer must have one vector for each text, all of one length. An error has the status of
// the answer and never its text, since that may repeat a memory. After 408, 429, a status of
// 500 or more, or a network error the request is repeated up to three times, after a pause that
// doubles or that Retry-After asks for.
package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/memscribe/memscribe/internal/local"
	"github.com/memscribe/memscribe/sink/memdb/embed"
)

// Options say which gateway is asked.
type Options struct {
	// URL is the address, as https://api.example/v1; the calls go to /embeddings below it.
	// Without a path that is /v1/embeddings.
	URL   string
	Model string
	Key   string // of the caller; "" is none
	// Insecure allows an address of another machine without TLS.
	Insecure bool
	// Wait is how long to wait before asking again, and twice as long each time after;
	// 0 is a quarter of a second.
	Wait time.Duration
	// Patience is how long an answer may take; 0 is ten seconds.
	Patience time.Duration
}

// The bounds of what is sent and read.
const (
	mostTexts = 64
	mostBytes = 128 << 10 // of texts, sent at once
	// A number of an answer has 24 letters at most, beside a comma.
	mostAnswer = mostTexts*embed.MaxDims*25 + 64<<10
	tries      = 4
	usualWait  = 250 * time.Millisecond
	longWait   = 10 * time.Second // longer than which a gateway is not waited for
	usualTime  = 10 * time.Second
)

// Gateway is an [embed.Gateway]. It is safe for concurrent use.
type Gateway struct {
	options Options
	url     string
	http    *http.Client
}

// New returns a Gateway. Nothing is sent yet.
func New(o Options) (*Gateway, error) {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the address of a gateway is https://host/v1 or http://127.0.0.1:port/v1")
	case u.Scheme == "http" && !local.IsLoopback(u.Hostname()) && !o.Insecure:
		return nil, errors.New("memories go to another machine by https alone, unless insecure = true")
	case o.Model == "":
		return nil, errors.New("a gateway needs the name of a model")
	}
	if u.Path = strings.TrimSuffix(u.Path, "/"); u.Path == "" {
		u.Path = "/v1"
	}
	if !strings.HasSuffix(u.Path, "/embeddings") {
		u.Path += "/embeddings"
	}
	if o.Wait == 0 {
		o.Wait = usualWait
	}
	if o.Patience == 0 {
		o.Patience = usualTime
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute,
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
	}
	return &Gateway{o, u.String(), &http.Client{
		Transport: transport,
		// What is meant for one address goes to no other.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close closes the connections that are idle.
func (g *Gateway) Close() { g.http.CloseIdleConnections() }

// Vectors implements [embed.Gateway].
func (g *Gateway) Vectors(ctx context.Context, texts []string) ([]embed.Vector, error) {
	all := make([]embed.Vector, 0, len(texts))
	for len(texts) > 0 {
		n, size := 0, 0
		for n < len(texts) && n < mostTexts && (n == 0 || size+len(texts[n]) <= mostBytes) {
			size += len(texts[n])
			n++
		}
		some, err := g.patiently(ctx, texts[:n])
		if err != nil {
			return nil, fmt.Errorf("ask for embeddings: %w", err)
		}
		if len(all) > 0 && len(some[0]) != len(all[0]) {
			return nil, errors.New("ask for embeddings: vectors of one answer have other numbers of numbers than those of another")
		}
		all, texts = append(all, some...), texts[n:]
	}
	return all, nil
}

// passing is an error that may be gone after a moment.
type passing struct {
	cause error
	wait  time.Duration // as the gateway asks for; 0 is as we like
}

// Error returns the text of the cause.
func (p *passing) Error() string { return p.cause.Error() }

// Unwrap returns the cause.
func (p *passing) Unwrap() error { return p.cause }

// patiently repeats ask until there is an answer, a permanent error, or no time left.
func (g *Gateway) patiently(ctx context.Context, texts []string) ([]embed.Vector, error) {
	wait := g.options.Wait
	for try := 1; ; try++ {
		some, err := g.ask(ctx, texts)
		p, passes := errors.AsType[*passing](err)
		if err == nil || !passes || try == tries || p.wait > longWait {
			return some, err
		}
		t := time.NewTimer(max(wait, p.wait))
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return nil, errors.Join(err, ctx.Err())
		}
		wait *= 2
	}
}

// question is the body of a request.
type question struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
}

// ask sends one request.
func (g *Gateway) ask(ctx context.Context, texts []string) ([]embed.Vector, error) {
	body, err := json.Marshal(&question{g.options.Model, texts, "float"})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, g.options.Patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if g.options.Key != "" {
		r.Header.Set("Authorization", "Bearer "+g.options.Key)
	}
	a, err := g.http.Do(r)
	if err != nil {
		return nil, &passing{cause: err}
	}
	defer a.Body.Close()
	switch {
	case a.StatusCode/100 == 3:
		return nil, fmt.Errorf("the gateway answers %d, a redirect, which is not followed", a.StatusCode)
	case a.StatusCode == http.StatusTooManyRequests || a.StatusCode == http.StatusRequestTimeout || a.StatusCode >= http.StatusInternalServerError:
		return nil, &passing{fmt.Errorf("the gateway answers %d", a.StatusCode), after(a.Header.Get("Retry-After"))}
	case a.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the gateway answers %d", a.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(a.Body, mostAnswer+1))
	if err != nil {
		return nil, &passing{cause: fmt.Errorf("read the answer: %w", err)}
	}
	if len(text) > mostAnswer {
		return nil, fmt.Errorf("the answer has more than %d bytes", mostAnswer)
	}
	return read(text, len(texts))
}

// after returns the time that Retry-After asks for, in seconds. A date counts as 0.
func after(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds < 0 || seconds > int(time.Hour/time.Second) {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// answer is what is read of an answer; other members are ignored.
type answer struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	} `json:"data"`
}

// read returns the vectors in an answer, which must be count.
func read(text []byte, count int) ([]embed.Vector, error) {
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, errors.New("the answer is not one of embeddings")
	}
	if len(a.Data) != count {
		return nil, fmt.Errorf("the answer has %d vectors for %d texts", len(a.Data), count)
	}
	all := make([]embed.Vector, count)
	for _, d := range a.Data {
		if d.Index < 0 || d.Index >= count || all[d.Index] != nil {
			return nil, errors.New("the answer has two vectors for one text")
		}
		v, err := embed.New(d.Embedding)
		if err != nil {
			return nil, fmt.Errorf("the answer: %w", err)
		}
		if all[d.Index] = v; len(v) != len(a.Data[0].Embedding) {
			return nil, errors.New("the answer has vectors of several lengths")
		}
	}
	return all, nil
}
