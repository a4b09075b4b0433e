package decide_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/decide"
)

const asked = "All green. I could move the settings into one file.\n\nWant me to add a small cache in front of the lookup, with 500 entries?"

// FuzzTurn shows that whatever is typed, what is decided stands where it says.
func FuzzTurn(f *testing.F) {
	rules := standard(f)
	for line := range strings.Lines(pairs) {
		f.Add(line, asked)
	}
	f.Add("2", offered)
	f.Add("yes, let's go with B", table)
	f.Fuzz(func(t *testing.T, text, prev string) {
		v := taken(t, rules, decide.Input{Text: text, PrevAssistant: prev})
		for _, d := range v.Decisions {
			in := text
			if d.EpitomeInAssistant {
				in = prev
			}
			if d.Epitome == "" || !strings.HasPrefix(in[d.Offset:], d.Epitome) {
				t.Fatalf("epitome %q at %d", d.Epitome, d.Offset)
			}
			for _, m := range d.Markers {
				if !strings.HasPrefix(text[m.Offset:], m.Text) {
					t.Fatalf("marker %+v", m)
				}
			}
		}
	})
}

// TestAllocations: a judge works in memory that it uses again. What a turn takes does not
// grow with what may be named in it, and hardly with its length.
func TestAllocations(t *testing.T) {
	j := judge(t, standard(t), decide.Threshold)
	for _, c := range []struct {
		text string
		most float64
	}{
		{"Let's use Postgres instead of MySQL for the orders service.", 70},
		{"make the paddles a bit bigger? and make one paddle red and one blue, then use Postgres instead of MySQL for the orders service.", 80},
		{strings.Repeat("use a instead of b ", 1<<12), 250},
	} {
		n := testing.AllocsPerRun(20, func() {
			j.Exchange(decide.Input{Text: c.text, PrevAssistant: asked, Reply: asked, Edited: true})
		})
		if n > c.most {
			t.Errorf("%.40q takes %.0f allocations, want at most %.0f", c.text, n, c.most)
		}
	}
}

func BenchmarkTurn(b *testing.B) {
	j := judge(b, standard(b), decide.Threshold)
	for _, c := range []struct{ name, text string }{
		{"short", "Let's use Postgres instead of MySQL for the orders service."},
		{"answer", "yes, do that"},
		{"typical", "make the paddles a bit bigger? and make one paddle red and one blue, then use Postgres instead of MySQL for the orders service."},
		{"long", strings.Repeat("make the paddles a bit bigger and put the score above the field. ", 100)},
		{"endless", strings.Repeat("use a instead of b ", 1<<16)},
		{"paste", "look at this:\n" + strings.Repeat("2026-02-13T08:45:11+01:00 [x] calling claude CLI (model=sonnet)\n", 1000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				j.Exchange(decide.Input{Text: c.text, PrevAssistant: asked, Reply: asked, Edited: true})
			}
		})
	}
}

// BenchmarkModel reads the weights, which the program does at its start.
func BenchmarkModel(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decide.Model(); err != nil {
			b.Fatal(err)
		}
	}
}
