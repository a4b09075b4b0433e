package compress_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/compress"
)

const longest = 1 << 20

func tools(t *testing.T) (*compress.Packer, *compress.Unpacker) {
	t.Helper()
	p, err := compress.NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	u, err := compress.NewUnpacker(longest)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(u.Close)
	return p, u
}

// TestRoundTrip: what was packed comes back, and is never longer than it was.
func TestRoundTrip(t *testing.T) {
	p, u := tools(t)
	for name, tc := range map[string]struct {
		text   string
		packed bool
	}{
		"nothing":           {"", false},
		"short":             {"yes, do that", false},
		"repetitive":        {strings.Repeat("the same words again ", 60), true},
		"as long as may be": {strings.Repeat("0123456789abcdef", longest/16), true},
	} {
		b := p.Pack([]byte("before"), tc.text)[len("before"):]
		packed := len(b) < len(tc.text)
		if packed != tc.packed || len(b) > len(tc.text) {
			t.Errorf("%s: packed %v into %d bytes of %d", name, packed, len(b), len(tc.text))
		}
		back := string(b)
		if packed {
			var err error
			if back, err = u.Unpack(b); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if back != tc.text {
			t.Errorf("%s: comes back as %d bytes of %d", name, len(back), len(tc.text))
		}
	}
}

// TestBounds: a few bytes that would become very many are refused, as is what is no
// packed text.
func TestBounds(t *testing.T) {
	p, u := tools(t)
	bomb := p.Pack(nil, strings.Repeat("a", 64*longest))
	if len(bomb) > longest/10 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	for name, b := range map[string][]byte{"a bomb": bomb, "something else": []byte("hello, this is text"), "a piece": bomb[:len(bomb)/2]} {
		if text, err := u.Unpack(b); err == nil {
			t.Errorf("%s became %d bytes", name, len(text))
		}
	}
}
