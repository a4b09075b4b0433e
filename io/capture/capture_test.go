package capture_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/tail"
	"github.com/memscribe/memscribe/sink/ndjson"
)

// script is a tool whose records are edits, {"edit":"path"}, or anything. The
// stages break on {"edit":"nobody's"}.
type script struct{ core.Adapter }

func (script) Tool() core.Tool                       { return "script" }
func (script) NewParser(core.StreamInfo) core.Parser { return script{} }
func (script) Parse(r core.Record, emit func(*core.Event)) {
	ev := &core.Event{Session: "s", Body: &core.Unknown{Raw: core.RawBytes(r.Bytes), Reason: "what is it?"}}
	if r.Doc != nil {
		ev.Body = edit(r.Doc.Root())
	}
	emit(ev)
}

func edit(v jsondoc.Value) core.Body {
	path := v.Get("edit").Str()
	if path == "" {
		return &core.Unknown{RawType: "other", Raw: core.RawValue(v)}
	}
	if path == "nobody's" {
		return (*core.UserTurn)(nil)
	}
	return &core.FileEdit{CallID: "call of a certain length " + path, Tool: "Edit", Diff: core.Diff{
		Path: path, Change: core.Modify, Unified: "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n", Added: 1, Removed: 1,
	}}
}

// held is a sink that keeps the last line of each id; it may refuse.
type held struct {
	lines   map[string]string
	flushed int
	refuse  error
}

func (h *held) Apply(_ context.Context, lines []sink.Line) error {
	if h.refuse != nil {
		return h.refuse
	}
	for _, l := range lines {
		h.lines[l.ID] = string(l.JSON)
	}
	return nil
}

func (h *held) Flush(context.Context) error {
	h.flushed++
	return h.refuse
}

func (h *held) Close() error { return nil }

// rig is a capture with all that it needs.
type rig struct {
	*capture.Capture

	sink     *held
	encoder  *encode.Encoder
	events   bytes.Buffer
	problems []string
}

func newRig(t testing.TB, set func(*rig, *capture.Options)) *rig {
	t.Helper()
	pipe, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{sink: &held{lines: map[string]string{}}, encoder: &encode.Encoder{}}
	o := capture.Options{Set: pipe, Encoder: r.encoder, Sink: r.sink, Report: func(p capture.Problem) {
		r.problems = append(r.problems, fmt.Sprintf("%s:%d: %s (lost: %v)", p.File, p.Line, p.Reason, p.Lost))
	}}
	if set != nil {
		set(r, &o)
	}
	r.Capture = capture.New(o)
	return r
}

func transcript(file string) capture.Transcript {
	return capture.Transcript{Adapter: script{}, Info: core.StreamInfo{Path: file}, File: file}
}

func (r *rig) read(t *testing.T, file string, in io.Reader) {
	t.Helper()
	s := r.Open(transcript(file))
	err := s.Read(t.Context(), in)
	_, end := s.Close(t.Context())
	if err = errors.Join(err, end, r.Settle(t.Context())); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) paths() string {
	var paths []string
	for _, line := range r.sink.lines {
		_, after, _ := strings.Cut(line, `"path":"`)
		path, _, _ := strings.Cut(after, `"`)
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return strings.Join(paths, " ")
}

const edits = `{"edit":"a"}` + "\n" + `{"other":1}` + "\n" + `{"edit":"b"}` + "\n" + `{"edit":"c"}`

func TestNodesReachTheSink(t *testing.T) {
	for name, in := range map[string]io.Reader{
		"at once": strings.NewReader(edits), "byte by byte": iotest.OneByteReader(strings.NewReader(edits)),
		"with its end": iotest.DataErrReader(strings.NewReader(edits)),
	} {
		r := newRig(t, nil)
		r.read(t, "f", in)
		if got := r.paths(); got != "a b c" || r.sink.flushed != 1 || len(r.problems) > 0 {
			t.Errorf("%s: got %s, flushed %d, problems %v", name, got, r.sink.flushed, r.problems)
		}
	}
}

func TestEvents(t *testing.T) {
	r := newRig(t, func(r *rig, o *capture.Options) { o.Events, o.Sink = &r.events, nil })
	r.read(t, "f", strings.NewReader(edits))
	if got := strings.Count(r.events.String(), `{"schema":"memscribe.event/v1","event":`); got != 4 {
		t.Errorf("got %d events:\n%s", got, &r.events)
	}
}

// refusing is a writer that cannot write.
type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }

func TestEventsThatCannotBeWritten(t *testing.T) {
	full := errors.New("full")
	r := newRig(t, func(_ *rig, o *capture.Options) { o.Events = refusing{full} })
	s := r.Open(transcript("f"))
	if err := s.Read(t.Context(), strings.NewReader(edits)); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func TestProblems(t *testing.T) {
	tests := map[string]struct {
		in    io.Reader
		want  []string
		paths string
	}{
		"one bad line": {
			strings.NewReader("{\"edit\":\"a\"}\n{bad\n{\"edit\":\"b\"}\n"),
			[]string{"f:2: what is it?; kept as it is (lost: false)"},
			"a b",
		},
		"bad lines and a torn one": {
			strings.NewReader("\n{bad\n{\"edit\":\"b\"}\n{\"edit"),
			[]string{"f:2: what is it? (the first of 2 such lines); kept as it is (lost: false)"},
			"b",
		},
		"read error": {
			io.MultiReader(strings.NewReader("{\"edit\":\"a\"}\n{\"edit\":\"b\"}"), iotest.ErrReader(errors.New("bad disk"))),
			[]string{"f:2: read: bad disk (lost: true)"},
			"a b",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil)
			r.read(t, "f", tc.in)
			if diff := cmp.Diff(tc.want, r.problems); diff != "" || r.paths() != tc.paths {
				t.Errorf("got %s, want %s (-want +got):\n%s", r.paths(), tc.paths, diff)
			}
		})
	}
}

// wary is a scrubber that cannot do its work on one word.
type wary string

func (w wary) Scrub(_ core.Field, s []byte) ([]byte, []core.Cut, error) {
	if string(s) == string(w) {
		return nil, nil, errors.New("too hard")
	}
	return s, nil, nil
}

func TestRedactionThatFailsStopsTheStream(t *testing.T) {
	r := newRig(t, func(r *rig, _ *capture.Options) { r.encoder.Scrubber = wary("b") })
	r.read(t, "f", iotest.OneByteReader(strings.NewReader(edits)))
	r.read(t, "g", strings.NewReader(`{"edit":"d"}`))
	want := []string{"f:3: redact: too hard; nothing more of this transcript is written (lost: true)"}
	if diff := cmp.Diff(want, r.problems); diff != "" || r.paths() != "a d" {
		t.Errorf("got %s (-want +got):\n%s", r.paths(), diff)
	}
}

// TestFaultStopsTheStream has the program break on a record: what came before is
// there, and other transcripts go on.
func TestFaultStopsTheStream(t *testing.T) {
	r := newRig(t, nil)
	for _, whole := range []bool{true, false} {
		var in io.Reader = strings.NewReader("{\"edit\":\"a\"}\n{\"edit\":\"nobody's\"}\n{\"edit\":\"b\"}\n")
		if !whole {
			in = iotest.OneByteReader(in)
		}
		r.problems = nil
		r.read(t, "f", in)
		r.read(t, "g", strings.NewReader(`{"edit":"d"}`))
		if len(r.problems) != 1 || r.paths() != "a d" {
			t.Fatalf("got %s, problems %q", r.paths(), r.problems)
		}
		for _, part := range []string{"f:2: fault of the program: runtime error: ", "segment", "; nothing more of this transcript is written (lost: true)"} {
			if !strings.Contains(r.problems[0], part) {
				t.Errorf("%q is not in %s", part, r.problems[0])
			}
		}
	}
}

func TestRedactionThatFailsOnAnEvent(t *testing.T) {
	r := newRig(t, func(r *rig, o *capture.Options) {
		r.encoder.Scrubber = wary("b")
		o.Events, o.Sink = &r.events, nil
	})
	r.read(t, "f", strings.NewReader(edits))
	if got := strings.Count(r.events.String(), "\n"); got != 2 || len(r.problems) != 1 {
		t.Errorf("got %d events, problems %v", got, r.problems)
	}
	if strings.Contains(r.events.String(), `"path":"b"`) {
		t.Error("the event that could not be redacted was written")
	}
}

// TestSinkThatRefuses expects lines that were refused to come again.
func TestSinkThatRefuses(t *testing.T) {
	r := newRig(t, nil)
	r.sink.refuse = errors.New("no space")
	s := r.Open(transcript("f"))
	if err := errors.Join(s.Read(t.Context(), strings.NewReader("{\"edit\":\"a\"}\n")), r.Settle(t.Context())); !errors.Is(err, r.sink.refuse) {
		t.Fatalf("got %v", err)
	}
	r.sink.refuse = nil
	if err := r.Settle(t.Context()); err != nil || r.paths() != "a" {
		t.Errorf("got %v, %s", err, r.paths())
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := newRig(t, nil)
	s := r.Open(transcript("f"))
	if err := s.Read(ctx, strings.NewReader(edits)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// nobody reads nothing again.
type nobody struct{}

func (nobody) Again(string)   {}
func (nobody) Release(string) {}

func TestFollower(t *testing.T) {
	r := newRig(t, nil)
	f := capture.NewFollower(capture.FollowerOptions{Capture: r.Capture, Files: nobody{}, Judge: func(_ string, head []byte, _ bool, place core.Adapter) (core.Adapter, core.Framing) {
		switch {
		case bytes.HasPrefix(head, []byte("\n")):
			return script{}, core.Document
		case place == nil && !bytes.Contains(head, []byte("edit")):
			return nil, core.Lines
		}
		return script{}, core.Lines
	}})
	steps := []struct {
		chunk tail.Chunk
		want  string
	}{
		{tail.Chunk{File: "f", Fresh: true}, ""},
		{tail.Chunk{File: "f", Bytes: []byte(`{"other":`)}, ""}, // not a line yet
		{tail.Chunk{File: "f", Bytes: []byte("1}\n")}, ""},      // nobody's, so far
		{tail.Chunk{File: "f", Bytes: []byte(`{"edit":"a"}` + "\n" + `{"edit":`)}, "a"},
		{tail.Chunk{File: "f", Bytes: []byte(`"b"}` + "\n")}, "a b"},
		{tail.Chunk{File: "g", Fresh: true, Bytes: []byte(`{"edit":"c"}`)}, "a b"},
		{tail.Chunk{File: "g", End: true}, "a b c"},
		{tail.Chunk{File: "f", Fresh: true, Bytes: []byte(`{"edit":"d"}` + "\n")}, "a b c d"},
		{tail.Chunk{File: "h", Fresh: true, Bytes: bytes.Repeat([]byte("x"), 64<<10)}, "a b c d"},
		{tail.Chunk{File: "h", Bytes: []byte(`{"edit":"e"}` + "\n")}, "a b c d"}, // too late
		{tail.Chunk{File: "h", End: true}, "a b c d"},
		{tail.Chunk{File: "doc", Fresh: true, Bytes: []byte("\n{")}, "a b c d"},
		{tail.Chunk{File: "doc", Bytes: []byte("\n\"edit\":\"x\"\n}")}, "a b c d"},
		{tail.Chunk{File: "doc", End: true}, "a b c d x"},
		{tail.Chunk{File: "p", Fresh: true, End: true, Place: script{}, Bytes: []byte("{}")}, "a b c d x"},
	}
	for i, s := range steps {
		if err := errors.Join(f.Take(t.Context(), s.chunk), f.Settle(t.Context(), true)); err != nil {
			t.Fatal(err)
		}
		if whole := f.Whole(s.chunk.File); whole != (s.chunk.File == "doc" && !s.chunk.End) {
			t.Errorf("step %d: whole: %v", i, whole)
		}
		if got := r.paths(); got != s.want {
			t.Errorf("step %d: got %q, want %q", i, got, s.want)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	var in bytes.Buffer
	for i := 0; in.Len() < 8<<20; i++ {
		fmt.Fprintf(&in, `{"other":%q}`+"\n", strings.Repeat("x", 1500))
		if i%100 == 0 {
			fmt.Fprintf(&in, `{"edit":"f%d"}`+"\n", i)
		}
	}
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := newRig(b, func(_ *rig, o *capture.Options) { o.Sink = ndjson.NewSorted(io.Discard) })
		s := r.Open(transcript("f"))
		if err := s.Read(b.Context(), bytes.NewReader(in.Bytes())); err != nil {
			b.Fatal(err)
		}
		if err := r.Settle(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
