// Command smaller writes the texts that the program has inside into a folder, in their
// smaller form, and an overlay with which "go build" takes them from there. It is run in
// the root of the checkout.
//
//	smaller FOLDER && go build -overlay FOLDER/overlay.json …
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core/packed"
	"github.com/memscribe/memscribe/core/score"
)

const weights = "core/decide/weights.tsv"

// texts returns the files that are deflated: what is looked at seldom, and at once.
func texts() []string {
	return []string{
		"core/shape/tables/*.txt", "internal/eval/labels/seeds.tsv", "internal/verify/scenario/scenarios.txt",
		"cmd/memscribe/internal/demo/home/**",
	}
}

func main() {
	if len(os.Args) != 2 {
		_, _ = fmt.Fprintln(os.Stderr, "usage: smaller FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write fills the folder.
func write(dir string) error {
	files, err := files()
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the checkout: %w", err)
	}
	overlay := map[string]string{}
	before, after := 0, 0
	for i, name := range files {
		to := filepath.Join(dir, strconv.Itoa(i))
		text, small, failed := writeText(name, to)
		if failed != nil {
			return failed
		}
		overlay[filepath.Join(root, name)] = to
		before, after = before+text, after+small
	}
	b, err := json.Marshal(map[string]any{"Replace": overlay})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write overlay: %w", err)
	}
	_, _ = fmt.Fprintf(os.Stderr, "  %d texts: %d bytes instead of %d\n", len(files), after, before)
	return nil
}

// writeText writes the smaller form of one text, and returns the sizes of both.
func writeText(name, to string) (before, after int, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, 0, fmt.Errorf("read text: %w", err)
	}
	small, err := smaller(name, string(text))
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", name, err)
	}
	if err = os.WriteFile(to, small, 0o600); err != nil {
		return 0, 0, fmt.Errorf("write text: %w", err)
	}
	return len(text), len(small), nil
}

// files returns the texts of the checkout, in order.
func files() ([]string, error) {
	all := []string{weights}
	for _, pattern := range texts() {
		found, err := match(pattern)
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", pattern, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("find %s: there is none", pattern)
		}
		all = append(all, found...)
	}
	return all, nil
}

// match lists the files that a pattern names; with ** at its end, all below a folder.
func match(pattern string) (found []string, err error) {
	dir, below := strings.CutSuffix(pattern, "/**")
	if !below {
		return filepath.Glob(pattern)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			found = append(found, path)
		}
		return err
	})
	return found, err
}

// smaller returns the smaller form of a text: [score.Small] for weights, deflated otherwise.
func smaller(name, text string) ([]byte, error) {
	if name == weights {
		return score.Small(text)
	}
	return packed.Pack(text)
}
