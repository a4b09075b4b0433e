package source_test

import (
	"testing"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/budget"
)

// TestMemory: sizes are read as they are printed, and none that is too small to
// work with.
func TestMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"512MiB": 512 << 20, "1GiB": 1 << 30, "524288KiB": 512 << 20, "536870912B": 512 << 20, "536870912": 512 << 20,
		"255MiB": 0, "0": 0, "": 0, "-1GiB": 0, "1.5GiB": 0, "1TB": 0, "9999999999999GiB": 0,
	} {
		var m source.Memory
		err := m.Set(text)
		if int64(m) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v; want %d", text, m, err, want)
		}
		var again source.Memory
		if err == nil && (again.Set(m.String()) != nil || again != m) {
			t.Errorf("%q is printed as %q and read as %d", text, m.String(), again)
		}
	}
}

// TestBudget: the flag beats the limit of Go's runtime, and that beats the default.
func TestBudget(t *testing.T) {
	for _, tt := range []struct {
		set     source.Memory
		runtime string
		want    int64
	}{
		{0, "", budget.Standard},
		{0, "off", budget.Standard},
		{0, "1GiB", 1 << 30},
		{0, "64MiB", budget.Least},
		{300 << 20, "1GiB", 300 << 20},
	} {
		e := host.Machine{Getenv: func(string) string { return tt.runtime }}
		if got := source.Budget(e, tt.set).Limit(); got != tt.want {
			t.Errorf("set %d, GOMEMLIMIT %q: %d, want %d", tt.set, tt.runtime, got, tt.want)
		}
	}
}
