package pi_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
)

// TestWild reads what people published: nothing is lost, reading twice gives the
// same bytes, and what comes out is sane.
func TestWild(t *testing.T) {
	// What other agents write beside the form that they share with pi: OpenClaw's
	// fixtures and index, and all of DeepSeek's harness, which shares the name of
	// the header only.
	foreign := map[string][]string{
		"openclaw": {"compact", "message/system", ""},
		"dsh":      {"*"},
	}
	for _, tool := range []string{"pi", "openclaw", "dsh"} {
		t.Run(tool, func(t *testing.T) { checkWild(t, "wild/"+tool, foreign[tool]) })
	}
}

func checkWild(t *testing.T, dir string, foreign []string) {
	unknown := map[string]int64{}
	kinds := map[string]int{}
	var records, malformed int
	files := filesBelow(t, sharedDir(t, dir), ".jsonl", ".json")
	for _, path := range files {
		data := readFile(t, path)
		text, stats := encoded(t, path, data, func(ev *core.Event) {
			kinds[ev.Name()]++
			if ev.Injected {
				kinds[ev.Name()+" injected"]++
			}
			if b, ok := ev.Body.(*core.FileEdit); ok {
				checkDiff(t, path, b.Diff)
			}
		})
		if again, _ := encoded(t, path, data, nil); again != text {
			t.Errorf("%s: read twice, it differs", path)
		}
		if stats.Events < stats.Records {
			t.Errorf("%s: %d events of %d records", path, stats.Events, stats.Records)
		}
		records += int(stats.Records)
		malformed += int(stats.Malformed)
		deepseek := strings.Contains(path, "deepseek") || strings.Contains(path, "/dsh/")
		if got := fit(path, data); got >= core.ShapeFit == (deepseek || strings.HasSuffix(path, "sessions.json")) {
			t.Errorf("%s: fit %d", path, got)
		}
		for k, n := range stats.Unknown {
			if !deepseek {
				unknown[k] += n
			}
		}
	}
	t.Logf("%d files, %d records, %d not JSON", len(files), records, malformed)
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%7d %s", kinds[k], k)
	}
	for k, n := range unknown {
		if !slices.Contains(foreign, k) {
			t.Errorf("%d records of a kind that nobody has described: %s", n, k)
		}
	}
	if slices.Contains(foreign, "*") {
		return
	}
	if kinds["user_turn"] == kinds["user_turn injected"] || kinds["tool_result"] == 0 {
		t.Error("no person's turns, or no results")
	}
}

func fit(path string, data []byte) core.Fit {
	return pi.Adapter{}.Detect(core.Sample{Path: filepath.ToSlash(path), Head: data[:min(len(data), 64<<10)]})
}

func encoded(t testing.TB, path string, data []byte, each func(*core.Event)) (string, pipeline.Stats) {
	t.Helper()
	var enc core.Encoder
	var out []byte
	_, stats := capture(t, path, data, func(ev *core.Event) {
		if each != nil {
			each(ev)
		}
		b, err := enc.Event(out, ev)
		if err != nil {
			t.Fatal(err)
		}
		out = append(b, '\n')
	})
	return string(out), stats
}

// checkDiff checks what holds for the diff of any edit.
func checkDiff(t testing.TB, path string, d core.Diff) {
	t.Helper()
	if d.Path == "" || d.Change == "" || d.Unified == "" || d.Added+d.Removed == 0 {
		t.Errorf("%s: diff without path, change or text: %+v", path, d)
	}
	if d.Change == core.Create {
		if after, err := edit.Apply("", d.Unified); err != nil || d.New == nil || after != *d.New {
			t.Errorf("%s: diff that creates %s does not: %v", path, d.Path, err)
		}
	}
	checkCounts(t, d)
}

func checkCounts(t testing.TB, d core.Diff) {
	t.Helper()
	added, removed := 0, 0
	for i, l := range strings.Split(d.Unified, "\n") {
		switch {
		case i < 2 || l == "":
		case l[0] == '+':
			added++
		case l[0] == '-':
			removed++
		}
	}
	if added != d.Added || removed != d.Removed {
		t.Errorf("diff of %s counts +%d -%d and has +%d -%d", d.Path, d.Added, d.Removed, added, removed)
	}
}
