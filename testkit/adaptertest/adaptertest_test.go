package adaptertest_test

import (
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// recorder counts what a check finds wrong.
type recorder struct {
	testing.TB
	found int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.found++ }

// TestSound spoils a diff, and demands that it is seen.
func TestSound(t *testing.T) {
	before, after := "a\nb\n", "a\nc\n"
	sound := core.Diff{
		Path: "/w/x", Change: core.Modify, Old: &before, New: &after, Added: 1, Removed: 1,
		Unified: "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
	}
	for name, spoil := range map[string]func(*core.Diff){
		"":                func(*core.Diff) {},
		"no path":         func(d *core.Diff) { d.Path = "" },
		"no change":       func(d *core.Diff) { d.Change = "" },
		"no lines":        func(d *core.Diff) { d.Added, d.Removed = 0, 0 },
		"wrong counts":    func(d *core.Diff) { d.Added = 2 },
		"not a diff":      func(d *core.Diff) { d.Unified = "x" },
		"leads elsewhere": func(d *core.Diff) { d.New = &before },
	} {
		d, r := sound, &recorder{TB: t}
		spoil(&d)
		adaptertest.Sound(r, name, &d)
		if seen := r.found > 0; seen != (name != "") {
			t.Errorf("%q: seen %t", name, seen)
		}
	}
}
