package frame_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/io/frame"
)

// got is a frame.Line that may be kept.
type got struct {
	Text           string
	Offset, Number int64
	Cut            bool
}

// collect takes in, parted at the offsets of cuts, and flushes: bytes of the
// caller's, and once more bytes in the framer's own room. If the lines differ, it
// returns those of the latter.
func collect(limit int, in string, cuts ...int) []got {
	fed := collectBy(limit, in, cuts, func(f *frame.Lines, part string, emit func(frame.Line)) {
		chunk := []byte(part)
		f.Feed(chunk, emit)
		clear(chunk) // nothing of it may be kept
	})
	read := collectBy(limit, in, cuts, func(f *frame.Lines, part string, emit func(frame.Line)) {
		room := f.Room(len(part) + 1)
		f.Feed(room[:copy(room, part)], emit)
	})
	if slices.Equal(fed, read) {
		return fed
	}
	return read
}

func collectBy(limit int, in string, cuts []int, take func(f *frame.Lines, part string, emit func(frame.Line))) []got {
	var lines []got
	emit := func(l frame.Line) {
		lines = append(lines, got{string(l.Bytes), l.Offset, l.Number, l.Cut})
	}
	f := frame.Lines{Max: limit}
	at := 0
	for _, c := range append(cuts, len(in)) {
		take(&f, in[at:c], emit)
		at = c
	}
	f.Flush(emit)
	f.Reset()
	if f.Offset() != 0 || f.Number() != 1 || f.Pending() != 0 {
		lines = append(lines, got{"not at the start after Reset", f.Offset(), f.Number(), false})
	}
	return lines
}

// TestRoom reads a long line in pieces: what it is made of stays where it was
// read to, and no memory is taken for the next one.
func TestRoom(t *testing.T) {
	var f frame.Lines
	line := append(bytes.Repeat([]byte("x"), 1000), '\n')
	lines := 0
	emit := func(l frame.Line) {
		if lines++; !bytes.Equal(l.Bytes, line[:1000]) {
			t.Errorf("%d bytes %.20q", len(l.Bytes), l.Bytes)
		}
	}
	read := func() {
		for at := 0; at < len(line); {
			room := f.Room(100)
			n := copy(room, line[at:])
			f.Feed(room[:n], emit)
			at += n
		}
	}
	read()
	if allocs := testing.AllocsPerRun(100, read); allocs > 0 || lines != 102 {
		t.Errorf("%v allocations, %d lines; want 0, 102", allocs, lines)
	}
}

func TestLines(t *testing.T) {
	tests := map[string]struct {
		in   string
		max  int
		want []got
	}{
		"empty":          {in: "", want: nil},
		"one":            {in: "{}\n", want: []got{{"{}", 0, 1, false}}},
		"two":            {in: "{}\n[1]\n", want: []got{{"{}", 0, 1, false}, {"[1]", 3, 2, false}}},
		"torn tail":      {in: "{}\n{\"a", want: []got{{"{}", 0, 1, false}, {"{\"a", 3, 2, false}}},
		"no line end":    {in: "{}", want: []got{{"{}", 0, 1, false}}},
		"windows":        {in: "{}\r\n[]\r\n", want: []got{{"{}", 0, 1, false}, {"[]", 4, 2, false}}},
		"byte order":     {in: "\xef\xbb\xbf{}\n{}\n", want: []got{{"{}", 3, 1, false}, {"{}", 6, 2, false}}},
		"mark later":     {in: "{}\n\xef\xbb\xbf{}\n", want: []got{{"{}", 0, 1, false}, {"\xef\xbb\xbf{}", 3, 2, false}}},
		"only mark":      {in: "\xef\xbb\xbf\n", want: nil},
		"blank lines":    {in: "\n\r\n \t\n{}\n\n", want: []got{{"{}", 6, 4, false}}},
		"nul run before": {in: "{}\n\x00\x00\x00{}\n", want: []got{{"{}", 0, 1, false}, {"{}", 6, 2, false}}},
		"nul line":       {in: "\x00\x00\n{}\n", want: []got{{"{}", 3, 2, false}}},
		"nul in torn":    {in: "{\"a\x00\x00{}\n", want: []got{{"{\"a", 0, 1, false}, {"{}", 5, 1, false}}},
		"nul after":      {in: "{}\x00\x00\n", want: []got{{"{}", 0, 1, false}}},
		"nul tail":       {in: "{}\n\x00\x00\x00", want: []got{{"{}", 0, 1, false}}},
		"nul and cr":     {in: "{}\x00\r\n", want: []got{{"{}", 0, 1, false}}},
		"too long":       {in: "abcdef\nab\n", max: 4, want: []got{{"abcd", 0, 1, true}, {"ab", 7, 2, false}}},
		"too long tail":  {in: "abcdef", max: 4, want: []got{{"abcd", 0, 1, true}}},
		"just fits":      {in: "abcd\n", max: 4, want: []got{{"abcd", 0, 1, false}}},
		"end beyond":     {in: "abc\r\n", max: 3, want: []got{{"abc", 0, 1, true}}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, collect(tc.max, tc.in)); diff != "" {
				t.Errorf("whole (-want +got):\n%s", diff)
			}
			for i := range len(tc.in) + 1 {
				for j := i; j <= len(tc.in); j++ {
					if diff := cmp.Diff(tc.want, collect(tc.max, tc.in, i, j)); diff != "" {
						t.Fatalf("cut at %d and %d (-want +got):\n%s", i, j, diff)
					}
				}
			}
		})
	}
}

// TestDocumentReset: a document that was reset cuts the next one as a new one would, in
// the memory that it has.
func TestDocumentReset(t *testing.T) {
	var d frame.Document
	text := strings.Repeat("a line\n", 20_000)
	var read string
	emit := func(l frame.Line) { read = string(l.Bytes) }
	feed := func() {
		room := d.Room(len(text))
		copy(room, text)
		d.Feed(room[:len(text)], emit)
	}
	feed()
	d.Reset() // in the middle: nothing of it may come out
	d.Flush(emit)
	if read != "" {
		t.Fatalf("%d bytes are left of a document that was dropped", len(read))
	}
	feed()
	d.Flush(emit)
	if read != text {
		t.Fatalf("read %d bytes, want the %d of the document", len(read), len(text))
	}
	d.Reset()
	allocated := testing.AllocsPerRun(10, func() {
		feed()
		d.Reset()
	})
	if allocated != 0 {
		t.Errorf("another document takes %v allocations, want none", allocated)
	}
}

func TestDocument(t *testing.T) {
	tests := map[string]struct {
		in   string
		max  int
		want []got
	}{
		"empty":      {"", 0, nil},
		"blank":      {" \r", 0, nil},
		"lines":      {"{\n  \"a\": 1\n}\n", 0, []got{{"{\n  \"a\": 1\n}\n", 0, 1, false}}},
		"byte order": {"\xef\xbb\xbf{}", 0, []got{{"{}", 3, 1, false}}},
		"too long":   {"[1,\n2]", 4, []got{{"[1,\n", 0, 1, true}}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for cut := range len(tc.in) + 1 {
				var lines []got
				emit := func(l frame.Line) { lines = append(lines, got{string(l.Bytes), l.Offset, l.Number, l.Cut}) }
				d := frame.Document{Max: tc.max}
				d.Feed([]byte(tc.in[:cut]), emit)
				d.Feed([]byte(tc.in[cut:]), emit)
				if lines != nil || d.Number() != 1 {
					t.Fatalf("got %v before Flush", lines)
				}
				d.Flush(emit)
				if diff := cmp.Diff(tc.want, lines); diff != "" {
					t.Errorf("cut at %d (-want +got):\n%s", cut, diff)
				}
			}
		})
	}
}

func TestOffset(t *testing.T) {
	var l frame.Lines
	l.Feed([]byte("{}\n{\"a"), func(frame.Line) {})
	if l.Offset() != 6 || l.Pending() != 3 {
		t.Errorf("after a torn line: offset %d, pending %d; want 6, 3", l.Offset(), l.Pending())
	}
	l.Feed([]byte("\":1}\n"), func(frame.Line) {})
	if l.Offset() != 11 || l.Pending() != 0 {
		t.Errorf("after its end: offset %d, pending %d; want 11, 0", l.Offset(), l.Pending())
	}
}

func TestOverlongLineTakesNoMemory(t *testing.T) {
	l := frame.Lines{Max: 1 << 20}
	chunk := bytes.Repeat([]byte("x"), 1<<16)
	for range 32 {
		l.Feed(chunk, nil)
	}
	allocs := testing.AllocsPerRun(100, func() { l.Feed(chunk, nil) })
	if allocs > 0 {
		t.Errorf("%v allocations for 64 KiB of a line that is already too long", allocs)
	}
	var lines []got
	l.Feed([]byte("\n{}\n"), func(n frame.Line) { lines = append(lines, got{string(n.Bytes), n.Offset, n.Number, n.Cut}) })
	if len(lines) != 2 || len(lines[0].Text) != frame.CutHead || !lines[0].Cut || lines[1].Text != "{}" {
		t.Errorf("got %d lines, the first of %d bytes", len(lines), len(lines[0].Text))
	}
}

func TestWholeLinesAreNotCopied(t *testing.T) {
	var l frame.Lines
	chunk := []byte("{\"a\":1}\n{\"b\":2}\n")
	emit := func(n frame.Line) {
		if &n.Bytes[0] != &chunk[n.Offset] {
			t.Error("a line that lies whole in a chunk was copied")
		}
	}
	l.Feed(chunk, emit)
	emit = func(frame.Line) {}
	if allocs := testing.AllocsPerRun(100, func() { l.Feed(chunk, emit) }); allocs > 0 {
		t.Errorf("%v allocations for whole lines", allocs)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("{}\n{\"a\":1}\r\n\x00\x00{}\n[1"), uint64(1), 0)
	f.Add([]byte("\xef\xbb\xbf{\"a\":\"\\n\"}\n\n\n"), uint64(2), 3)
	f.Add([]byte(strings.Repeat("x", 300)+"\n"), uint64(3), 100)
	for _, name := range seeds(f) {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:min(len(b), 4096)], uint64(len(b)), 0)
	}
	f.Fuzz(func(t *testing.T, in []byte, seed uint64, limit int) {
		if limit < 0 || limit > 1<<16 {
			limit = 0
		}
		whole := collect(limit, string(in))
		check(t, in, whole)
		rng := rand.New(rand.NewPCG(seed, 0))
		var cuts []int
		for at := 0; at < len(in); at += rng.IntN(len(in)/4 + 2) {
			cuts = append(cuts, at)
		}
		if diff := cmp.Diff(whole, collect(limit, string(in), cuts...)); diff != "" {
			t.Fatalf("cut at %v (-whole +cut):\n%s", cuts, diff)
		}
		every := make([]int, len(in))
		for i := range every {
			every[i] = i
		}
		if diff := cmp.Diff(whole, collect(limit, string(in), every...)); diff != "" {
			t.Fatalf("one byte at a time (-whole +cut):\n%s", diff)
		}
	})
}

// check holds lines against the input: each lies where it says, and what lies
// between them is nothing.
func check(t *testing.T, in []byte, lines []got) {
	t.Helper()
	end, skipped := 0, false
	for _, l := range lines {
		at := int(l.Offset)
		if at < end || at+len(l.Text) > len(in) || string(in[at:at+len(l.Text)]) != l.Text {
			t.Fatalf("line %d does not lie at %d", l.Number, at)
		}
		if n := int64(bytes.Count(in[:at], []byte{'\n'})) + 1; n != l.Number {
			t.Fatalf("line at %d has number %d, want %d", at, l.Number, n)
		}
		if !skipped {
			nothing(t, in[end:at], end == 0)
		}
		end, skipped = at+len(l.Text), l.Cut
	}
	if !skipped {
		nothing(t, in[end:], end == 0)
	}
}

func nothing(t *testing.T, gap []byte, first bool) {
	t.Helper()
	if first {
		gap = bytes.TrimPrefix(gap, []byte("\xef\xbb\xbf"))
	}
	if rest := bytes.Trim(gap, " \t\r\n\x00"); len(rest) > 0 {
		t.Fatalf("lost %q", rest)
	}
}

// seeds are the transcripts of the corpus.
func seeds(tb testing.TB) []string {
	tb.Helper()
	names, err := filepath.Glob("../../fixtures/*/*/*.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	return names[:min(len(names), 50)]
}

func BenchmarkLines(b *testing.B) {
	var in bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 1))
	for in.Len() < 16<<20 {
		in.WriteString(strings.Repeat("x", 200+rng.IntN(3000)))
		in.WriteByte('\n')
	}
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	emit := func(frame.Line) {}
	for b.Loop() {
		var l frame.Lines
		for data := in.Bytes(); len(data) > 0; {
			n := min(len(data), 256<<10)
			l.Feed(data[:n], emit)
			data = data[n:]
		}
	}
}
