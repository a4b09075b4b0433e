package store_test

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkChanges looks for changes after one row of one conversation was
// written: in a small database, and in one a hundred times as large. "Nothing"
// is the look that finds the files as they were.
func BenchmarkChanges(b *testing.B) {
	for _, talks := range []int{10, 1000} {
		o := newOwner(b, "wal")
		o.do(b, `BEGIN`)
		for i := range talks {
			o.say(b, fmt.Sprintf("t%04d", i), strings.Repeat("x", 20_000), strings.Repeat("y", 20_000))
		}
		o.do(b, `COMMIT`)
		d := openDB(b, o.path, "")
		changes(b, d)
		b.Run(fmt.Sprintf("one of %d", talks), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				o.do(b, `UPDATE line SET text = text || 'z' WHERE id = (SELECT min(id) FROM line WHERE talk = 't0005')`)
				if changes(b, d) == "" {
					b.Fatal("nothing has changed")
				}
			}
		})
		b.Run(fmt.Sprintf("nothing of %d", talks), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if d.HasMoved() {
					b.Fatal("it has moved")
				}
			}
		})
	}
}
