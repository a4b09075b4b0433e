package tail_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

// recorder is a consumer that writes down what it gets: "name<" begins a file,
// "name:bytes" goes on with it, "name>" ends it.
type recorder struct {
	dir     string
	log     []string
	settled chan []string // what was logged up to a Settle
	fail    error
}

func (r *recorder) Take(_ context.Context, c tail.Chunk) error {
	name := filepath.ToSlash(strings.TrimPrefix(c.File, r.dir+string(filepath.Separator)))
	if c.Fresh {
		r.log = append(r.log, name+"<")
	}
	if len(c.Bytes) > 0 {
		r.log = append(r.log, fmt.Sprintf("%s:%s", name, c.Bytes))
	}
	if c.End {
		r.log = append(r.log, name+">")
	}
	return r.fail
}

// Whole takes files for documents by their names.
func (r *recorder) Whole(file string) bool { return filepath.Ext(file) == ".json" }

func (r *recorder) Settle(_ context.Context, idle bool) error {
	if r.settled != nil && idle {
		r.settled <- r.log
	}
	if idle {
		r.log = nil
	}
	return r.fail
}

// rig is a Source that runs over a folder and looks when it is told to.
type rig struct {
	t        *testing.T
	dir      string
	wake     chan time.Time
	recorder *recorder
	stop     context.CancelFunc
	done     chan error
	problems []string
}

func start(t *testing.T) *rig {
	t.Helper()
	return startWith(t, func(*tail.Source) {})
}

// startWith starts a Source after set.
func startWith(t *testing.T, set func(*tail.Source)) *rig {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &rig{t: t, dir: t.TempDir(), wake: make(chan time.Time), done: make(chan error, 1), stop: stop}
	r.recorder = &recorder{dir: r.dir, settled: make(chan []string)}
	s := source(r.dir)
	s.Wake = r.wake
	set(s)
	s.Report = func(file string, err error) { r.problems = append(r.problems, filepath.Base(file)) }
	go func() { r.done <- s.Run(ctx, r.recorder) }()
	r.want("at the start")
	return r
}

func source(dir string) *tail.Source {
	return &tail.Source{
		Roots:  []discover.Root{discover.Everything(dir)},
		Report: func(string, error) {},
		Log:    slog.New(slog.DiscardHandler),
	}
}

// look wakes the source and checks what it makes of things.
func (r *rig) look(when string, want ...string) {
	r.t.Helper()
	r.wake <- time.Time{}
	r.want(when, want...)
}

func (r *rig) want(when string, want ...string) {
	r.t.Helper()
	if diff := cmp.Diff(want, <-r.recorder.settled); diff != "" {
		r.t.Errorf("%s (-want +got):\n%s", when, diff)
	}
}

func (r *rig) end(want ...string) {
	r.t.Helper()
	r.stop()
	r.want("at the end", want...)
	if err := <-r.done; err != nil {
		r.t.Error(err)
	}
}

func (r *rig) write(name, data string) {
	r.t.Helper()
	p := filepath.Join(r.dir, filepath.FromSlash(name))
	must(r.t, os.MkdirAll(filepath.Dir(p), 0o700))
	must(r.t, os.WriteFile(p, []byte(data), 0o600))
}

func (r *rig) add(name, data string) {
	r.t.Helper()
	f, err := os.OpenFile(filepath.Join(r.dir, name), os.O_APPEND|os.O_WRONLY, 0)
	must(r.t, err)
	_, err = f.WriteString(data)
	must(r.t, errors.Join(err, f.Close()))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFollowing(t *testing.T) {
	r := start(t)
	r.write("a", "one\n")
	r.write("d/b", "two")
	r.look("two files", "a<", "a:one\n", "d/b<", "d/b:two")
	r.look("nothing")
	r.add("a", "more\n")
	r.look("growth", "a:more\n")
	r.add("a", "x")
	r.write("new/deep/c", "three\n")
	r.look("growth and a new folder", "a:x", "new/deep/c<", "new/deep/c:three\n")
	r.write("a", "no\n")
	r.look("cut short", "a<", "a:no\n")
	must(t, os.Remove(filepath.Join(r.dir, "a")))
	r.look("removed", "a>")
	r.write("a", "again\n")
	r.look("made again", "a<", "a:again\n")
	r.write("empty", "")
	r.look("empty", "empty<")
	r.add("empty", "now\n")
	r.look("no longer empty", "empty:now\n")
	r.end("a>", "d/b>", "empty>", "new/deep/c>")
}

func TestReplacedFile(t *testing.T) {
	r := start(t)
	r.write("a", "one\n")
	r.look("first", "a<", "a:one\n")
	r.write("a.tmp", "another one, and longer\n")
	must(t, os.Rename(filepath.Join(r.dir, "a.tmp"), filepath.Join(r.dir, "a")))
	r.look("another file of the same name", "a<", "a:another one, and longer\n")
	r.end("a>")
}

func TestLinkedFileIsFollowedOnce(t *testing.T) {
	r := start(t)
	r.write("a", "one\n")
	if err := os.Symlink(filepath.Join(r.dir, "a"), filepath.Join(r.dir, "b")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	r.look("a file and a link", "a<", "a:one\n")
	r.end("a>")
}

func TestLongFile(t *testing.T) {
	r := start(t)
	long := strings.Repeat("x", 1<<20)
	r.write("a", long)
	r.wake <- time.Time{}
	got := strings.Join(<-r.recorder.settled, "")
	if want := "a<" + long; strings.ReplaceAll(got, "a:", "") != want {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
	r.end("a>")
}

// tarball is an archive with one file.
func tarball(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	must(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}))
	_, err := io.WriteString(w, text)
	must(t, errors.Join(err, w.Close()))
	return b.String()
}

func TestCompressedFile(t *testing.T) {
	r := start(t)
	packed := func(data string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, data)
		must(t, errors.Join(err, w.Close()))
		return b.String()
	}
	r.write("a.gz", packed("one\n"))
	r.write("torn.gz", strings.TrimSuffix(packed("one\n"), packed("one\n")[24:]))
	r.look("compressed", "a.gz<", "a.gz:one\n", "a.gz>", "torn.gz<", "torn.gz:one\n")
	r.look("nothing new")
	r.write("a.gz", packed("one\ntwo\n"))
	r.look("rewritten", "a.gz<", "a.gz:one\ntwo\n", "a.gz>")
	// A form that is not read, and an archive, are named.
	r.write("b.xz", "\xfd7zXZ\x00\x00\x04")
	r.write("c.gz", packed(tarball(t, "x.jsonl", "one\n")))
	r.look("neither is followed")
	r.look("nor again")
	r.end("a.gz>", "b.xz>", "c.gz>", "torn.gz>")
	if diff := cmp.Diff([]string{"torn.gz", "b.xz", "c.gz"}, r.problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestPackedUnderAnyName: what is packed is not taken for text because it is called like one, and
// what takes its place is.
func TestPackedUnderAnyName(t *testing.T) {
	r := start(t)
	var gz strings.Builder
	w := gzip.NewWriter(&gz)
	_, err := io.WriteString(w, "one\n")
	must(t, errors.Join(err, w.Close()))
	r.write("a.jsonl", gz.String())
	r.write("b.jsonl", "BZh91AY&SY\xba\xc6M\xdb")
	r.write("c.jsonl", tarball(t, "x.jsonl", "one\n"))
	r.look("all are new", "a.jsonl<", "a.jsonl:one\n", "a.jsonl>")
	r.look("nothing new")
	r.write("b.jsonl", "two\n")
	r.look("unpacked in place", "b.jsonl<", "b.jsonl:two\n")
	r.add("b.jsonl", "three\n")
	r.look("and goes on", "b.jsonl:three\n")
	r.write("b.jsonl", gz.String())
	r.look("packed again", "b.jsonl<", "b.jsonl:one\n", "b.jsonl>")
	r.end("a.jsonl>", "b.jsonl>", "c.jsonl>")
	if diff := cmp.Diff([]string{"b.jsonl", "c.jsonl"}, r.problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestDocument(t *testing.T) {
	r := start(t)
	r.write("a.json", "[1]")
	r.look("written", "a.json<", "a.json:[1]", "a.json>")
	r.look("nothing new")
	r.write("a.json", "[1,2]")
	r.look("rewritten", "a.json<", "a.json:[1,2]", "a.json>")
	r.end("a.json>")
}

func TestUnreadableFileIsReportedOnce(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("permissions do not stop this user")
	}
	r := start(t)
	r.write("a", "one\n")
	r.write("b", "two\n")
	must(t, os.Chmod(filepath.Join(r.dir, "a"), 0))
	r.look("one is unreadable", "b<", "b:two\n")
	r.look("and still is")
	must(t, os.Chmod(filepath.Join(r.dir, "a"), 0o600))
	r.look("readable", "a<", "a:one\n")
	r.end("a>", "b>")
	if diff := cmp.Diff([]string{"a"}, r.problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestOnce(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("one\ntwo"), 0o600))
	c := &recorder{dir: dir, settled: make(chan []string, 1)}
	must(t, source(dir).Once(t.Context(), c))
	if diff := cmp.Diff([]string{"a<", "a:one\ntwo", "a>"}, <-c.settled); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// asking is a consumer that wants another file when one has ended.
type asking struct {
	*recorder

	source   *tail.Source
	ended    string
	asks     string
	answered bool
}

func (a *asking) Take(ctx context.Context, c tail.Chunk) error {
	if c.End && filepath.Base(c.File) == a.ended && !a.answered {
		a.answered = true
		a.source.Again(filepath.Join(a.dir, a.asks))
	}
	return a.recorder.Take(ctx, c)
}

// doing is a consumer that does something when it gets the first bytes of a file.
type doing struct {
	*recorder

	first string
	do    func()
}

func (d *doing) Take(ctx context.Context, c tail.Chunk) error {
	if d.do != nil && filepath.Base(c.File) == d.first {
		d.do()
		d.do = nil
	}
	return d.recorder.Take(ctx, c)
}

// TestLinksThatComeBetween has a file, a folder above it and a system's file take a
// transcript's place as links after it was found and before it is read.
func TestLinksThatComeBetween(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right of their own on Windows")
	}
	for name, linked := range map[string]func(dir, out string) error{
		"file": func(dir, out string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "b/c")), os.Symlink(filepath.Join(out, "c"), filepath.Join(dir, "b/c")))
		},
		"folder": func(dir, out string) error {
			return errors.Join(os.RemoveAll(filepath.Join(dir, "b")), os.Symlink(out, filepath.Join(dir, "b")))
		},
		"system": func(dir, _ string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "b/c")), os.Symlink("/proc/self/environ", filepath.Join(dir, "b/c")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "system" && runtime.GOOS != "linux" {
				t.Skip("the system has no /proc")
			}
			dir, out := t.TempDir(), t.TempDir()
			must(t, os.Mkdir(filepath.Join(dir, "b"), 0o700))
			for path, text := range map[string]string{filepath.Join(dir, "a"): "one\n", filepath.Join(dir, "b", "c"): "two\n", filepath.Join(out, "c"): "private\n"} {
				must(t, os.WriteFile(path, []byte(text), 0o600))
			}
			c := &doing{recorder: &recorder{dir: dir, settled: make(chan []string, 1)}, first: "a"}
			c.do = func() { must(t, linked(dir, out)) }
			s := source(dir)
			var reported []error
			s.Report = func(_ string, err error) { reported = append(reported, err) }
			must(t, s.Once(t.Context(), c))
			if diff := cmp.Diff([]string{"a<", "a:one\n", "a>"}, <-c.settled); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(reported) != 1 || !errors.Is(reported[0], discover.ErrLeadsOut) {
				t.Errorf("reported is %v", reported)
			}
		})
	}
}

// TestLastLinesAskForAnother has the end of one file show that another has to be
// read again: that is done before the run ends.
func TestLastLinesAskForAnother(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	s := source(dir)
	c := &asking{recorder: &recorder{dir: dir, settled: make(chan []string, 1)}, source: s, ended: "b", asks: "a"}
	must(t, s.Once(t.Context(), c))
	if diff := cmp.Diff([]string{"a<", "a:a", "b<", "b:b", "a>", "b>", "a<", "a:a", "a>"}, <-c.settled); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConsumerThatFails(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("one\n"), 0o600))
	full := errors.New("full")
	c := &recorder{dir: dir, fail: full}
	if err := source(dir).Once(t.Context(), c); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if err := source(dir).Run(t.Context(), c); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestNotifications follows for real: whatever happens below the folders, also
// before they exist, the consumer hears of it without being told to look.
func TestNotifications(t *testing.T) {
	r := &rig{t: t, dir: t.TempDir(), done: make(chan error, 1)}
	ctx, stop := context.WithCancel(t.Context())
	r.recorder = &recorder{dir: r.dir, settled: make(chan []string)}
	s := source(filepath.Join(r.dir, "not", "yet"))
	go func() { r.done <- s.Run(ctx, r.recorder) }()
	r.want("at the start")
	deadline, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for i, step := range []struct{ name, want string }{
		{"not/yet/a", "not/yet/a:0"},
		{"not/yet/a", "not/yet/a:1"},
		{"not/yet/deep/er/b", "not/yet/deep/er/b:2"},
		{"not/yet/deep/er/b", "not/yet/deep/er/b:3"},
	} {
		p := filepath.Join(r.dir, filepath.FromSlash(step.name))
		must(t, os.MkdirAll(filepath.Dir(p), 0o700))
		f, err := os.OpenFile(p, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		must(t, err)
		fmt.Fprint(f, i)
		must(t, f.Close())
		for heard := false; !heard; {
			select {
			case log := <-r.recorder.settled:
				heard = strings.Contains(strings.Join(log, " "), step.want)
			case <-deadline.Done():
				t.Fatalf("heard nothing of %s", step.want)
			}
		}
	}
	stop()
	for {
		select {
		case <-r.recorder.settled:
		case err := <-r.done:
			must(t, err)
			return
		}
	}
}

// adder is a consumer that has a folder followed as soon as a file says so.
type adder struct {
	*recorder

	source *tail.Source
	root   discover.Root
}

func (a *adder) Take(ctx context.Context, c tail.Chunk) error {
	if strings.Contains(string(c.Bytes), "more") {
		a.source.Add(a.root)
	}
	return a.recorder.Take(ctx, c)
}

// TestAdd has the consumer add a folder while it is given a file: what lies there
// is read before it settles.
func TestAdd(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a/1": "more\n", "b/2": "two\n", "b/3": "three\n"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	r := &recorder{dir: dir, settled: make(chan []string, 1)}
	s := source(filepath.Join(dir, "a"))
	must(t, s.Once(t.Context(), &adder{r, s, discover.Named(filepath.Join(dir, "b", "2"))}))
	want := []string{"a/1<", "a/1:more\n", "b/2<", "b/2:two\n", "a/1>", "b/2>"}
	if diff := cmp.Diff(want, <-r.settled); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
