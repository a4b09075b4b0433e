package unpack

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// form is how a file is packed.
type form uint8

const (
	plain form = iota
	gzipped
	zstandard
	tarball
	zipped
)

// headSize is how many bytes tell the form: one header of a tar archive.
const headSize = 512

// maxWindow is the most memory that a zstd frame may ask for.
const maxWindow = 128 << 20

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
	}
	return plain
}

// isTar checks the header's checksum: old archives have no magic number.
func isTar(head []byte) bool {
	if len(head) < headSize || head[0] == 0 {
		return false
	}
	const from, to = 148, 156
	field := strings.Trim(string(head[from:to]), " \x00")
	want, err := strconv.ParseInt(field, 8, 32)
	if err != nil {
		return false
	}
	sum := int64(to-from) * ' '
	for i, c := range head[:headSize] {
		if i < from || i >= to {
			sum += int64(c)
		}
	}
	return sum == want
}

// compressed walks on with what is in a compressed file, which keeps its name.
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
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			w.fail(e.Path, fmt.Errorf("read zstd: %w", err))
			return
		}
		defer z.Close()
		r = z
	}
	w.walk(w.unpacked(e.Path, -1, r), nil, depth+1)
}
