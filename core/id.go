package core

import (
	"encoding/binary"
	"encoding/hex"

	"lukechampine.com/blake3"
)

// ContentID returns the id of a record to which the tool gave none: 32 hexadecimal digits of
// the BLAKE3 hash of its bytes.
func ContentID(content []byte) string {
	sum := blake3.Sum256(content)
	return hex.EncodeToString(sum[:16])
}

// NodeID returns the id of a node: its kind, a colon, and 32 hexadecimal digits of a BLAKE3
// hash over the kind, the tool and the parts. The parts are the tool's own ids, never a path, a
// time or a machine, so that the same fact has the same id wherever it is read.
//
//	NodeID("decision", "pi", …) → decision:5a7da76c5b35df135cebc8349a7a44d5
//
// Which parts each kind has is listed in package nodeprep. A part is written with its length
// before it, so ("ab", "c") and ("a", "bc") give different ids.
func NodeID(kind string, source Tool, parts ...string) string {
	var space [256]byte
	b := appendPart(space[:0], kind)
	b = appendPart(b, string(source))
	for _, p := range parts {
		b = appendPart(b, p)
	}
	sum := blake3.Sum256(b)
	id := append(append(space[:0], kind...), ':')
	return string(hex.AppendEncode(id, sum[:16]))
}

// appendPart appends the length of a string and the string, so that different lists of
// parts are different bytes.
func appendPart(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// NodeKey is the hash in a node's id.
type NodeKey [16]byte

// NodeKeyOf returns the key of an id made by [NodeID].
func NodeKeyOf(id string) (key NodeKey) {
	const digits = 2 * len(key)
	if len(id) > digits && id[len(id)-digits-1] == ':' {
		if _, err := hex.Decode(key[:], []byte(id[len(id)-digits:])); err == nil {
			return key
		}
	}
	sum := blake3.Sum256([]byte(id))
	copy(key[:], sum[:])
	return key
}

// HashPath returns a placeholder for a path where no content may be shown.
func HashPath(path string) string {
	sum := blake3.Sum256([]byte(path))
	return "path:" + hex.EncodeToString(sum[:8])
}
