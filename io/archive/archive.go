package archive

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// tar yields the files of a TAR archive, in their order.
func (w *walker) tar(e Entry, depth int) {
	t := tar.NewReader(e.Body)
	for !w.finished {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) { // nothing is written to that path
			w.fail(e.Path, fmt.Errorf("read tar: %w", err))
			return
		}
		if h.Typeflag == tar.TypeReg || h.Typeflag == tar.TypeGNUSparse {
			w.walk(w.unpacked(inside(e.Path, h.Name), h.Size, t), nil, depth+1)
		}
	}
}

// zip yields the files of a ZIP archive, sorted by name.
func (w *walker) zip(e Entry, raw io.Reader, depth int) {
	at, size, done, err := w.randomAccess(e, raw)
	if err != nil {
		w.fail(e.Path, fmt.Errorf("read zip: %w", err))
		return
	}
	defer done()
	index := &indexReader{ReaderAt: at, left: &w.index}
	defer func() { w.index += index.read }()
	z, err := zip.NewReader(index, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // nothing is written to that path
		w.fail(e.Path, fmt.Errorf("read zip: %w", err))
		return
	}
	index.left = nil
	if held := compressedSize(z.File); held > uint64(size) { // of which some are the same bytes
		w.fail(e.Path, fmt.Errorf("read zip: its files take %d bytes, and it has %d: %w", held, size, ErrLimit))
		return
	}
	z.RegisterDecompressor(zip.Deflate, flate.NewReader)
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(w.window)))
	slices.SortStableFunc(z.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range z.File {
		if w.finished {
			return
		}
		if f.Mode().IsRegular() {
			w.zipEntry(e.Path, f, depth)
		}
	}
}

// indexReader reads the directory of a ZIP archive, which package zip holds in memory. It stops
// when the directories of all open archives exceed maxIndex.
type indexReader struct {
	io.ReaderAt

	left *int64 // bytes that all directories may still take; nil when this one is read
	read int64  // bytes of this directory
}

// ReadAt implements io.ReaderAt. It returns [ErrLimit] if the directories exceed maxIndex.
func (r *indexReader) ReadAt(p []byte, at int64) (int, error) {
	if r.left == nil {
		return r.ReaderAt.ReadAt(p, at)
	}
	if *r.left < int64(len(p)) {
		return 0, fmt.Errorf("its directory takes more than %d bytes: %w", maxIndex, ErrLimit)
	}
	n, err := r.ReaderAt.ReadAt(p, at)
	*r.left -= int64(n)
	r.read += int64(n)
	return n, err
}

// compressedSize returns the sum of the compressed sizes that the directory of an archive
// declares. If it is more than the archive has, files share bytes, as in a ZIP bomb.
func compressedSize(files []*zip.File) (sum uint64) {
	for _, f := range files {
		sum = max(sum, sum+f.CompressedSize64) // an overflow keeps the higher value
	}
	return sum
}

// zipEntry opens one entry of a ZIP archive. The error of an encrypted entry concerns that entry
// only.
func (w *walker) zipEntry(archive string, f *zip.File, depth int) {
	const encrypted = 1
	name := inside(archive, f.Name)
	if f.Flags&encrypted != 0 {
		w.fail(name, errors.New("read zip: entry is encrypted"))
		return
	}
	r, err := f.Open()
	if err != nil {
		w.fail(name, fmt.Errorf("read zip: %w", err))
		return
	}
	defer r.Close()
	if f.Method == zstd.ZipMethodWinZip {
		defer w.within()()
	}
	w.walk(w.unpacked(name, int64(f.UncompressedSize64), r), nil, depth+1)
}

// randomAccess returns a reader for any offset of packed: the file itself, or else a temporary
// copy, which done removes. Errors do not name the copy.
func (w *walker) randomAccess(packed Entry, raw io.Reader) (at io.ReaderAt, size int64, done func(), err error) {
	if f, ok := raw.(*os.File); ok {
		if info, failed := f.Stat(); failed == nil && info.Mode().IsRegular() {
			w.in += info.Size()
			return io.NewSectionReader(f, 0, info.Size()), info.Size(), func() {}, nil
		}
	}
	tmp, err := os.CreateTemp("", "memscribe-*.zip")
	if err != nil {
		return nil, 0, nil, err
	}
	// On Windows an open file cannot be removed; it is removed after it is closed.
	gone := os.Remove(tmp.Name()) == nil
	done = func() {
		tmp.Close()
		if !gone {
			os.Remove(tmp.Name())
		}
	}
	if size, err = io.Copy(tmp, packed.Body); err != nil {
		done()
		return nil, 0, nil, err
	}
	return io.NewSectionReader(tmp, 0, size), size, done, nil
}
