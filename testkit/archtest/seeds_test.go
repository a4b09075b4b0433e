package archtest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSeeds wants every test that docs/seeds.md names to be there: in the folder, or
// in the suite of the stores. A row without a test says that it has none.
func TestSeeds(t *testing.T) {
	page, err := os.ReadFile("../../docs/seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	suite, err := os.ReadFile("../storetest/suite.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z/]+)` (Test[A-Za-z]+)(?:/([A-Za-z]+))?")
	count := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || strings.Contains(line, "---") || strings.Contains(line, "| requirement |") {
			continue
		}
		tests := named.FindAllStringSubmatch(line, -1)
		if len(tests) == 0 && !strings.Contains(line, "not there yet") {
			t.Errorf("no test holds: %s", line)
		}
		for _, m := range tests {
			count++
			if !declares(t, m[1], m[2]) || m[3] != "" && !strings.Contains(string(suite), `{"`+m[3]+`", test`) {
				t.Errorf("there is no %s", m[0])
			}
		}
	}
	if count < 30 {
		t.Errorf("%d tests are named", count)
	}
}

// declares reports whether a test stands in a folder.
func declares(t *testing.T, dir, name string) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join("../..", filepath.FromSlash(dir), "*_test.go"))
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(src), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
