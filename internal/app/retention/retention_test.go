package retention_test

import (
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/app/retention"
)

// TestSpan: a span is read as it is printed, and begins with a day.
func TestSpan(t *testing.T) {
	now := time.Date(2026, 11, 20, 15, 4, 5, 0, time.UTC)
	for text, want := range map[string]string{
		"1d": "2026-11-19", "48h": "2026-11-18", "2w": "2026-11-06", "forever": "0001-01-01",
	} {
		var s, again retention.Span
		if err := s.Set(text); err != nil || again.Set(s.String()) != nil || again != s {
			t.Errorf("%s: printed as %s, %v", text, s.String(), err)
		}
		if got := s.Since(now).Format("2006-01-02"); got != want || s.Since(now).Hour() != 0 {
			t.Errorf("%s: since %s, want %s", text, s.Since(now), want)
		}
	}
	for _, text := range []string{"", "0d", "36h", "-1d", "soon", "1y"} {
		var s retention.Span
		if err := s.Set(text); err == nil {
			t.Errorf("%q is read as %s", text, s.String())
		}
	}
	var o retention.Options
	if !o.Horizon(now).IsZero() {
		t.Error("what is kept for ever has a horizon")
	}
}
