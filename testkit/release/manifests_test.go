package release

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// manifests holds what Homebrew, Scoop and winget install from to the files of the release:
// each names archives that are there, each with its sum, and no other.
func manifests(t *testing.T, dist string) {
	archive := regexp.MustCompile(`releases/download/v` + regexp.QuoteMeta(version) + `/(memscribe-[^"\s]+)"?,?\s+\S+ "([0-9a-f]{64})"`)
	for name, systems := range map[string]string{
		"memscribe.rb":                       "darwin-arm64.tar.gz darwin-amd64.tar.gz linux-arm64.tar.gz linux-amd64.tar.gz",
		"memscribe.json":                     "windows-amd64.zip windows-arm64.zip",
		"Memscribe.Memscribe.installer.yaml": "windows-amd64.zip windows-arm64.zip",
	} {
		t.Run(name, func(t *testing.T) {
			text := string(read(t, dist, name))
			var named []string
			for _, found := range archive.FindAllStringSubmatch(text, -1) {
				sum := sha256.Sum256(read(t, dist, found[1]))
				if hex.EncodeToString(sum[:]) != found[2] {
					t.Errorf("the sum of %s is not %s", found[1], found[2])
				}
				named = append(named, strings.TrimPrefix(found[1], "memscribe-"+version+"-"))
			}
			if is := strings.Join(named, " "); is != systems {
				t.Errorf("it names %s, want %s", is, systems)
			}
		})
	}
	all, err := filepath.Glob(filepath.Join(dist, "Memscribe.*.yaml"))
	if err != nil || len(all) != 3 {
		t.Fatalf("winget has the files %v, %v", all, err)
	}
	for _, file := range all {
		text := string(read(t, dist, filepath.Base(file)))
		if strings.Contains(text, "@") || !strings.Contains(text, "PackageVersion: \""+version+"\"\n") {
			t.Errorf("%s is not filled in:\n%s", file, text)
		}
	}
}
