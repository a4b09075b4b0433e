package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// form is the format of a packed file.
type form uint8

const (
	plain form = iota
	gzipped
	zstandard
	tarball
	zipped
	closed // a format that is not read; see closedForm
)

// ErrForm is wrapped by the error of a file that is packed in a format that is not read.
var ErrForm = errors.New("which is not read; unpack it first")

// closedForm returns the name of the format of a file if that is recognised but not read, else
// "".
func closedForm(head []byte) string {
	for _, f := range [...]struct{ name, begins string }{
		{"xz", "\xfd7zXZ\x00"},
		{"7-Zip", "7z\xbc\xaf\x27\x1c"},
		{"RAR", "Rar!\x1a\x07"},
		{"lz4", "\x04\x22\x4d\x18"},
	} {
		if bytes.HasPrefix(head, []byte(f.begins)) {
			return f.name
		}
	}
	const level, block = 3, "1AY&SY"
	if len(head) > level+len(block) && bytes.HasPrefix(head, []byte("BZh")) && '1' <= head[level] && head[level] <= '9' &&
		(bytes.HasPrefix(head[level+1:], []byte(block)) || bytes.HasPrefix(head[level+1:], []byte("\x17\x72\x45\x38\x50\x90"))) {
		return "bzip2"
	}
	return ""
}

// HeadSize is how many bytes are needed to recognise a packed file: a header of a tar archive.
const HeadSize = 512

// IsPacked reports whether a file is compressed or an archive, in a format that is read or in
// one that is not. head is its first HeadSize bytes, or the whole file if that is shorter.
func IsPacked(head []byte) bool { return formOf(head) != plain }

const (
	// maxWindow is how many bytes of memory a zstd frame may ask for.
	maxWindow = 128 << 20
	// innerWindow is the same for zstd inside of zstd. Every decoder must support this
	// size.
	innerWindow = 8 << 20
	// maxIndex is how many bytes the directories of nested ZIP archives may take
	// together.
	maxIndex = 16 << 20
)

// formOf returns the format of a file by its first bytes.
func formOf(head []byte) form {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return gzipped
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstandard
	case len(head) > 4 && head[0]&0xf0 == 0x50 && bytes.HasPrefix(head[1:], []byte{0x2a, 0x4d, 0x18}):
		return zstandard // begins with a skippable frame
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipped
	case isTar(head):
		return tarball
	case closedForm(head) != "":
		return closed
	}
	return plain
}

// isTar reports whether a file begins with the header of a tar archive. It verifies the
// checksum, since old archives have no magic number.
func isTar(head []byte) bool {
	if len(head) < HeadSize || head[0] == 0 {
		return false
	}
	const from, to = 148, 156
	field := strings.Trim(string(head[from:to]), " \x00")
	want, err := strconv.ParseInt(field, 8, 32)
	if err != nil {
		return false
	}
	sum := int64(to-from) * ' '
	for i, c := range head[:HeadSize] {
		if i < from || i >= to {
			sum += int64(c)
		}
	}
	return sum == want
}

// compressed yields the content of a compressed file under the same name.
func (w *walker) compressed(e Entry, f form, depth int) {
	var r io.Reader
	switch f {
	case gzipped:
		z, err := gzip.NewReader(e.Body)
		if err != nil {
			w.fail(e.Path, fmt.Errorf("read gzip: %w", err))
			return
		}
		r = z
	default:
		z, err := zstd.NewReader(e.Body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(w.window))
		if err != nil {
			w.fail(e.Path, fmt.Errorf("read zstd: %w", err))
			return
		}
		defer w.within()()
		defer z.Close()
		r = z
	}
	w.walk(w.unpacked(e.Path, -1, r), nil, depth+1)
}

// within lowers the window for zstd inside of zstd, and returns the function that restores it.
func (w *walker) within() (after func()) {
	outer := w.window
	w.window = innerWindow
	return func() { w.window = outer }
}
