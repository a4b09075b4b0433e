package testkit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/corpus"
	"github.com/memscribe/memscribe/testkit/run"
	"github.com/memscribe/memscribe/testkit/shapes"
)

func TestLearn(t *testing.T) {
	for _, a := range adapters.All() {
		if a.Tool() == core.Kilo {
			continue
		}
		dir := map[core.Tool]string{core.ClaudeCode: "claudecode", core.Continue: "continuedev"}[a.Tool()]
		if dir == "" {
			dir = string(a.Tool())
		}
		file := filepath.Join("../adapters", dir, "shapes.txt")
		table, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		l := shapes.New(table)
		tools := []core.Tool{a.Tool()}
		if a.Tool() == core.OpenCode {
			tools = append(tools, core.Kilo)
		}
		roots := []string{recorded, fixtures}
		if x := os.Getenv("MORE"); x != "" {
			roots = append(roots, x)
		}
		for _, root := range roots {
			cases, err := corpus.Load(root, tools...)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				inputs, err := run.Inputs(c, a)
				if err != nil {
					t.Fatal(err)
				}
				for _, in := range inputs {
					l.Transcript(in.Data, in.Framing() == core.Document)
				}
			}
		}
		_ = filepath.WalkDir(wild, func(at string, d fs.DirEntry, err error) error {
			name := filepath.ToSlash(strings.TrimPrefix(at, wild+string(filepath.Separator)))
			if err != nil || d.IsDir() || madeUp(name) {
				return err
			}
			data, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			b, fit := adapters.Detect(core.Sample{Path: name, Head: data[:min(len(data), 64<<10)]})
			if fit < core.ShapeFit || b.Tool() != a.Tool() {
				return nil
			}
			in := run.Input{Adapter: a, Path: name, Name: name, Data: data}
			l.Transcript(data, in.Framing() == core.Document)
			return nil
		})
		if err := os.WriteFile(file, l.Table(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
