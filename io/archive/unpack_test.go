package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/memscribe/memscribe/io/archive"
)

type file struct {
	name string
	data []byte
}

func zst(t testing.TB, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(data, nil)
}

func gz(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: 0o600, Size: int64(len(f.data)), Typeflag: tar.TypeReg}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		err := w.WriteHeader(h)
		if _, data := w.Write(f.data); errors.Join(err, data) != nil {
			t.Fatal(err, data)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		e, err := w.Create(f.name)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.data) == 0 {
			continue
		}
		if _, err = e.Write(f.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// list reads everything: "path: content" or "path! error".
func list(name string, r io.Reader, limits archive.Limits) []string {
	var out []string
	for e, err := range archive.File(name, r, limits) {
		if err != nil {
			out = append(out, fmt.Sprintf("%s! %v", e.Path, err))
			continue
		}
		data, err := io.ReadAll(e.Body)
		if err != nil {
			out = append(out, fmt.Sprintf("%s! %v", e.Path, err))
			continue
		}
		out = append(out, fmt.Sprintf("%s: %s", e.Path, data))
	}
	return out
}

func TestFile(t *testing.T) {
	line := []byte(`{"a":1}` + "\n")
	tests := map[string]struct {
		in   []byte
		want []string
	}{
		"plain": {line, []string{"f: {\"a\":1}\n"}},
		"empty": {nil, []string{"f: "}},
		"zstd":  {zst(t, line), []string{"f: {\"a\":1}\n"}},
		"gzip":  {gz(t, line), []string{"f: {\"a\":1}\n"}},
		"gzip of two members": {
			append(gz(t, line), gz(t, []byte("x"))...), []string{"f: {\"a\":1}\nx"},
		},
		"zstd after a skippable frame": {
			append([]byte{0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 'h', 'i'}, zst(t, line)...), []string{"f: {\"a\":1}\n"},
		},
		"tar in its order": {
			tarOf(t, file{"d/", nil}, file{"d/b", []byte("B")}, file{"./a", []byte("A")}),
			[]string{"f!/d/b: B", "f!/a: A"},
		},
		"zip by name": {
			zipOf(t, file{"d/", nil}, file{"d/b", []byte("B")}, file{`c\a`, []byte("A")}),
			[]string{"f!/c/a: A", "f!/d/b: B"},
		},
		"tar.gz":  {gz(t, tarOf(t, file{"a", line})), []string{"f!/a: {\"a\":1}\n"}},
		"tar.zst": {zst(t, tarOf(t, file{"a", line})), []string{"f!/a: {\"a\":1}\n"}},
		"zstd in zip": {
			zipOf(t, file{"a.zst", zst(t, line)}), []string{"f!/a.zst: {\"a\":1}\n"},
		},
		"zip in tar.gz": {
			gz(t, tarOf(t, file{"z.zip", zipOf(t, file{"a", line})})), []string{"f!/z.zip!/a: {\"a\":1}\n"},
		},
		"path outside": {
			zipOf(t, file{"../../etc/x", []byte("A")}), []string{"f!/etc/x: A"},
		},
		"path outside, tar": {
			tarOf(t, file{"/../x", []byte("A")}), []string{"f!/x: A"},
		},
		"broken entry, others follow": {
			tarOf(t, file{"a", []byte("A")}, file{"b.gz", []byte{0x1f, 0x8b, 8, 0xff}}, file{"c", []byte("C")}),
			[]string{"f!/a: A", "f!/b.gz! read gzip: unexpected EOF", "f!/c: C"},
		},
		"torn zstd":    {zst(t, bytes.Repeat(line, 1000))[:20], []string{"f! unexpected EOF"}},
		"torn zip":     {zipOf(t, file{"a", line})[:40], []string{"f! read zip: zip: not a valid zip file"}},
		"almost a tar": {append([]byte("a\x00"), make([]byte, 600)...), []string{"f: a" + strings.Repeat("\x00", 601)}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, list("f", bytes.NewReader(tc.in), archive.Standard())); diff != "" {
				t.Errorf("from a stream (-want +got):\n%s", diff)
			}
			p := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(p, tc.in, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(p)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if diff := cmp.Diff(tc.want, list("f", f, archive.Standard())); diff != "" {
				t.Errorf("from a file (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTornTarGivesWhatItHolds(t *testing.T) {
	whole := tarOf(t, file{"a", []byte("A")}, file{"b", bytes.Repeat([]byte("B"), 2000)})
	got := list("f", bytes.NewReader(whole[:2000]), archive.Standard())
	want := []string{"f!/a: A", "f!/b! unexpected EOF", "f! read tar: unexpected EOF"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTornFileGivesWhatItHolds(t *testing.T) {
	whole := gz(t, []byte("hello"))
	for e, err := range archive.File("f", bytes.NewReader(whole[:len(whole)-4]), archive.Standard()) {
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(e.Body)
		if string(data) != "hello" || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %q and %v", data, err)
		}
	}
}

func TestLimits(t *testing.T) {
	limits := archive.Limits{Entries: 3, Nesting: 2, Bytes: 1 << 20, Ratio: 100}
	zeros := make([]byte, 16<<20)
	tests := map[string][]byte{
		"zstd bomb":               zst(t, zeros),
		"gzip bomb":               gz(t, zeros),
		"zip bomb":                zipOf(t, file{"a", zeros}),
		"bomb of a zip in a gzip": gz(t, zipOf(t, file{"a", zeros})),
		"matryoshka":              gz(t, gz(t, gz(t, []byte("x")))),
		"many files":              tarOf(t, file{"1", nil}, file{"2", nil}, file{"3", nil}, file{"4", nil}, file{"5", nil}),
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !limited(in, limits) {
				t.Error("no limit was reached")
			}
		})
	}
}

// limited reads until an error and reports whether it is a limit's.
func limited(in []byte, limits archive.Limits) bool {
	for e, err := range archive.File("f", bytes.NewReader(in), limits) {
		if err == nil {
			_, err = io.Copy(io.Discard, e.Body)
		}
		if err != nil {
			return errors.Is(err, archive.ErrLimit)
		}
	}
	return false
}

// TestFormsThatAreNotRead shows that what is packed in another form is named, and not taken for text.
func TestFormsThatAreNotRead(t *testing.T) {
	for form, packed := range map[string]string{ // of {"a":1}, but for 7-Zip and RAR, which are beginnings
		"xz":    "fd377a585a000004e6d6b4460200210116000000742fe5a30100077b2261223a317d0a00be4991435504ef8500012008bb19d9bb1fb6f37d010000000004595a",
		"bzip2": "425a6839314159265359bac64ddb00000359800010100020102000000a20002203650860114a1f177245385090bac64ddb",
		"lz4":   "04224d186440a7080000807b2261223a317d0a00000000e139a569",
		"7-Zip": "377abcaf271c0004",
		"RAR":   "526172211a0701003392b5e5",
	} {
		data, err := hex.DecodeString(packed)
		if err != nil {
			t.Fatal(err)
		}
		for name, in := range map[string][]byte{"f": data, "in a zip": zipOf(t, file{"a.jsonl." + form, data}, file{"b", []byte("B")})} {
			var failed []error
			entries := 0
			for _, err := range archive.File(name, bytes.NewReader(in), archive.Standard()) {
				if err != nil {
					failed = append(failed, err)
				} else {
					entries++
				}
			}
			if len(failed) != 1 || !errors.Is(failed[0], archive.ErrForm) || !strings.Contains(failed[0].Error(), "packed with "+form) {
				t.Errorf("%s, %s: %v", form, name, failed)
			}
			if want := strings.Count(name, " ") / 2; entries != want {
				t.Errorf("%s, %s: %d files, want %d", form, name, entries, want)
			}
		}
	}
	if got := list("f", strings.NewReader("BZh91 is a name\n"), archive.Standard()); !cmp.Equal(got, []string{"f: BZh91 is a name\n"}) {
		t.Errorf("a text: %q", got)
	}
}

func TestStopping(t *testing.T) {
	in := zipOf(t, file{"a", []byte("A")}, file{"b", []byte("B")})
	for e, err := range archive.File("f", bytes.NewReader(in), archive.Standard()) {
		if err != nil || e.Path != "f!/a" {
			t.Fatalf("got %s, %v after stopping", e.Path, err)
		}
		break
	}
}

func FuzzFile(f *testing.F) {
	line := []byte(`{"a":1}` + "\n")
	f.Add(zst(f, line))
	f.Add(gz(f, tarOf(f, file{"a", line})))
	f.Add(zipOf(f, file{"a", line}, file{"b.gz", gz(f, line)}))
	limits := archive.Limits{Entries: 100, Nesting: 4, Bytes: 1 << 20, Ratio: 100}
	f.Fuzz(func(t *testing.T, in []byte) {
		a, b := list("f", bytes.NewReader(in), limits), list("f", bytes.NewReader(in), limits)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("read twice (-first +second):\n%s", diff)
		}
	})
}
