package ndjson_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
	"github.com/memscribe/memscribe/sink/sinktest"
)

func inFolder(dir string) string { return filepath.Join(dir, "new", "nodes.ndjson") }

func TestLogSuite(t *testing.T) {
	sinktest.Suite{
		Open: func(_ context.Context, dir string) (sink.Sink, error) { return ndjson.Open(inFolder(dir)) },
		Read: fold,
	}.Run(t)
}

func TestSortedSuite(t *testing.T) {
	sinktest.Suite{
		Open: func(_ context.Context, dir string) (sink.Sink, error) {
			if err := os.MkdirAll(filepath.Dir(inFolder(dir)), 0o700); err != nil {
				return nil, err
			}
			f, err := os.Create(inFolder(dir))
			if err != nil {
				return nil, err
			}
			return &sortedFile{ndjson.NewSorted(f), f}, nil
		},
		Read: fold, Anew: true,
	}.Run(t)
}

// sortedFile is a Sorted that closes its file.
type sortedFile struct {
	*ndjson.Sorted

	file *os.File
}

func (s *sortedFile) Close() error {
	err := s.file.Close()
	if errors.Is(err, fs.ErrClosed) {
		err = nil
	}
	return errors.Join(s.Sorted.Close(), err)
}

// fold reads a file as its readers are told to: of the lines with the same id
// the last one holds, and what stands after the last line end is none yet.
func fold(_ context.Context, dir string) ([]string, error) {
	text, err := os.ReadFile(inFolder(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	last := map[string]string{}
	for line := range bytes.Lines(text[:bytes.LastIndexByte(text, '\n')+1]) {
		var n struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(line, &n); err != nil {
			return nil, fmt.Errorf("read line %q: %w", line, err)
		}
		last[n.ID] = string(bytes.TrimSuffix(line, []byte{'\n'}))
	}
	return slices.Collect(maps.Values(last)), nil
}
