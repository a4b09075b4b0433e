package jsondoc_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// records returns the lines to measure with and their size: those of the .jsonl
// files under the folder that JSONDOC_TRANSCRIPTS names, or else made up.
func records(b *testing.B) (lines [][]byte, size int64) {
	b.Helper()
	var all []byte
	root := os.Getenv("JSONDOC_TRANSCRIPTS")
	if root == "" {
		all = madeUp(2000)
	} else if err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	}); err != nil {
		b.Fatal(err)
	}
	for line := range bytes.Lines(all) {
		if line = bytes.TrimSpace(line); jsontext.Value(line).IsValid(tolerant()...) {
			lines = append(lines, line)
			size += int64(len(line))
		}
	}
	if size == 0 {
		b.Fatal("nothing to measure")
	}
	return lines, size
}

// madeUp returns n lines like those of Claude Code: a frame of short strings
// around a message, a tool call or a result, whose text is code and log lines.
// The sizes are spread as in real ones, a median near 1 KB and a long tail.
func madeUp(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	id := func() string {
		return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", r.Uint32(), r.Uint32()>>16, r.Uint32()>>20, r.Uint32()>>20, r.Uint64()>>16)
	}
	pieces := []string{
		"func (s *Store) Load(ctx context.Context, id string) (*Order, error) {\n",
		"\tif err != nil {\n\t\treturn nil, fmt.Errorf(\"load %q: %w\", id, err)\n\t}\n", "}\n\n",
		"2026-06-22T10:00:00.123Z INFO request handled path=/v1/orders status=200 took=1.2ms\n",
		"The test fails because the retry loop swallows the first error, so I will change it. ",
		"const label = `größe` // naïve\n", "--- a/store.go\n+++ b/store.go\n@@ -10,7 +10,9 @@\n",
	}
	text := func() []byte {
		var sb strings.Builder
		for want := int(60 * (1 + r.ExpFloat64()*r.ExpFloat64()*12)); sb.Len() < want; {
			sb.WriteString(pieces[r.IntN(len(pieces))])
		}
		return jsondoc.AppendQuoteString(nil, sb.String())
	}
	var out []byte
	parent := "null"
	for i := range n {
		self := id()
		out = fmt.Appendf(out, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/dev/work/orders",`+
			`"sessionId":"8bc06e85-6243-4c5f-b594-d0afb6391106","version":"2.0.77","gitBranch":"main",`, parent)
		switch i % 3 {
		case 0:
			out = fmt.Appendf(out, `"type":"user","message":{"role":"user","content":%s},`, text())
		case 1:
			out = fmt.Appendf(out, `"type":"assistant","message":{"model":"claude-x","id":"msg_%x","type":"message","role":"assistant",`+
				`"content":[{"type":"text","text":%s},{"type":"tool_use","id":"toolu_%x","name":"Edit","input":{"file_path":"/home/dev/work/orders/store.go","old_string":%s,"new_string":%s}}],`+
				`"stop_reason":null,"usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d,"service_tier":"standard"}},"requestId":"req_%x",`,
				r.Uint64(), text(), r.Uint64(), text(), text(), r.IntN(100), r.IntN(100000), r.IntN(2000), r.Uint64())
		case 2:
			result := text()
			out = fmt.Appendf(out, `"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%x","type":"tool_result","content":%s,"is_error":false}]},`+
				`"toolUseResult":{"stdout":%s,"stderr":"","interrupted":false,"isImage":false},`, r.Uint64(), result, result)
		}
		out = fmt.Appendf(out, `"uuid":"%s","timestamp":"2026-06-22T10:%02d:%02d.%03dZ"}`+"\n", self, i/60%60, i%60, r.IntN(1000))
		parent = `"` + self + `"`
	}
	return out
}

// walker reads lines with jsontext, token by token, and looks at none.
type walker struct {
	dec  *jsontext.Decoder
	buf  *bytes.Buffer
	opts []jsontext.Options
}

func newWalker() *walker {
	w := &walker{buf: new(bytes.Buffer), opts: []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}}
	w.dec = jsontext.NewDecoder(w.buf, w.opts...)
	return w
}

func (w *walker) walk(line []byte) {
	*w.buf = *bytes.NewBuffer(line)
	w.dec.Reset(w.buf, w.opts...)
	for {
		if _, err := w.dec.ReadToken(); err != nil {
			return
		}
	}
}

func BenchmarkParse(b *testing.B) {
	lines, size := records(b)
	var d jsondoc.Doc
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			if _, err := d.Parse(line); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkJSONText(b *testing.B) {
	lines, size := records(b)
	w := newWalker()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			w.walk(line)
		}
	}
}

// BenchmarkRatio takes turns at the same lines, so that whatever else the
// machine does falls on both; x-jsontext is how many times faster Parse is.
func BenchmarkRatio(b *testing.B) {
	lines, _ := records(b)
	w := newWalker()
	var d jsondoc.Doc
	var walk, parse time.Duration
	for b.Loop() {
		for part := lines; len(part) > 0; part = part[min(100, len(part)):] {
			start := time.Now()
			for _, line := range part[:min(100, len(part))] {
				w.walk(line)
			}
			middle := time.Now()
			for _, line := range part[:min(100, len(part))] {
				_, _ = d.Parse(line)
			}
			walk += middle.Sub(start)
			parse += time.Since(middle)
		}
	}
	b.ReportMetric(float64(walk)/float64(parse), "x-jsontext")
}

// BenchmarkExtract is Parse and what an adapter asks of a record.
func BenchmarkExtract(b *testing.B) {
	lines, size := records(b)
	var d jsondoc.Doc
	var text []byte
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			if _, err := d.Parse(line); err != nil {
				b.Fatal(err)
			}
			root := d.Root()
			text = text[:0]
			for _, name := range []string{"type", "uuid", "parentUuid", "sessionId", "timestamp", "cwd", "gitBranch"} {
				text = root.Get(name).AppendStr(text)
			}
			message := root.Get("message")
			root.Path("message", "usage", "output_tokens").Int()
			text = message.Get("content").AppendStr(text)
			for part := range message.Get("content").Elems() {
				if part.Get("type").Is("text") {
					text = part.Get("text").AppendStr(text)
				}
			}
		}
	}
}

// BenchmarkText measures each way through the text of all strings.
func BenchmarkText(b *testing.B) {
	lines, _ := records(b)
	var bodies, plain [][]byte
	var size int64
	for _, line := range lines {
		d := new(jsondoc.Doc)
		if _, err := d.Parse(line); err != nil {
			b.Fatal(err)
		}
		for _, s := range texts(d.Root(), nil) {
			quoted := jsondoc.AppendQuoteString(nil, s)
			bodies = append(bodies, quoted[1:len(quoted)-1])
			plain = append(plain, []byte(s))
			size += int64(len(quoted))
		}
	}
	var dst []byte
	for _, bm := range []struct {
		name  string
		texts [][]byte
		f     func(dst, s []byte) []byte
	}{
		{"Unquote", bodies, jsondoc.Unquote},
		{"AppendQuote", plain, jsondoc.AppendQuote},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range bm.texts {
					dst = bm.f(dst[:0], s)
				}
			}
		})
	}
}

// BenchmarkCompact is AppendCompact of parsed lines that are compact already,
// and of the same with space between the tokens and every slash escaped.
func BenchmarkCompact(b *testing.B) {
	lines, size := records(b)
	for _, spread := range []bool{false, true} {
		docs := make([]jsondoc.Doc, len(lines))
		for i, line := range lines {
			if spread {
				value := jsontext.Value(bytes.ReplaceAll(line, []byte("/"), []byte(`\/`)))
				if err := value.Format(append(tolerant(), jsontext.PreserveRawStrings(true), jsontext.Multiline(true))...); err != nil {
					b.Fatal(err)
				}
				line = value
			}
			if _, err := docs[i].Parse(line); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(map[bool]string{false: "already", true: "spread"}[spread], func(b *testing.B) {
			var dst []byte
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for i := range docs {
					dst = docs[i].Root().AppendCompact(dst[:0])
				}
			}
		})
	}
}
