package attack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// TarInZip makes a ZIP archive of a TAR archive of LineGzip and of an ordinary transcript.
func TarInZip(path string, size int64) error {
	return create(path, func(w io.Writer) error {
		archive := zip.NewWriter(w)
		inside, err := archive.Create("inner.tar")
		if err != nil {
			return err
		}
		var line bytes.Buffer
		z := gzip.NewWriter(&line)
		if err = errors.Join(longLine(z, size), z.Close()); err != nil {
			return err
		}
		t := tar.NewWriter(inside)
		return errors.Join(tarred(t, "a.jsonl.gz", line.Bytes()), tarred(t, "b.jsonl", ordinary()), t.Close(), archive.Close())
	})
}

// ordinary is a transcript with one decision.
func ordinary() []byte { return []byte(said(9, 1, "Let's use ordinary words instead of bombs.")) }

func tarred(t *tar.Writer, name string, data []byte) error {
	err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), Format: tar.FormatPAX})
	if err == nil {
		_, err = t.Write(data)
	}
	return err
}

// Layers makes a transcript that is compressed again and again, and an archive of it and of an
// ordinary one.
func Layers(path string, n int) error {
	data := ordinary()
	for range n {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write(data)
		if err = errors.Join(err, z.Close()); err != nil {
			return err
		}
		data = b.Bytes()
	}
	return create(path, func(w io.Writer) error {
		t := tar.NewWriter(w)
		return errors.Join(tarred(t, "deep.jsonl.gz", data), tarred(t, "plain.jsonl", ordinary()), t.Close())
	})
}

// Windows makes a transcript in layers of zstd, each of which asks for a window of 128 MiB and
// fills it: before its frame stands one to be skipped, of size bytes of nothing.
func Windows(path string, layers int, size uint32) error {
	data := ordinary()
	for range layers {
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b, zstd.WithWindowSize(128<<20), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		z.Reset(&b)
		_, err = io.Copy(z, bytes.NewReader(data))
		if err = errors.Join(err, z.Close()); err != nil {
			return err
		}
		data = slices.Concat([]byte{0x50, 0x2a, 0x4d, 0x18}, binary.LittleEndian.AppendUint32(nil, size), make([]byte, size), b.Bytes())
	}
	// the outermost one needs nothing to be skipped
	return create(path, func(w io.Writer) error {
		_, err := w.Write(data[8+size:])
		return err
	})
}

// WindowsBeside makes a folder of n transcripts in one layer of zstd, each of a window of
// 128 MiB and of size bytes.
func WindowsBeside(dir string, n int, size int64) error {
	for i := range n {
		err := create(filepath.Join(dir, fmt.Sprint(i), "s.jsonl.zst"), func(w io.Writer) error {
			z, err := zstd.NewWriter(w, zstd.WithWindowSize(128<<20), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
			if err != nil {
				return err
			}
			_, err = io.WriteString(z, said(i, 1, "Let's use tabs instead of spaces."))
			text := says(i, 2, strings.Repeat(Text, 2000))
			return errors.Join(err, repeat(z, text, size-size%int64(len(text))), z.Close())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Directory makes a ZIP archive, compressed again, with a directory of n files without a
// name, and an ordinary transcript. Each is the same place of the archive.
func Directory(path string, n int) error {
	return gzipped(path, func(w io.Writer) error {
		return overlapping(w, ordinary(), zip.Store, n, func(int) string { return "" })
	})
}

// Overlap makes a ZIP archive of n transcripts of size bytes, which are the same place of it.
func Overlap(path string, n int, size int64) error {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return err
	}
	plain := io.MultiWriter(z, io.Discard)
	_, err = io.WriteString(plain, said(1, 1, "Let's use tabs instead of spaces."))
	text := says(1, 2, strings.Repeat(Text, 2000))
	if err = errors.Join(err, repeat(plain, text, size-size%int64(len(text))), z.Close()); err != nil {
		return err
	}
	return create(path, func(w io.Writer) error {
		return overlapping(w, b.Bytes(), zip.Deflate, n, func(i int) string { return fmt.Sprintf("%06d.jsonl", i) })
	})
}

// overlapping writes a ZIP archive of one local file that n entries of its directory name.
func overlapping(w io.Writer, data []byte, method uint16, n int, name func(int) string) error {
	plain := data
	if method == zip.Deflate {
		var err error
		if plain, err = io.ReadAll(flate.NewReader(bytes.NewReader(data))); err != nil {
			return err
		}
	}
	le, sum := binary.LittleEndian, crc32.ChecksumIEEE(plain)
	sizes := func(b []byte) []byte {
		b = le.AppendUint32(b, sum)
		b = le.AppendUint32(b, uint32(len(data)))
		return le.AppendUint32(b, uint32(len(plain)))
	}
	local := le.AppendUint32(nil, 0x04034b50)
	for _, v := range []uint16{20, 0, method, 0, 0} {
		local = le.AppendUint16(local, v)
	}
	local = append(sizes(local), 0, 0, 0, 0) // no name, no more
	if _, err := w.Write(append(local, data...)); err != nil {
		return err
	}
	size := 0
	for i := range n {
		called := name(i)
		b := le.AppendUint32(nil, 0x02014b50)
		for _, v := range []uint16{20, 20, 0, method, 0, 0} {
			b = le.AppendUint16(b, v)
		}
		b = le.AppendUint16(sizes(b), uint16(len(called)))
		b = append(b, make([]byte, 2+2+2+2+4+4)...) // more, remark, disk, attributes, offset
		b = append(b, called...)
		size += len(b)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	end := le.AppendUint32(nil, 0x06054b50)
	for _, v := range []uint16{0, 0, uint16(n), uint16(n)} { // which counts no further
		end = le.AppendUint16(end, v)
	}
	end = le.AppendUint32(end, uint32(size))
	end = le.AppendUint32(end, uint32(len(local)+len(data)))
	_, err := w.Write(append(end, 0, 0))
	return err
}

// ZipsInZip makes a ZIP archive of ZIP archives of ZIP archives, each n times the one below it, of a
// file of size bytes.
func ZipsInZip(path string, depth, n int, size int64) error {
	var data bytes.Buffer
	if err := errors.Join(repeat(&data, says(1, 1, strings.Repeat(Text, 2000)), size)); err != nil {
		return err
	}
	name := "s.jsonl"
	for range depth {
		var b bytes.Buffer
		archive := zip.NewWriter(&b)
		for i := range n {
			inside, err := archive.Create(fmt.Sprintf("%d/%s", i, name))
			if err != nil {
				return err
			}
			if _, err = inside.Write(data.Bytes()); err != nil {
				return err
			}
		}
		if err := archive.Close(); err != nil {
			return err
		}
		data, name = b, "z.zip"
	}
	return create(path, func(w io.Writer) error {
		_, err := w.Write(data.Bytes())
		return err
	})
}

// Hole makes a TAR archive of a sparse file that says it has size bytes and stores none, and an
// ordinary transcript behind it.
func Hole(path string, size int64) error {
	return create(path, func(w io.Writer) error {
		block := make([]byte, 512)
		copy(block, "hole.jsonl")
		octal := func(at, n int, v int64) { copy(block[at:at+n], fmt.Sprintf("%0*o ", n-1, v)) }
		octal(100, 8, 0o600)
		octal(108, 8, 0)
		octal(116, 8, 0)
		octal(124, 12, 512)
		octal(136, 12, 0)
		block[156] = 'S'
		copy(block[257:], "ustar  \x00")
		octal(386, 12, size-512) // one piece, at the end
		octal(398, 12, 512)
		octal(483, 12, size)
		copy(block[148:], "        ")
		sum := int64(0)
		for _, c := range block {
			sum += int64(c)
		}
		copy(block[148:], fmt.Sprintf("%06o\x00 ", sum))
		if _, err := w.Write(append(block, make([]byte, 512)...)); err != nil {
			return err
		}
		t := tar.NewWriter(w)
		return errors.Join(tarred(t, "plain.jsonl", ordinary()), t.Close())
	})
}

// BrokenFiles makes a compressed TAR archive of n transcripts that cannot be unpacked, and an
// ordinary one behind them.
func BrokenFiles(path string, n int) error {
	return gzipped(path, func(w io.Writer) error {
		t := tar.NewWriter(w)
		for i := range n {
			if err := tarred(t, fmt.Sprintf("%d.jsonl.gz", i), []byte("\x1f\x8b\x08 is no more than its beginning")); err != nil {
				return err
			}
		}
		return errors.Join(tarred(t, "plain.jsonl", ordinary()), t.Close())
	})
}
