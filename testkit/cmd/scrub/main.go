// Command scrub copies recorded sessions into the fixture corpus, without their
// vendors' texts, together with their ground truth.
//
//	go run ./testkit/cmd/scrub -from ../shared/transcripts -to fixtures
//
// The same recordings give the same bytes. A variant of a scenario that changes
// nothing in the transcript (hooks, telemetry) is copied only where it is the
// only recording of its scenario.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/scrub"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/store"
)

func main() {
	from := flag.String("from", "", "folder with recordings: <tool>/<version>/<scenario>")
	to := flag.String("to", "", "folder of the fixtures")
	tools := flag.String("tools", "claude_code,codex", "tools whose recordings are copied")
	flag.Parse()
	if err := run(context.Background(), *from, *to, strings.Split(*tools, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "scrub:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, from, to string, tools []string) error {
	var named []core.Tool
	for _, t := range tools {
		named = append(named, core.Tool(t))
	}
	cases, err := corpus.Load(from, named...)
	if err != nil {
		return err
	}
	recorded := map[string]bool{}
	for _, c := range cases {
		recorded[c.Name()] = true
	}
	for _, c := range cases {
		if silent(c.Scenario) && recorded[path.Join(string(c.Tool), c.Version, c.Base())] {
			continue
		}
		if err := copyCase(ctx, c, from, to); err != nil {
			return fmt.Errorf("copy %s: %w", c.Name(), err)
		}
	}
	return nil
}

// silent reports whether a variant leaves no trace in the transcript.
func silent(scenario string) bool {
	_, variant, _ := strings.Cut(scenario, "+")
	return variant == "hooks" || strings.HasPrefix(variant, "otel")
}

func copyCase(ctx context.Context, c *corpus.Case, from, to string) error {
	for _, f := range c.Files {
		data, err := os.ReadFile(f.Path)
		if err == nil && scrub.IsDatabase(data) {
			if err = copyDatabase(ctx, c.Tool, f, to); err == nil {
				continue
			}
		}
		if err != nil {
			return err
		}
		if err = copyTree(c.Tool, f, to); err != nil {
			return err
		}
		if data, err = scrub.Transcript(c.Tool, data); err != nil {
			return err
		}
		if err := write(filepath.Join(to, filepath.FromSlash(f.Name)), data); err != nil {
			return err
		}
		if err := copyBeside(c.Tool, f, to); err != nil {
			return err
		}
	}
	if err := copyStates(ctx, c, from, to); err != nil {
		return err
	}
	for _, name := range []string{"truth.json", "repo.diff"} {
		data, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(c.Name()), name))
		if err != nil {
			return err
		}
		if err := write(filepath.Join(to, filepath.FromSlash(c.Name()), name), data); err != nil {
			return err
		}
	}
	return nil
}

// copyDatabase copies a database, as statements.
func copyDatabase(ctx context.Context, tool core.Tool, f corpus.File, to string) error {
	data, err := scrub.Database(ctx, tool, f.Path)
	if err != nil {
		return err
	}
	return write(filepath.Join(to, filepath.FromSlash(f.Name)+corpus.Dump), data)
}

// statesDir is where a recording keeps what the transcripts were in the course of
// the session.
const statesDir = "snapshots"

// copyStates copies these states, where there are any.
func copyStates(ctx context.Context, c *corpus.Case, from, to string) error {
	root := filepath.Join(from, filepath.FromSlash(c.Name()), statesDir)
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		state, inHome, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if !corpus.IsTranscript(c.Tool, "home/"+inHome) {
			return nil
		}
		f := corpus.File{Path: at, Name: path.Join(c.Name(), statesDir, state, inHome)}
		data, err := os.ReadFile(at)
		if err == nil && scrub.IsDatabase(data) {
			return copyDatabase(ctx, c.Tool, f, to)
		}
		if err == nil {
			data, err = scrub.Transcript(c.Tool, data)
		}
		if err != nil {
			return err
		}
		if err = write(filepath.Join(to, filepath.FromSlash(f.Name)), data); err != nil {
			return err
		}
		return copyBeside(c.Tool, f, to)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// copyTree copies the other files of a conversation that lies in many.
func copyTree(tool core.Tool, f corpus.File, to string) error {
	a, _ := adapters.ByTool(tool)
	t, ok := a.(core.TreeAdapter)
	if !ok {
		return nil
	}
	tree, ok := t.Tree(filepath.ToSlash(f.Path))
	if !ok {
		return nil
	}
	rows, err := store.NewTree(f.Path, tree, store.NewStrays()).Changes()
	if err != nil {
		return err
	}
	for _, r := range rows {
		var rel string
		rel, err = filepath.Rel(filepath.Dir(f.Path), filepath.FromSlash(r.At.File))
		if err != nil {
			return err
		}
		var data []byte
		data, err = os.ReadFile(filepath.FromSlash(r.At.File))
		if err == nil {
			data, err = scrub.Transcript(tool, data)
		}
		if err == nil {
			err = write(filepath.Join(to, filepath.FromSlash(path.Dir(f.Name)), rel), data)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// copyBeside copies what the parser of a transcript is shown besides.
func copyBeside(tool core.Tool, f corpus.File, to string) error {
	a, ok := adapters.ByTool(tool)
	if !ok {
		return fmt.Errorf("no adapter of %s", tool)
	}
	for name, data := range discover.Info(a, f.Name, f.Path).Sidecars {
		if data == nil { // only looked for
			continue
		}
		scrubbed, err := scrub.Transcript(tool, data)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(to, filepath.FromSlash(path.Join(path.Dir(f.Name), name))), scrubbed); err != nil {
			return err
		}
	}
	return nil
}

func write(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
