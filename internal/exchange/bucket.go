package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Bucket is a bucket of S3 or of a server that speaks its protocol, or a part of one.
type Bucket struct {
	client *minio.Client
	keys   *credentials.Credentials
	name   string
	prefix string // of all names; empty, or it ends with a slash
}

// Bounds of what a server answers: the names that it lists, and how long one answer takes.
const (
	maxFiles  = 1 << 20
	maxAnswer = 10 * time.Minute
)

// ParseBucket reads s3://bucket[/folder][?endpoint=URL][&region=NAME][&profile=NAME]. What the
// address does not say stands in the variables of the AWS tools, or in their file of credentials.
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
	b := &Bucket{name: u.Host}
	if folder := strings.Trim(path.Clean("/"+u.Path), "/"); folder != "" {
		b.prefix = folder + "/"
	}
	endpoint := cmp.Or(query.Get("endpoint"), getenv("AWS_ENDPOINT_URL_S3"), getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	at, err := url.Parse(endpoint)
	if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.User != nil || strings.Trim(at.Path, "/") != "" || at.RawQuery != "" {
		return nil, errors.New("its endpoint is not of the form https://host[:port]")
	}
	b.keys = keysOf(query.Get("profile"), getenv)
	b.client, err = minio.New(at.Host, &minio.Options{
		Creds: b.keys, Secure: at.Scheme == "https", MaxRetries: 4, Transport: newBounded(),
		Region: cmp.Or(query.Get("region"), getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION")),
	})
	return b, err
}

// keysOf are the keys that the environment has, unless a profile is asked for by name; else
// those of the profile.
func keysOf(profile string, getenv func(string) string) *credentials.Credentials {
	if id := getenv("AWS_ACCESS_KEY_ID"); id != "" && profile == "" {
		return credentials.NewStaticV4(id, getenv("AWS_SECRET_ACCESS_KEY"), getenv("AWS_SESSION_TOKEN"))
	}
	return credentials.NewFileAWSCredentials(getenv("AWS_SHARED_CREDENTIALS_FILE"), cmp.Or(profile, getenv("AWS_PROFILE")))
}

// List implements [Place].
func (b *Bucket) List(ctx context.Context) ([]string, error) {
	keys, err := b.keys.GetWithContext(b.client.CredContext())
	if err != nil || keys.AccessKeyID == "" {
		return nil, fmt.Errorf("look through bucket %s: no keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor in the file of credentials", b.name)
	}
	ctx, stop := context.WithTimeout(ctx, maxAnswer) // a server may have pages without an end
	defer stop()
	var names []string
	root := b.prefix + Root + "/"
	for o := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: root, Recursive: true}) {
		switch {
		case o.Err != nil:
			return nil, fmt.Errorf("look through bucket %s: %w", b.name, o.Err)
		case len(names) == maxFiles:
			return nil, fmt.Errorf("look through bucket %s: there are more than %d files", b.name, maxFiles)
		}
		names = append(names, strings.TrimPrefix(o.Key, root))
	}
	return names, ctx.Err()
}

// Read implements [Place].
func (b *Bucket) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	o, err := b.client.GetObject(ctx, b.name, b.prefix+Root+"/"+name, minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("read shared file %s: %w", name, err)
	}
	defer o.Close()
	return readAll(o, name, most)
}

// Write implements [Place].
func (b *Bucket) Write(ctx context.Context, name string, data []byte) error {
	_, err := b.client.PutObject(ctx, b.name, b.prefix+Root+"/"+name, bytes.NewReader(data), int64(len(data)),
		minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true})
	if err != nil {
		return fmt.Errorf("write shared file: %w", err)
	}
	return nil
}

// bounded asks servers, and lets none of them answer without an end.
type bounded struct{ http.RoundTripper }

func newBounded() bounded {
	dialer := net.Dialer{Timeout: 10 * time.Second}
	return bounded{&http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: 10 * time.Second,
		ResponseHeaderTimeout: time.Minute, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 4, DisableCompression: true,
	}}
}

// RoundTrip implements [http.RoundTripper].
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, stop := context.WithTimeout(r.Context(), maxAnswer)
	answer, err := b.RoundTripper.RoundTrip(r.WithContext(ctx))
	if err != nil {
		stop()
		return nil, err
	}
	answer.Body = body{io.LimitReader(answer.Body, maxSealed+1), answer.Body, stop}
	return answer, nil
}

type body struct {
	io.Reader

	whole io.Closer
	stop  context.CancelFunc
}

func (b body) Close() error {
	defer b.stop()
	return b.whole.Close()
}
