package archtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNamedTestsExist holds the pages to the tests that they name: a promise of
// docs/security.md counts as tested only as long as its test is there.
func TestNamedTestsExist(t *testing.T) {
	root := filepath.Join("..", "..")
	var tests strings.Builder
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		isTest := strings.HasSuffix(name, "_test.go") || strings.HasPrefix(filepath.ToSlash(name), "../../testkit/") && strings.HasSuffix(name, ".go")
		if d.IsDir() || !isTest {
			return nil
		}
		b, err := os.ReadFile(name)
		tests.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	named, found := regexp.MustCompile("`(?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9_]*(?:/[A-Za-z0-9_]+)?`"), 0
	for _, page := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "ARCHITECTURE.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range named.FindAllString(string(text), -1) {
			found++
			name, sub, _ := strings.Cut(strings.Trim(name, "`"), "/")
			if !strings.Contains(tests.String(), "func "+name+"(") {
				t.Errorf("%s names %s, which is no test", page, name)
			}
			if name == "TestScripts" && sub != "" {
				if _, err := os.Stat(filepath.Join(root, "cmd", "memscribe", "testdata", "script", sub+".txtar")); err != nil {
					t.Errorf("%s names a script: %v", page, err)
				}
				continue
			}
			if sub != "" && !strings.Contains(tests.String(), `"`+strings.ReplaceAll(sub, "_", " ")) && !strings.Contains(tests.String(), `"`+sub) {
				t.Errorf("%s names %s/%s, which is no part of that test", page, name, sub)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d tests are named in the pages", found)
	}
}
