package tail_test

import (
	"testing"
	"time"

	"github.com/memscribe/memscribe/io/tail"
)

// TestInterval: scans become rarer while they find nothing, and where they are dear.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		notified  bool
		unchanged int
		took      time.Duration
		want      time.Duration
	}{
		{notified: true, unchanged: 0, want: 30 * time.Second},
		{notified: true, unchanged: 1, took: time.Millisecond, want: time.Minute},
		{notified: true, unchanged: 100, took: time.Millisecond, want: 2 * time.Minute},
		{notified: true, unchanged: 1, took: 60 * time.Millisecond, want: 5 * time.Minute},
		{notified: true, unchanged: 100, took: time.Hour, want: 10 * time.Minute},
		{notified: false, unchanged: 1, took: time.Minute, want: time.Second}, // nothing else finds changes
		{notified: false, unchanged: 100, took: time.Minute, want: 30 * time.Second},
	} {
		if got := tail.Interval(c.notified, c.unchanged, c.took); got != c.want {
			t.Errorf("notified %t, %d unchanged scans of %v: %v, want %v", c.notified, c.unchanged, c.took, got, c.want)
		}
	}
}
