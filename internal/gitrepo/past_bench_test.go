package gitrepo_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/gitrepo"
)

// BenchmarkPast asks for the names of a file of 2,000 lines and the commit of each of them
// in a repository of 50,000 commits, 1,000 of which touched it: once with nothing kept,
// and again with what the first question kept.
func BenchmarkPast(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("git is not there")
	}
	dir := b.TempDir()
	grow(b, dir, 50_000)
	repo, err := gitrepo.Open(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	ask := func(b *testing.B, keep string) {
		b.Helper()
		p, err := repo.Past(b.Context(), keep, "hot.go")
		if err != nil {
			b.Fatal(err)
		}
		if lines, err := p.Blame(b.Context(), 1, 2000, 2000); err != nil || len(lines) != 2000 {
			b.Fatalf("%d lines: %v", len(lines), err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			ask(b, "")
		}
	})
	b.Run("later", func(b *testing.B) {
		keep := b.TempDir()
		ask(b, keep)
		for b.Loop() {
			ask(b, keep)
		}
	})
}

// grow makes a repository of n commits: each changes a line of one of 500 files, each
// fiftieth one of hot.go.
func grow(b *testing.B, dir string, n int) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	files := map[string][]string{"hot.go": numbered(2000)}
	for i := range 500 {
		files[fmt.Sprintf("d%02d/f%03d.go", i%20, i)] = numbered(60)
	}
	var in bytes.Buffer
	put := func(name string) {
		text := strings.Join(files[name], "")
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
	}
	for c := range n {
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 1\nc\n", c+1, 1_700_000_000+c*600)
		if c == 0 {
			for name := range files {
				put(name)
			}
			continue
		}
		fmt.Fprintf(&in, "from :%d\n", c)
		i := random.IntN(500)
		name := fmt.Sprintf("d%02d/f%03d.go", i%20, i)
		if c%50 == 7 {
			name = "hot.go"
		}
		files[name][random.IntN(len(files[name]))] = fmt.Sprintf("changed by commit %d\n", c)
		put(name)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"fast-import", "--quiet"}, {"reset", "-q", "--hard", "main"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if args[0] == "fast-import" {
			cmd.Stdin = &in
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}

func numbered(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d\n", i)
	}
	return lines
}
