package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/memscribe/memscribe/internal/signature"
)

// LatestURL is where the newest release says which one it is.
const LatestURL = "https://github.com/memscribe/memscribe/releases/latest/download/memscribe.latest"

// The bounds of asking for the newest release.
const (
	maxLatest    = 4 << 10 // bytes of an answer; one has some 300
	maxRedirects = 5
	maxWait      = 10 * time.Second
)

// Question asks whether there is a newer release.
type Question struct {
	URL     string // of the file memscribe.latest
	Key     string // that signs releases, or the file it is in
	Current string // the version that runs, as v1.2.3
}

// Newest is the newest release, beside the version that runs.
type Newest struct {
	Current string `json:"current"`
	// Version is as v1.2.3, Date as 2026-11-23.
	Version string `json:"newest"`
	Date    string `json:"date"`
	// IsNewer is false for a build that is no release, such as one from a checkout.
	IsNewer bool `json:"is_newer"` // than the version that runs, as far as that is a release's
}

// Latest asks for the newest release with one GET request. The request says nothing about who
// asks: no version, no machine, no cookie, and a User-Agent without Go's version. It takes at
// most ten seconds.
//
// An answer without a valid signature by the key is an error. A valid answer can be replayed
// later by whoever controls the connection; the date shows how old it is.
func Latest(ctx context.Context, q Question) (Newest, error) {
	key, err := keyOf(q.Key)
	if err != nil {
		return Newest{}, err
	}
	answer, err := fetch(ctx, q.URL)
	if err != nil {
		return Newest{}, fmt.Errorf("ask for the newest release: %w", err)
	}
	n, err := parseLatest(answer, key)
	if err != nil {
		return Newest{}, fmt.Errorf("read answer of %s: %w", q.URL, err)
	}
	n.Current = q.Current
	n.IsNewer = semver.IsValid(q.Current) && semver.Compare(n.Version, q.Current) > 0
	return n, nil
}

// parseLatest reads a line "memscribe 1.2.3 2026-11-23" and its signature in minisign's
// form, which follows it.
func parseLatest(answer []byte, key signature.Public) (n Newest, err error) {
	line, sig, _ := strings.Cut(string(answer), "\n")
	if _, err = key.Check([]byte(line+"\n"), []byte(sig)); err != nil {
		return n, err
	}
	fields := strings.Fields(line)
	if len(fields) != 3 || fields[0] != "memscribe" || !semver.IsValid("v"+fields[1]) {
		return n, fmt.Errorf("%q names no release", line)
	}
	if _, err = time.Parse(time.DateOnly, fields[2]); err != nil {
		return n, fmt.Errorf("read date of release: %w", err)
	}
	return Newest{Version: "v" + fields[1], Date: fields[2]}, nil
}

// fetch gets a small file: 4 KiB at most. Redirects are followed five times, to addresses that
// [checkAddress] allows, and without a Referer.
func fetch(ctx context.Context, from string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, http.NoBody)
	if err != nil {
		return nil, err
	}
	if err = checkAddress(req.URL); err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "memscribe") // Go's own says which version of Go it is
	client := http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			next.Header.Del("Referer")
			if len(before) >= maxRedirects {
				return fmt.Errorf("redirected more than %d times", maxRedirects)
			}
			return checkAddress(next.URL)
		},
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", from, resp.Status)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxLatest+1))
	if err == nil && len(b) > maxLatest {
		err = fmt.Errorf("the answer has more than %d bytes", maxLatest)
	}
	return b, err
}

// checkAddress allows https, and plain http only to this machine, where tests and mirrors
// listen.
func checkAddress(u *url.URL) error {
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
		return nil
	}
	return errors.New("the address has to begin with https://")
}
