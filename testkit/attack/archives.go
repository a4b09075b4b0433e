package attack

import (
	"archive/zip"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// LineGzip makes a compressed transcript of three lines, the second of them of
// size bytes: a person's words.
func LineGzip(path string, size int64) error {
	return gzipped(path, func(w io.Writer) error { return longLine(w, size) })
}

// DenseGzip is LineGzip with the line of DenseLine.
func DenseGzip(path string, size int64) error {
	return gzipped(path, func(w io.Writer) error { return denseLine(w, size, ",1") })
}

// LineZstd is LineGzip in zstd.
func LineZstd(path string, size int64) error {
	return create(path, func(w io.Writer) error {
		z, err := zstd.NewWriter(w)
		if err != nil {
			return err
		}
		return errors.Join(longLine(z, size), z.Close())
	})
}

// NestedZip is LineGzip in zstd, in gzip, in a ZIP archive.
func NestedZip(path string, size int64) error {
	return create(path, func(w io.Writer) error {
		archive := zip.NewWriter(w)
		inside, err := archive.Create("p/s.jsonl.zst.gz")
		if err != nil {
			return err
		}
		outer := gzip.NewWriter(inside)
		inner, err := zstd.NewWriter(outer)
		if err != nil {
			return err
		}
		return errors.Join(longLine(inner, size), inner.Close(), outer.Close(), archive.Close())
	})
}

func gzipped(path string, fill func(io.Writer) error) error {
	return create(path, func(w io.Writer) error {
		z := gzip.NewWriter(w)
		return errors.Join(fill(z), z.Close())
	})
}
