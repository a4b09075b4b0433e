package ndjson

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// edgeSize is how many of a log's last bytes tell it from another log. They
// are those of a node, and most of all its provenance.
const edgeSize = 256

// Mark implements [sink.Marker]: how long the log is, and what its last bytes
// are. It is empty for one that is not in a file.
func (l *Log) Mark() string {
	if l.file == nil {
		return ""
	}
	return markOf(l.size, l.edge)
}

func markOf(size int64, edge []byte) string {
	digest := sumOf(edge)
	return strconv.FormatInt(size, 10) + ":" + hex.EncodeToString(digest[:])
}

// Holds implements [sink.Marker].
func (l *Log) Holds(mark string) bool {
	size := sizeOf(mark)
	if l.file == nil || size < 0 || size > l.size {
		return false
	}
	edge := make([]byte, min(size, edgeSize))
	if _, err := l.file.ReadAt(edge, size-int64(len(edge))); err != nil {
		return false
	}
	return markOf(size, edge) == mark
}

// sizeOf is the size of a log at a mark; it is negative if that is none.
func sizeOf(mark string) int64 {
	digits, _, _ := strings.Cut(mark, ":")
	size, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return -1
	}
	return size
}
