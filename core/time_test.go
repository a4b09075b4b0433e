package core_test

import (
	"testing"

	"github.com/memscribe/memscribe/core"
)

// TestTimesStayInBounds reads times whose offset puts them into another year: what UTC makes
// of them has four digits for the year, or is not known.
func TestTimesStayInBounds(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"9999-12-31T23:59:59-05:00":      "",
		"9999-12-31T23:59:59.999Z":       "9999-12-31T23:59:59.999Z",
		"1970-01-01T00:00:00+05:00":      "",
		"1970-01-01T05:00:00+05:00":      "1970-01-01T00:00:00Z",
		"1969-12-31T20:00:00-05:00":      "1970-01-01T01:00:00Z",
		"2028-11-20T10:00:60.000Z":       "",
		"2028-02-30T10:00:00.000Z":       "",
		"2028-11-20T24:00:00.000Z":       "",
		"292277026596-12-04T15:30:08Z":   "",
		"2026-11-20T10:00:00.1234567899": "",
	} {
		if got := core.ParseTime(said).String(); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
		if got := core.ParseTimeBytes([]byte(said)).String(); got != want {
			t.Errorf("%s as bytes: %q, want %q", said, got, want)
		}
	}
	for _, ms := range []int64{-1, 253402300800000, 1 << 62, -1 << 62} {
		if got := core.UnixMilli(ms); !got.IsZero() {
			t.Errorf("%d ms: %s", ms, got)
		}
		if got := core.Unix(ms); !got.IsZero() && ms < 0 {
			t.Errorf("%d s: %s", ms, got)
		}
	}
}
