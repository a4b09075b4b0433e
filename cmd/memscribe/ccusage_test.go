package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestCcusage holds tokens and costs of the recorded sessions of Claude Code to what
// ccusage says of them, to 1 %. testdata/ccusage.tsv has its answers, and why the two
// differ where they do.
func TestCcusage(t *testing.T) {
	answers, err := os.ReadFile("testdata/ccusage.tsv")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	same := 0
	for _, line := range size.Some(slices.Collect(strings.Lines(string(answers))), 4) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 7 {
			continue
		}
		db := filepath.Join(t.TempDir(), "m.db")
		runAt(t, home, []string{"replay", "--sink", "sqlite", "--out", db, filepath.Join("../../fixtures", filepath.FromSlash(f[0]), "home", ".claude", "projects")})
		var bill lists.Bill
		if err := json.Unmarshal(runAt(t, home, []string{"usage", "--db", db, "--json", "--by", "session"}), &bill); err != nil {
			t.Fatal(err)
		}
		s := &bill.Total
		ours := []float64{float64(s.Input), float64(s.Output), float64(s.CacheCreation), float64(s.CacheRead), s.Cost}
		equal := true
		for i, is := range ours {
			want, err := strconv.ParseFloat(f[1+i], 64)
			if err != nil {
				t.Fatal(err)
			}
			equal = equal && math.Abs(is-want) <= 0.01*math.Max(is, want)
		}
		if equal {
			same++
		}
		if equal != (f[6] == "-") {
			t.Errorf("%s: %v; ccusage says %v (%s)", f[0], ours, f[1:6], f[6])
		}
	}
	if same < size.Of(15, 60) {
		t.Errorf("%d sessions are the same", same)
	}
}
