package httpbody_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/httpbody"
)

func request(t *testing.T, body io.Reader) *http.Request {
	t.Helper()
	return httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body)
}

// TestSlowestIsGivenUp fills a pool by bodies that come slowly. One that comes at
// once is read to its end; the slowest is given up for it, and no more than that.
func TestSlowestIsGivenUp(t *testing.T) {
	now := time.Unix(0, 0)
	for name, limits := range map[string]httpbody.Limits{
		"by bytes": {Bytes: 400, Most: 100}, "by number": {Bytes: 1 << 20, Most: 3},
	} {
		t.Run(name, func(t *testing.T) {
			limits.Now = func() time.Time { return now }
			p := httpbody.New(limits)
			slow := make([]*httpbody.Body, 3)
			for i := range slow {
				now = now.Add(time.Minute)
				slow[i] = p.Open(httptest.NewRecorder(), request(t, strings.NewReader(strings.Repeat("x", 200))), 1000)
				if n, err := io.ReadFull(slow[i], make([]byte, 100)); n != 100 || err != nil {
					t.Fatal(n, err)
				}
			}
			now = now.Add(time.Minute)
			quick := p.Open(httptest.NewRecorder(), request(t, strings.NewReader(strings.Repeat("y", 150))), 1000)
			got, err := io.ReadAll(quick)
			if len(got) != 150 || err != nil {
				t.Errorf("the quick one: %d bytes, %v", len(got), err)
			}
			if err := quick.Close(); err != nil {
				t.Error(err)
			}
			if _, err := slow[0].Read(make([]byte, 10)); !errors.Is(err, httpbody.ErrSlow) {
				t.Errorf("the slowest: %v", err)
			}
			for i, b := range slow[1:] {
				if got, err := io.ReadAll(b); len(got) != 100 || err != nil {
					t.Errorf("slow %d: %d bytes, %v", i+1, len(got), err)
				}
			}
		})
	}
}

// TestClosedBodiesDoNotCount reads more than a pool holds, one after another.
func TestClosedBodiesDoNotCount(t *testing.T) {
	p := httpbody.New(httpbody.Limits{Bytes: 100, Most: 1, Now: func() time.Time { return time.Unix(0, 0) }})
	for range 20 {
		b := p.Open(httptest.NewRecorder(), request(t, strings.NewReader(strings.Repeat("x", 90))), 1000)
		if got, err := io.ReadAll(b); len(got) != 90 || err != nil {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		for range 2 {
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestTooLong(t *testing.T) {
	p := httpbody.New(httpbody.Limits{Bytes: 1 << 20, Most: 1, Now: time.Now})
	b := p.Open(httptest.NewRecorder(), request(t, strings.NewReader("four")), 3)
	var long *http.MaxBytesError
	if _, err := io.ReadAll(b); !errors.As(err, &long) {
		t.Errorf("got %v", err)
	}
}

// TestWholeBodiesCount: what was read to its end counts until it is closed, and is not
// given up for what comes.
func TestWholeBodiesCount(t *testing.T) {
	p := httpbody.New(httpbody.Limits{Bytes: 300, Most: 10, Now: func() time.Time { return time.Unix(0, 0) }})
	open := func() *httpbody.Body {
		return p.Open(httptest.NewRecorder(), request(t, strings.NewReader(strings.Repeat("x", 200))), 1000)
	}
	first := open()
	if got, err := io.ReadAll(first); len(got) != 200 || err != nil || !first.Whole() {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if _, err := io.ReadAll(open()); !errors.Is(err, httpbody.ErrSlow) {
		t.Errorf("a second one, for which there is no room: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if got, err := io.ReadAll(open()); len(got) != 200 || err != nil {
		t.Errorf("once the first is closed: %d bytes, %v", len(got), err)
	}
}
