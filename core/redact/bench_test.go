package redact_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
)

// transcriptStrings returns every string of the transcripts below ../shared/wild
// as a reader of them sees it, up to a number of bytes.
func transcriptStrings(b *testing.B, limit int) (all [][]byte, size int) {
	b.Helper()
	root := filepath.Join("..", "..", "..", "shared", "wild")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") || size >= limit {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(content)) {
			var v any
			if json.Unmarshal([]byte(line), &v) == nil {
				collect(v, func(s string) {
					all = append(all, []byte(s))
					size += len(s)
				})
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		b.Skip("no ../shared/wild: the transcripts are not part of the repository")
	}
	if err != nil {
		b.Fatal(err)
	}
	return all, size
}

func collect(v any, emit func(string)) {
	switch v := v.(type) {
	case string:
		emit(v)
	case []any:
		for _, x := range v {
			collect(x, emit)
		}
	case map[string]any:
		for _, x := range v {
			collect(x, emit)
		}
	}
}

func benchmarkStrings(b *testing.B, all [][]byte, size int) {
	e := engine(b, redact.Options{})
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range all {
			if _, _, err := e.Scrub(core.TextField, s); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkTranscripts scrubs the decoded strings of real transcripts, of every
// length from ids to whole files.
func BenchmarkTranscripts(b *testing.B) {
	all, size := transcriptStrings(b, 64<<20)
	b.Run("all", func(b *testing.B) { benchmarkStrings(b, all, size) })
	var long [][]byte
	size = 0
	for _, s := range all {
		if len(s) >= 200 {
			long = append(long, s)
			size += len(s)
		}
	}
	b.Run("long", func(b *testing.B) { benchmarkStrings(b, long, size) })
}

// BenchmarkReadable scrubs the hard negatives of the tests, which is text that
// is nothing but names, digests and ids.
func BenchmarkReadable(b *testing.B) {
	var text []byte
	for _, f := range readForms(b, "readable.txt") {
		text = append(append(text, f.text...), '\n')
	}
	benchmarkStrings(b, [][]byte{text}, len(text))
}

// BenchmarkSecrets scrubs the forms of the tests, each of which holds a secret.
func BenchmarkSecrets(b *testing.B) {
	var all [][]byte
	size := 0
	for _, f := range readForms(b, "forms.txt") {
		all = append(all, []byte(f.text))
		size += len(f.text)
	}
	benchmarkStrings(b, all, size)
}

// BenchmarkFirstUse is what the first text costs: reading the table of rules and
// building the automaton.
func BenchmarkFirstUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		e := engine(b, redact.Options{})
		if _, _, err := e.Scrub(core.TextField, []byte("nothing to see")); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNew is what a program pays that never scrubs.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		engine(b, redact.Options{})
	}
}
