package testkit_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRecalled reads the recordings of clients that were told what an earlier session had
// decided. The agent has asked the server why a line is there and was answered with the
// decision; where a client's transcript holds what hooks said, it is there. Captured are the
// three decisions of the person, and nothing that was told.
func TestRecalled(t *testing.T) {
	for client, hooks := range map[string]bool{"claude_code": true, "gemini": true, "codex": false, "qwen": false, "opencode": false} {
		dirs, err := filepath.Glob(filepath.Join("..", "fixtures", client, "*", "recall"))
		if err != nil || len(dirs) == 0 {
			t.Fatalf("%s has no recording: %v", client, err)
		}
		for _, dir := range dirs {
			var all strings.Builder
			err := filepath.WalkDir(filepath.Join(dir, "home"), func(name string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b, err := os.ReadFile(name)
				all.Write(b)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			said := strings.ReplaceAll(all.String(), `\`, "")
			for want, must := range map[string]bool{
				`"status":"decision"`: true, `"title":"Add formatDate to src/format.js."`: true, "[memscribe recall: decided in this project": hooks,
				"We never use moment in this service: dates are formatted with Intl.DateTimeFormat. (2": hooks,
			} {
				if must && !strings.Contains(said, want) {
					t.Errorf("%s holds no %s", dir, want)
				}
			}
			nodes, err := os.ReadFile(filepath.Join("..", "fixtures-expected", strings.TrimPrefix(filepath.ToSlash(dir), "../fixtures/"), "nodes.ndjson"))
			if err != nil {
				t.Fatal(err)
			}
			var titles []string
			for line := range strings.Lines(string(nodes)) {
				var n struct{ Node, Title string }
				if err := json.Unmarshal([]byte(line), &n); err != nil {
					t.Fatal(err)
				}
				if n.Node == "decision" {
					titles = append(titles, n.Title)
				}
			}
			slices.Sort(titles)
			if want := []string{
				"Add formatDate to src/format.js.", "Add formatTime to src/format.js, in the way that formatDate is done.",
				"We never use moment in this service: dates are formatted with Intl.DateTimeFormat.",
			}; !slices.Equal(titles, want) {
				t.Errorf("%s: the decisions are %q", dir, titles)
			}
		}
	}
}
