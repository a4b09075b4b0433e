// Package compress compresses texts for storage.
//
// A text is stored packed (zstd, without checksum) only if that makes it shorter. Whether
// stored bytes are packed is not marked in them: whoever stores them keeps the length of the
// text too, and fewer bytes than that are packed ones.
//
//	Pack("yes")            "yes"              too short to be tried
//	Pack(4 KiB of prose)   about 2 KiB        packed
//	Pack(random bytes)     the bytes themselves   packing gains nothing
package compress

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

const (
	// window is how far back a text refers: memory of the packer, whatever the text.
	window = 256 << 10
	// worth is the length in bytes from which on packing is tried. Nine of ten messages are
	// shorter; packing would save a third of them, a hundredth of a database.
	worth = 1 << 10
)

// Packer makes texts shorter. It serves one goroutine.
type Packer struct{ encoder *zstd.Encoder }

// NewPacker returns a Packer.
func NewPacker() (*Packer, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("prepare to pack texts: %w", err)
	}
	return &Packer{encoder: e}, nil
}

// Pack appends the packed text to dst, or the text itself where packing makes
// nothing shorter: what is appended is packed if it is shorter than the text.
func (p *Packer) Pack(dst []byte, text string) []byte {
	start := len(dst)
	if len(text) < worth {
		return append(dst, text...)
	}
	dst = p.encoder.EncodeAll([]byte(text), dst)
	if len(dst)-start >= len(text) {
		return append(dst[:start], text...)
	}
	return dst
}

// Unpacker restores texts. It is safe for concurrent use; Close ends it.
type Unpacker struct{ decoder *zstd.Decoder }

// NewUnpacker returns an Unpacker of texts of at most so many bytes.
func NewUnpacker(longest int) (*Unpacker, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(uint64(longest)))
	if err != nil {
		return nil, fmt.Errorf("prepare to unpack texts: %w", err)
	}
	return &Unpacker{decoder: d}, nil
}

// Unpack returns the text that was packed. It fails for bytes that Pack has not made, and for a
// text that is longer than the Unpacker allows.
func (u *Unpacker) Unpack(packed []byte) (string, error) {
	text, err := u.decoder.DecodeAll(packed, nil)
	if err != nil {
		return "", fmt.Errorf("unpack text: %w", err)
	}
	return string(text), nil
}

// Close releases what the Unpacker holds.
func (u *Unpacker) Close() { u.decoder.Close() }
