package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestContainerfile holds the container file to what it promises: no network, no
// root, and nothing copied that a release does not put into its folder.
func TestContainerfile(t *testing.T) {
	text := readText(t, "packaging/Containerfile")
	release := readText(t, "../../.ci/release")
	copied, user := []string(nil), ""
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		switch words[0] {
		case "FROM":
			if !slices.Equal(words, []string{"FROM", "scratch"}) {
				t.Errorf("an image has to be fetched: %s", line)
			}
		case "COPY":
			from := slices.DeleteFunc(words[1:len(words)-1], func(w string) bool { return strings.HasPrefix(w, "--") })
			copied = append(copied, from...)
		case "USER":
			user = words[1]
		case "ENV", "WORKDIR", "VOLUME", "ENTRYPOINT":
		default:
			t.Errorf("%s runs something, or fetches it", line)
		}
	}
	if !regexp.MustCompile(`^[1-9]\d+:[1-9]\d+$`).MatchString(user) {
		t.Errorf("it runs as %q; systems that forbid root want a number", user)
	}
	_, made, _ := strings.Cut(release, "\ncontainer() {")
	made, _, _ = strings.Cut(made, "\n}")
	for _, name := range copied {
		if !regexp.MustCompile(`[/ "]` + regexp.QuoteMeta(name) + `["\s]`).MatchString(made) {
			t.Errorf("a release puts no %s into the folder of the image", name)
		}
	}
	if len(copied) < 2 {
		t.Errorf("it copies %v", copied)
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFormula holds the template of the formula to the release that fills it in:
// every place is filled, and it names commands that there are.
func TestFormula(t *testing.T) {
	template, release := readText(t, "packaging/memscribe.rb.in"), readText(t, "../../.ci/release")
	filled := template
	for _, system := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"} {
		if !strings.Contains(release, system) {
			t.Errorf("a release has no %s", system)
		}
		place := "@SHA_" + strings.Replace(system, "-", "_", 1) + "@"
		if strings.Count(template, place) != 1 {
			t.Errorf("%s stands %d times in it", place, strings.Count(template, place))
		}
		filled = strings.ReplaceAll(filled, place, strings.Repeat("0", 64))
	}
	if filled = strings.ReplaceAll(filled, "@VERSION@", "1.2.3"); strings.Contains(filled, "@") {
		t.Error("a place is left")
	}
	for _, args := range [][]string{{"watch"}, {"completion", "bash"}, {"version"}} {
		if !strings.Contains(template, args[0]) {
			t.Errorf("it does not use %s", args[0])
		}
		if err := parses(args); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
	checkRuby(t, filled)
}

// checkRuby has Ruby read a text, where it is there.
func checkRuby(t *testing.T, text string) {
	t.Helper()
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		return
	}
	cmd := exec.CommandContext(t.Context(), ruby, "-wc")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "Syntax OK" {
		t.Errorf("ruby: %v: %s", err, out)
	}
}
