package core_test

import (
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
