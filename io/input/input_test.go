package input_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/input"
)

// tool is an adapter that only has a name.
type tool struct {
	core.Adapter

	name core.Tool
}

func (t tool) Tool() core.Tool { return t.name }

func (t tool) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: "." + string(t.name)}}, Patterns: []string{"s/*.jsonl"}}}
}

// Detect knows a transcript by the name of the tool in the first line.
func (t tool) Detect(s core.Sample) core.Fit {
	if bytes.HasPrefix(s.Head, []byte(`{"`+string(t.name)+`"`)) {
		return core.NativeFit
	}
	return core.NoFit
}

// detect knows a transcript by the name of its tool in the first line.
func detect(s core.Sample) (core.Adapter, core.Fit) {
	for _, name := range []core.Tool{core.Codex, core.ClaudeCode} {
		if t := (tool{name: name}); t.Detect(s) == core.NativeFit {
			return t, core.NativeFit
		}
	}
	return nil, core.NoFit
}

func options() input.Options {
	return input.Options{Detect: detect, Limits: archive.Standard()}
}

const (
	codex  = `{"codex":1}` + "\n"
	claude = `{"claude_code":1}` + "\n"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err = io.WriteString(f, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t *testing.T, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, data)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// read runs a plan: "file tool content", or "file! error".
func read(t *testing.T, dir string, p *input.Plan) []string {
	t.Helper()
	var out []string
	for tr, err := range p.Transcripts(t.Context()) {
		if err != nil {
			var pr *input.Problem
			if !errors.As(err, &pr) {
				t.Fatalf("%v is not a Problem", err)
			}
			out = append(out, fmt.Sprintf("%s! %v", rel(dir, pr.File), pr.Err))
			continue
		}
		data, err := io.ReadAll(tr.Body)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s %s", rel(dir, tr.File), tr.Adapter.Tool(), strings.TrimSpace(string(data))))
	}
	return out
}

func rel(dir, name string) string {
	return strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(name, dir)), "/")
}

// notFound is how Windows and Wine say that a file is not there.
var notFound = regexp.MustCompile(`(CreateFile|GetFileAttributesEx): (The system cannot find the file specified|File not found)\.`)

func TestPaths(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"a.jsonl": codex, "b.jsonl": claude, "note.txt": "hello", "empty": "", "blank": "\n \x00\n", "bin": "\x7fELF\x00\x00",
		"d/1.jsonl": codex, "d/x.txt": "hello", "d/empty": "", "d/2.jsonl.gz": gzipped(t, claude),
		"none/x.txt": "hello", "mark.jsonl": "\xef\xbb\xbf" + codex, "latin": "caf\xe9 au lait",
		"z.zip": zipped(t, "q/b.jsonl", claude, "a.jsonl", codex, "x.txt", "hello"), "junk.zip": zipped(t, "x.txt", "hello"),
	})
	if err := os.Mkdir(filepath.Join(dir, "void"), 0o700); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		paths   []string
		set     func(*input.Options)
		want    []string
		skipped int
	}{
		"files in the order of their names": {
			paths: []string{"b.jsonl", "a.jsonl", "./a.jsonl"},
			want:  []string{`a.jsonl codex {"codex":1}`, `b.jsonl claude_code {"claude_code":1}`},
		},
		"folder": {
			paths: []string{"d"}, skipped: 2,
			want: []string{`d/1.jsonl codex {"codex":1}`, `d/2.jsonl.gz claude_code {"claude_code":1}`},
		},
		"archive": {
			paths: []string{"z.zip"}, skipped: 1,
			want: []string{`z.zip!/a.jsonl codex {"codex":1}`, `z.zip!/q/b.jsonl claude_code {"claude_code":1}`},
		},
		"named, but no transcripts": {
			paths: []string{"note.txt", "empty", "blank", "bin", "gone", "void", "none", "junk.zip", "latin"}, skipped: 2,
			want: []string{
				"gone! stat: no such file or directory",
				"bin! binary file: not a transcript of a known tool", "blank! file is empty", "empty! file is empty",
				"latin! binary file: not a transcript of a known tool", "note.txt! not a transcript of a known tool",
				"junk.zip! no transcripts found", "none! no transcripts found", "void! no transcripts found",
			},
		},
		"byte order mark": {paths: []string{"mark.jsonl"}, want: []string{"mark.jsonl codex \ufeff{\"codex\":1}"}},
		"told whose": {
			paths: []string{"note.txt"}, set: func(o *input.Options) { o.As = tool{name: core.Codex} },
			want: []string{"note.txt codex hello"},
		},
		"of one tool": {
			paths: []string{"d", "a.jsonl"}, skipped: 4,
			set:  func(o *input.Options) { o.Want = func(c core.Tool) bool { return c == core.ClaudeCode } },
			want: []string{`d/2.jsonl.gz claude_code {"claude_code":1}`},
		},
		"folder and file in it": {
			paths: []string{"d/1.jsonl", "d"}, skipped: 2,
			want: []string{`d/1.jsonl codex {"codex":1}`, `d/2.jsonl.gz claude_code {"claude_code":1}`},
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			if tc.set != nil {
				tc.set(&o)
			}
			paths := make([]string, len(tc.paths))
			for i, p := range tc.paths {
				paths[i] = filepath.Join(dir, p)
			}
			p := o.Paths(paths)
			got := read(t, dir, p)
			for i := range got { // the words of the system
				got[i] = notFound.ReplaceAllString(got[i], "stat: no such file or directory")
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || p.Skipped != tc.skipped {
				t.Errorf("skipped %d, want %d (-want +got):\n%s", p.Skipped, tc.skipped, diff)
			}
		})
	}
}

func TestFileThatVanishes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.jsonl": codex, "b.jsonl": codex})
	p := options().Paths([]string{dir})
	if err := os.Remove(filepath.Join(dir, "a.jsonl")); err != nil {
		t.Fatal(err)
	}
	got := read(t, dir, p)
	if len(got) != 2 || !strings.HasPrefix(got[0], "a.jsonl! open: ") || got[1] != `b.jsonl codex {"codex":1}` {
		t.Errorf("got %q", got)
	}
}

func TestPlaces(t *testing.T) {
	home := t.TempDir()
	write(t, home, map[string]string{
		".codex/s/a.jsonl": codex, ".codex/s/b.jsonl": claude, ".codex/s/c.jsonl": "{}\n", ".codex/s/empty.jsonl": "",
		".codex/history.jsonl": codex, ".codex/s/deep/x.jsonl": codex,
	})
	adapters := []core.Adapter{tool{name: core.Codex}, tool{name: core.ClaudeCode}}
	p := options().Places(discover.Roots(adapters, discover.Env{Home: home}))
	want := []string{
		`.codex/s/a.jsonl codex {"codex":1}`, `.codex/s/b.jsonl claude_code {"claude_code":1}`, ".codex/s/c.jsonl codex {}",
	}
	if diff := cmp.Diff(want, read(t, home, p)); diff != "" || p.Skipped != 1 {
		t.Errorf("skipped %d (-want +got):\n%s", p.Skipped, diff)
	}
}

func TestStream(t *testing.T) {
	for in, want := range map[string]string{
		codex: `- codex {"codex":1}`, "": "-! file is empty", "x": "-! not a transcript of a known tool",
		gzipped(t, claude): `- claude_code {"claude_code":1}`, zipped(t, "a", codex): `-!/a codex {"codex":1}`,
	} {
		got := read(t, "", options().Stream("-", strings.NewReader(in)))
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

// TestProgress reads everything and expects to have been told of all of it.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.jsonl": codex, "b.gz": gzipped(t, strings.Repeat(codex, 1000)), "c": "hello", "d": ""})
	o := options()
	var last int64
	o.Progress = func(done int64) {
		if done < last {
			t.Errorf("went back from %d to %d", last, done)
		}
		last = done
	}
	p := o.Paths([]string{dir})
	read(t, dir, p)
	if last != p.Size {
		t.Errorf("ended at %d of %d", last, p.Size)
	}
}

// document is a tool whose transcripts are documents.
type document struct{ tool }

func (document) Framing(core.Sample) core.Framing { return core.Document }

func TestFraming(t *testing.T) {
	o := options()
	o.As = document{}
	for tr, err := range o.Stream("-", strings.NewReader("{}")).Transcripts(t.Context()) {
		if err != nil || tr.Framing != core.Document {
			t.Errorf("got %v, %v", tr.Framing, err)
		}
	}
	if got := input.Framing(tool{}, core.Sample{}); got != core.Lines {
		t.Errorf("got %v", got)
	}
}

func TestSample(t *testing.T) {
	tests := []struct {
		head  string
		whole bool
		want  string
	}{
		{"a\nb\nc", false, "a\nb\n"},
		{"a\nb\nc", true, "a\nb\nc"},
		{"abc", false, "abc"},
		{"\xef\xbb\xbf\x00\r\n{}\n", true, "{}\n"},
	}
	for _, tc := range tests {
		if got := input.Sample("p", []byte(tc.head), tc.whole); string(got.Head) != tc.want || got.Path != "p" {
			t.Errorf("%q: got %q, want %q", tc.head, got.Head, tc.want)
		}
	}
}
