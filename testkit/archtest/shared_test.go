package archtest_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// A path to ../shared, as one string or in the parts that filepath.Join takes.
var toShared = regexp.MustCompile("[\"`]((?:\\.\\./|\\.\\.\", *\")+)shared[/\"`]")

// TestPathsToShared holds every test's path to ../shared to the depth of its
// folder. A test that is moved, and counts one level too few from then on, finds
// no data and skips, as it does on a machine that has none: no run shows it.
func TestPathsToShared(t *testing.T) {
	paths := 0
	err := fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path.Join("../..", name))
		if err != nil {
			return err
		}
		levels := strings.Count(name, "/") + 1
		for _, found := range toShared.FindAllSubmatch(src, -1) {
			paths++
			if up := strings.Count(string(found[1]), ".."); up != levels {
				t.Errorf("%s: %s goes up %d levels, and ../shared is %d above", name, found[0], up, levels)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if paths == 0 {
		t.Error("no test names ../shared: the pattern finds nothing")
	}
}
