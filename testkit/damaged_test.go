package testkit_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/input"
)

// damages is what a full disk, a lost write or a bad restore makes of a database.
func damages() map[string]func([]byte) []byte {
	zeroed := func(from, to int) func([]byte) []byte {
		return func(b []byte) []byte {
			clear(b[from:min(to, len(b))])
			return b
		}
	}
	return map[string]func([]byte) []byte{
		"its first bytes are zero":         zeroed(0, 16),
		"its head is zero":                 zeroed(0, 100),
		"its first page is zero":           zeroed(0, 4096),
		"all of it is zero":                zeroed(0, 1<<30),
		"the pages behind it are zero":     zeroed(4096, 1<<30),
		"cut in its head":                  func(b []byte) []byte { return b[:50] },
		"cut behind its head":              func(b []byte) []byte { return b[:100] },
		"cut in its first page":            func(b []byte) []byte { return b[:2000] },
		"another file stands in its place": func([]byte) []byte { return []byte("<html>disk quota exceeded</html>") },
		"its schema is garbled": func(b []byte) []byte {
			for i := 110; i < 4096; i += 7 {
				b[i] ^= 0x55
			}
			return b
		},
	}
}

// TestDamagedStoresAreNamed damages databases of tools in ten ways. Each lies in a folder
// under its own name: something is read of it, or it is named.
func TestDamagedStoresAreNamed(t *testing.T) {
	tried, silent := 0, 0
	for _, dump := range dumps(t, 8) {
		name := strings.TrimSuffix(filepath.Base(dump), corpus.Dump)
		intact := filepath.Join(t.TempDir(), name)
		if err := trial.Restore(t.Context(), dump, intact); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(intact)
		if err != nil {
			t.Fatal(err)
		}
		for how, damage := range damages() {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, name), damage(bytes.Clone(whole)), 0o600); err != nil {
				t.Fatal(err)
			}
			tried++
			if found, named := readFolder(t, dir, name); found == 0 && !named {
				silent++
				t.Errorf("%s: %s: nothing is said", dump, how)
			}
		}
	}
	t.Logf("%d of %d are passed over in silence", silent, tried)
}

// readFolder counts the transcripts in a folder, and says whether a file is named.
func readFolder(t *testing.T, dir, name string) (found int, named bool) {
	t.Helper()
	o := input.Options{
		Detect: adapters.Detect, Layout: adapters.Layout, Limits: archive.Standard(),
		IsStore: func(path string) bool { return adapters.KeepsDatabase(path, func(core.Tool) bool { return true }) },
	}
	for _, err := range o.Paths([]string{dir}).Transcripts(t.Context()) {
		problem, ok := errors.AsType[*input.Problem](err)
		switch {
		case err == nil:
			found++
		case ok && filepath.Base(problem.File) == name:
			named = true
		}
	}
	return found, named
}

// dumps are databases of recorded sessions, of as many tools and versions as there are.
func dumps(t *testing.T, most int) []string {
	t.Helper()
	var all []string
	seen := map[string]bool{}
	err := filepath.WalkDir(fixtures, func(at string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(fixtures, at)
		parts := strings.SplitN(filepath.ToSlash(rel), "/", 3)
		if err == nil && strings.HasSuffix(at, ".db"+corpus.Dump) && !seen[parts[0]+parts[1]] {
			seen[parts[0]+parts[1]] = true
			all = append(all, at)
		}
		return err
	})
	if err != nil || len(all) < most {
		t.Fatalf("found %d databases: %v", len(all), err)
	}
	slices.Sort(all)
	return all[:most]
}
