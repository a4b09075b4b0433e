package release_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/release"
	"github.com/memscribe/memscribe/internal/signature"
)

// publisher answers with the file that a release has beside it, and keeps what it was asked.
type publisher struct {
	*httptest.Server

	key   signature.Private
	file  []byte
	asked []*http.Request
}

func newPublisher(t *testing.T, line string) *publisher {
	t.Helper()
	p := &publisher{}
	var err error
	if p.key, err = signature.NewPrivate(base64.StdEncoding.EncodeToString(make([]byte, 32))); err != nil {
		t.Fatal(err)
	}
	p.file = append([]byte(line), p.key.Sign([]byte(line), "a release")...)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.asked = append(p.asked, r)
		_, _ = w.Write(p.file)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *publisher) ask(t *testing.T, current string) (release.Newest, error) {
	t.Helper()
	return release.Latest(t.Context(), release.Question{URL: p.URL + "/memscribe.latest", Key: p.key.Public().String(), Current: current})
}

func TestLatest(t *testing.T) {
	p := newPublisher(t, "memscribe 1.10.0 2026-11-23\n")
	for current, newer := range map[string]bool{"v1.9.3": true, "v1.10.0": false, "v2.0.0": false, "v1.10.0-rc.1": true, "(devel)": false} {
		n, err := p.ask(t, current)
		if err != nil || n != (release.Newest{Current: current, Version: "v1.10.0", Date: "2026-11-23", IsNewer: newer}) {
			t.Errorf("%s: %+v, %v", current, n, err)
		}
	}
}

// TestLatestSaysNothing holds a question to what it may tell of who asks it.
func TestLatestSaysNothing(t *testing.T) {
	p := newPublisher(t, "memscribe 1.10.0 2026-11-23\n")
	if _, err := p.ask(t, "v1.9.3"); err != nil {
		t.Fatal(err)
	}
	if len(p.asked) != 1 {
		t.Fatalf("%d requests, want 1", len(p.asked))
	}
	r := p.asked[0]
	if r.Method != http.MethodGet || r.URL.String() != "/memscribe.latest" || r.ContentLength != 0 {
		t.Errorf("asked %s %s with %d bytes", r.Method, r.URL, r.ContentLength)
	}
	for name, values := range r.Header {
		if name != "User-Agent" && name != "Connection" || name == "User-Agent" && values[0] != "memscribe" {
			t.Errorf("a header %s: %q", name, values)
		}
	}
}

// TestLatestUnsigned flips every bit of an answer.
func TestLatestUnsigned(t *testing.T) {
	p := newPublisher(t, "memscribe 1.10.0 2026-11-23\n")
	whole := string(p.file)
	free := strings.Index(whole, "untrusted comment: ") // the line after that is for people
	end := free + strings.Index(whole[free:], "\n")
	for i := range len(whole) {
		if i >= free && i <= end || i == len(whole)-1 {
			continue // the last line end may be missing
		}
		p.file = []byte(whole)
		p.file[i] ^= 1
		if n, err := p.ask(t, "v1.9.3"); !errors.Is(err, signature.ErrWrong) {
			t.Fatalf("byte %d is %q: %+v, %v", i, p.file[i], n, err)
		}
	}
}

func TestLatestRefused(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"memscribe 2026-11-23\n", "names no release"},
		{"othertool 1.0.0 2026-11-23\n", "names no release"},
		{"memscribe 1.0.0 soon\n", "read date"},
		{strings.Repeat("x", 5000) + "\n", "more than 4096 bytes"},
	} {
		if _, err := newPublisher(t, tt.line).ask(t, "v1.0.0"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.20q: %v, want %q", tt.line, err, tt.want)
		}
	}
	p := newPublisher(t, "memscribe 1.0.0 2026-11-23\n")
	away := httptest.NewServer(http.RedirectHandler("http://192.0.2.1/memscribe.latest", http.StatusFound))
	defer away.Close()
	round := httptest.NewServer(http.RedirectHandler("/again", http.StatusFound))
	defer round.Close()
	for from, want := range map[string]string{
		"http://192.0.2.1/": "https://", "file:///etc/passwd": "https://", away.URL: "https://", round.URL: "more than 5 times",
		p.URL + "\x7f": "invalid",
	} {
		_, err := release.Latest(t.Context(), release.Question{URL: from, Key: p.key.Public().String()})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", from, err, want)
		}
	}
}
