package core_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// TestEnding cuts texts of every kind of piece and holds their ends to those of
// the whole ones.
func TestEnding(t *testing.T) {
	pieces := []string{`\\`, `\"`, `\n`, `\u0041`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, "a", "word ", "é", "😀", "\xff"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		favourite := pieces[r.IntN(len(pieces))] // long runs of one are what goes wrong
		for range r.IntN(60) {
			if p := pieces[r.IntN(len(pieces))]; r.IntN(3) == 0 {
				b.WriteString(p)
			} else {
				b.WriteString(favourite)
			}
		}
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(`"` + b.String() + `"`)); err != nil {
			t.Fatal(err)
		}
		for _, text := range []core.Text{core.Token(doc.Root()), core.Plain(b.String())} {
			whole := text.String()
			for n := range 20 {
				end := text.Ending(n).String()
				if min(n, len(whole)) > len(end) || whole[len(whole)-min(n, len(whole)):] != end[len(end)-min(n, len(whole)):] {
					t.Fatalf("the last %d bytes of %q are %q", n, whole, end)
				}
				if size := text.Ending(n).Size(); size > 6*n+6 {
					t.Fatalf("%d bytes are looked at for the last %d", size, n)
				}
			}
		}
	}
}

// TestBeginning shows that a beginning is one, wherever the text is cut: in front of
// an escape, within one, within a character.
func TestBeginning(t *testing.T) {
	const whole = "a\\\"é\u0001\\\\日本😀b\n"
	for _, times := range []int{1, 2, 40} {
		text := strings.Repeat(whole, times)
		for n := 1; n < 40; n++ {
			got := core.Plain(text).Beginning(n).String()
			if !strings.HasPrefix(text, got) || len(got) > n && n < len(text) || len(got) < min(n, len(text))-3 {
				t.Fatalf("the first %d bytes of %q are %q", n, text, got)
			}
			quoted, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			var doc jsondoc.Doc
			if _, err := doc.Parse(quoted); err != nil {
				t.Fatal(err)
			}
			if got := core.Token(doc.Root()).Beginning(n).String(); !strings.HasPrefix(text, got) || len(got) < min(n, len(text)) {
				t.Fatalf("the first %d bytes of %s are %q", n, quoted, got)
			}
		}
	}
}
