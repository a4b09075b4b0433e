package markup_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/markup"
)

type name string

func (n name) String() string { return "<" + string(n) + ">" }

func TestPut(t *testing.T) {
	var p markup.Page
	p.Put(`<p title="%s">100%: %s, %s, %s, %s</p>`, `" onclick='x'`, "a<b\x00", name("n"), markup.Text("<br>"), int64(7))
	got, err := p.Bytes()
	const want = `<p title="&#34; onclick=&#39;x&#39;">100%: a&lt;b` + "\uFFFD" + `, &lt;n&gt;, <br>, 7</p>`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

// TestPutWrong has calls that no page may be made by.
func TestPutWrong(t *testing.T) {
	for _, tt := range []struct {
		format string
		args   []any
		want   string
	}{
		{"<p>%s</p>", nil, "missing"},
		{"<p></p>", []any{"x"}, "fewer places"},
		{"<p>%s</p>", []any{[]byte("<script>")}, "is no text"},
	} {
		var p markup.Page
		p.Put(tt.format, tt.args...)
		if _, err := p.Bytes(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Put(%q, %q): %v, want %q", tt.format, tt.args, err, tt.want)
		}
	}
}
