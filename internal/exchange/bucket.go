package exchange

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	signer "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Bucket is a place in a bucket of S3, or of a server that speaks its protocol. It serves one
// goroutine, since it remembers the region in which it found the bucket.
type Bucket struct {
	client   *http.Client
	keys     func() (aws.Credentials, error)
	endpoint url.URL // of the server; without a host it is Amazon's of the region
	region   string
	name     string
	prefix   string // of all names; empty, or it ends with a slash
}

// Bounds of what a server answers: the names that it lists, how long one answer takes, how many
// bytes a page of names and an error have, how often it is asked.
const (
	maxFiles  = 1 << 20
	maxAnswer = 10 * time.Minute
	maxPage   = 8 << 20 // a thousand names of 1,024 bytes, with what is said of each
	maxError  = 64 << 10
	maxTries  = 5
)

// ParseBucket reads s3://bucket[/folder][?endpoint=URL][&region=NAME][&profile=NAME]. What the
// address does not say is in the variables of the AWS tools, or in their file of credentials.
//
// Environment: AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL,
// and the keys that keysOf reads. Keys are read at each request, so that they may be
// renewed meanwhile.
func ParseBucket(address string, getenv func(string) string) (*Bucket, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return nil, errors.New("not of the form s3://bucket[/folder][?endpoint=URL][&region=NAME][&profile=NAME]")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, err
	}
	for name := range query {
		if name != "endpoint" && name != "region" && name != "profile" {
			return nil, fmt.Errorf("it has %q: endpoint, region and profile are known", name)
		}
	}
	b := &Bucket{
		client: newClient(), name: u.Host,
		region: cmp.Or(query.Get("region"), getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"), "us-east-1"),
		keys:   func() (aws.Credentials, error) { return keysOf(query.Get("profile"), getenv) },
	}
	if folder := strings.Trim(path.Clean("/"+u.Path), "/"); folder != "" {
		b.prefix = folder + "/"
	}
	if endpoint := cmp.Or(query.Get("endpoint"), getenv("AWS_ENDPOINT_URL_S3"), getenv("AWS_ENDPOINT_URL")); endpoint != "" {
		at, err := url.Parse(endpoint)
		if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.User != nil || strings.Trim(at.Path, "/") != "" || at.RawQuery != "" {
			return nil, errors.New("its endpoint is not of the form https://host[:port]")
		}
		b.endpoint = url.URL{Scheme: at.Scheme, Host: at.Host}
	}
	return b, nil
}

// List implements [Place].
func (b *Bucket) List(ctx context.Context) ([]string, error) {
	ctx, stop := context.WithTimeout(ctx, maxAnswer) // a server may have pages without an end
	defer stop()
	var names []string
	root := b.prefix + Root + "/"
	for next := ""; ; {
		query := url.Values{"list-type": {"2"}, "encoding-type": {"url"}, "prefix": {root}}
		if next != "" {
			query.Set("continuation-token", next)
		}
		text, err := b.ask(ctx, http.MethodGet, "", query, nil, maxPage)
		if err != nil {
			return nil, fmt.Errorf("look through bucket %s: %w", b.name, err)
		}
		var page struct {
			EncodingType          string
			NextContinuationToken string
			Contents              []struct{ Key string }
		}
		if err = xml.Unmarshal(text, &page); err != nil {
			return nil, fmt.Errorf("look through bucket %s: its list: %w", b.name, err)
		}
		for _, c := range page.Contents {
			key := c.Key
			if page.EncodingType == "url" {
				if key, err = url.QueryUnescape(key); err != nil {
					return nil, fmt.Errorf("look through bucket %s: its list: %w", b.name, err)
				}
			}
			if len(names) == maxFiles {
				return nil, fmt.Errorf("look through bucket %s: there are more than %d files", b.name, maxFiles)
			}
			names = append(names, strings.TrimPrefix(key, root))
		}
		if next = page.NextContinuationToken; next == "" {
			return names, nil
		}
	}
}

// Read implements [Place].
func (b *Bucket) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	data, err := b.ask(ctx, http.MethodGet, b.prefix+Root+"/"+name, nil, nil, most)
	if err != nil {
		return nil, fmt.Errorf("read shared file %s: %w", name, err)
	}
	return data, nil
}

// Write implements [Place].
func (b *Bucket) Write(ctx context.Context, name string, data []byte) error {
	if _, err := b.ask(ctx, http.MethodPut, b.prefix+Root+"/"+name, nil, data, maxError); err != nil {
		return fmt.Errorf("write shared file: %w", err)
	}
	return nil
}

// ask sends a request until the server has done it or refuses it, and returns the answer; an
// answer of more than most bytes is an error. It tries at most five times, with 0.2, 0.4, 0.8 …
// seconds and up to 0.1 s more between the tries. Refusals (4xx other than 429) are final. A
// bucket in another region is asked there at once.
//
// All requests are safe to repeat: a file is written whole and never changed.
func (b *Bucket) ask(ctx context.Context, method, key string, query url.Values, data []byte, most int64) (answer []byte, err error) {
	for try := range maxTries {
		if answer, err = b.askOnce(ctx, method, key, query, data, most); err == nil {
			return answer, nil
		}
		wait := 200*time.Millisecond<<try + rand.N(100*time.Millisecond)
		refused := new(refusedError)
		switch said := errors.As(err, &refused); {
		case said && refused.region != "" && refused.region != b.region:
			b.region, wait = refused.region, 0 // a bucket is asked for where it is
		case said && refused.status < http.StatusInternalServerError && refused.status != http.StatusTooManyRequests:
			return nil, err
		case !said && !broken(err):
			return nil, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, err
		case <-timer.C:
		}
	}
	return nil, err
}

// broken reports whether an error is one of the connection, so that another connection may
// succeed. A deadline is none: the next try would wait as long.
func broken(err error) bool {
	return (errors.As(err, new(*url.Error)) || errors.Is(err, io.ErrUnexpectedEOF)) && !errors.Is(err, context.DeadlineExceeded)
}

// refusedError is the answer of a server that did not do what it was asked.
type refusedError struct {
	status int
	region string // where the bucket is, if the server says it

	Code    string
	Message string
}

// Error returns status, code and message of the server's answer.
func (e *refusedError) Error() string {
	return fmt.Sprintf("the server answers %d %s: %s", e.status, cmp.Or(e.Code, http.StatusText(e.status)), cmp.Or(e.Message, "it gives no reason"))
}

// askOnce sends one signed request, with a deadline of maxAnswer and a bound on the answer. A
// status other than 200 is a *refusedError.
func (b *Bucket) askOnce(ctx context.Context, method, key string, query url.Values, data []byte, most int64) ([]byte, error) {
	keys, err := b.keys()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, maxAnswer)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, method, b.address(key, query), bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:])
	request.Header.Set("X-Amz-Content-Sha256", hash)
	now := time.Now() //nolint:forbidigo // a signature is good for some minutes of the server's clock
	err = signer.NewSigner().SignHTTP(ctx, keys, request, hash, "s3", b.region, now,
		func(o *signer.SignerOptions) { o.DisableURIPathEscaping = true })
	if err != nil {
		return nil, err
	}
	response, err := b.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		refused := &refusedError{status: response.StatusCode, region: response.Header.Get("X-Amz-Bucket-Region")}
		text, _ := io.ReadAll(io.LimitReader(response.Body, maxError))
		_ = xml.Unmarshal(text, refused) // not every server gives a reason
		return nil, refused
	}
	return readAll(response.Body, cmp.Or(key, b.name), most)
}

// address returns the URL of a key: below the bucket's name on servers other than Amazon's, and
// at Amazon's host of that name. A name with dots is in the path there too, because the
// host's certificate covers one label only.
func (b *Bucket) address(key string, query url.Values) string {
	at := b.endpoint
	at.Path = "/" + b.name + "/" + key
	if at.Host == "" {
		at = url.URL{Scheme: "https", Host: "s3." + b.region + ".amazonaws.com", Path: at.Path}
		if !strings.Contains(b.name, ".") { // its certificate is for one name below
			at.Host, at.Path = b.name+"."+at.Host, "/"+key
		}
	}
	at.RawPath = escaped(at.Path)
	at.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	return at.String()
}

// escaped returns a path as the protocol signs it: of all but letters, digits and -._~/ each byte.
func escaped(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(url.QueryEscape(p), "+", "%20")
	}
	return strings.Join(parts, "/")
}

// newClient returns a client that follows no redirects: a signed request must not reach another
// host.
func newClient() *http.Client {
	dialer := net.Dialer{Timeout: 10 * time.Second}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second,
			ResponseHeaderTimeout: time.Minute, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 4, DisableCompression: true,
			MaxResponseHeaderBytes: maxError,
		},
	}
}
