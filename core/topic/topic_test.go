package topic_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/topic"
)

// TestShared holds how many words two texts share.
func TestShared(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"Round in formatCents", "format_cents(x)", 2},
		{"Format the cents.", "func formatCents()", 2},
		{"keys and policies", "the key, a policy", 2},
		{"wiring, wired, wire", "wires", 1},
		{"HTTPServer", "an http server", 2},
		{"cacheTtlSeconds becomes 900", "  cacheTtlSeconds: 900,", 4},
		{"please add a new file and use it", "add file use new", 0},
		{"use v2", "v 2", 0},
		{"不要显示完整的链接", "完整链接", 2},
		{"Кеш в памяти", "память: кеш", 1},
		{"", "x", 0},
		{strings.Repeat("x", 99), strings.Repeat("x", 99), 0},
	} {
		if got := topic.Of(tt.a).Shared(topic.Of(tt.b)); got != tt.want {
			t.Errorf("%q and %q share %d words, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestNear(t *testing.T) {
	const decided = "Topic one: pagination. Let's use cursor pagination rather than offset for listOrders."
	for later, want := range map[string]bool{
		"Back to pagination: wire the cursor through the route as ?after=.":                   true,
		"Separate thing: money formatting. We should go with Intl.NumberFormat for currency.": false,
		"":       false,
		"go on.": false,
		"The offset of the header in the sticky table is wrong by some pixels on small phones, see the photo": false,
	} {
		if got := topic.Of(decided).Near(topic.Of(later)); got != want {
			t.Errorf("%q: %v, want %v", later, got, want)
		}
	}
}

// TestBounds: a long text has no more words than count.
func TestBounds(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		text.WriteString("word" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + " ")
	}
	if n := len(topic.Of(text.String())); n != topic.Most {
		t.Errorf("%d words, want %d", n, topic.Most)
	}
}

func FuzzEach(f *testing.F) {
	f.Add("formatCents über 不要 \xff HTTPServer2")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		topic.Each(text, func(uint32) bool { n++; return true })
		if n > len(text) {
			t.Errorf("%d words in %d bytes", n, len(text))
		}
		if got := topic.Of(text).Shared(topic.Of(text)); got != len(topic.Of(text)) {
			t.Errorf("a text shares %d of its %d words with itself", got, len(topic.Of(text)))
		}
	})
}

func TestWithout(t *testing.T) {
	got := topic.Of("cursor pagination in the client").Without(topic.Of("a client of orders"))
	if want := topic.Of("cursor pagination"); !slices.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
}
