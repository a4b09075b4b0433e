package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

// pack makes a compressed file or an archive: pack OUT FILE… The ending of OUT
// says which; an archive holds the files under the names given.
func pack(ts *testscript.TestScript, _ bool, args []string) {
	out, names := args[0], args[1:]
	var data bytes.Buffer
	switch {
	case strings.HasSuffix(out, ".zip"):
		ts.Check(zipTo(&data, ts, names))
	case strings.Contains(out, ".tar"):
		ts.Check(tarTo(&data, ts, names))
	default:
		data.WriteString(ts.ReadFile(names[0]))
	}
	var packed bytes.Buffer
	w := io.WriteCloser(nopCloser{&packed})
	switch {
	case strings.HasSuffix(out, ".gz"):
		w = gzip.NewWriter(&packed)
	case strings.HasSuffix(out, ".zst"):
		z, err := zstd.NewWriter(&packed)
		ts.Check(err)
		w = z
	}
	_, err := data.WriteTo(w)
	ts.Check(err)
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(out), packed.Bytes(), 0o600))
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func zipTo(w io.Writer, ts *testscript.TestScript, names []string) error {
	z := zip.NewWriter(w)
	for _, name := range names {
		f, err := z.Create(name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, ts.ReadFile(name)); err != nil {
			return err
		}
	}
	return z.Close()
}

func tarTo(w io.Writer, ts *testscript.TestScript, names []string) error {
	t := tar.NewWriter(w)
	for _, name := range names {
		data := ts.ReadFile(name)
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		if _, err := io.WriteString(t, data); err != nil {
			return err
		}
	}
	return t.Close()
}
