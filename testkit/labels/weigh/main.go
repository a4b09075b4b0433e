// Command weigh learns the weights for judging turns and writes
// core/decide/weights.tsv. It reads the labelled turns of the files it is given, and
// the project's own examples; the result is a function of these alone.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/internal/eval/labels"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "weigh:", err)
		os.Exit(1)
	}
}

func run(args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("weigh", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", "weights.tsv", "file to write")
	open := flags.Bool("without-locked", false, "leave out the projects that are locked")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("no file of labelled turns")
	}
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		return fmt.Errorf("compile rules: %w", err)
	}
	turns, err := labels.Seeds()
	if err != nil {
		return err
	}
	for _, path := range flags.Args() {
		more, loadErr := load(path)
		if loadErr != nil {
			return loadErr
		}
		for _, t := range more {
			if !*open || !t.IsLocked() {
				turns = append(turns, t)
			}
		}
	}
	weights, err := labels.Learn(rules, turns)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*out, weights, 0o644); err != nil {
		return fmt.Errorf("write weights: %w", err)
	}
	return nil
}

func load(path string) ([]labels.Turn, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	defer f.Close()
	return labels.Certain(f)
}
