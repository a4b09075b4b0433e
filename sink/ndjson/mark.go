package ndjson

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/internal/filestate"
)

// place is a point in a log after a complete line, with a hash of all lines before it.
type place struct {
	size  int64
	chain sum // digest of the last line and the chain before it
}

// behind returns the place after one more line.
func (p place) behind(line sum, size int) place {
	both := append(p.chain[:len(p.chain):len(p.chain)], line[:]...)
	h := sha256.Sum256(both)
	return place{p.size + int64(size), sum(h[:16])}
}

// A mark is a place, and the state of the file when it ended there. A file with the same state
// need not be read.
const markForm = "%d:%x:%d.%d.%d.%d.%d"

// Mark implements [sink.Marker]: the length of the log, a hash of all its lines, and the state of
// the file. It is "" for a Log that is not in a file.
func (l *Log) Mark() string {
	if l.file == nil {
		return ""
	}
	s := l.stamp
	return fmt.Sprintf(markForm, l.end.size, l.end.chain[:], s.Device, s.Inode, s.Size, s.Modified, s.Changed)
}

// parseMark parses the result of Mark; ok is false for a text of another form.
func parseMark(mark string) (p place, s filestate.State, ok bool) {
	parts := strings.Split(mark, ":")
	if len(parts) != 3 {
		return place{}, s, false
	}
	chain, err := hex.DecodeString(parts[1])
	if err != nil || len(chain) != len(p.chain) {
		return place{}, s, false
	}
	copy(p.chain[:], chain)
	n, err := fmt.Sscanf(parts[0]+" "+strings.ReplaceAll(parts[2], ".", " "), "%d %d %d %d %d %d",
		&p.size, &s.Device, &s.Inode, &s.Size, &s.Modified, &s.Changed)
	return p, s, n == 6 && err == nil && p.size >= 0
}

// Holds implements [sink.Marker]. It reports whether the log still has all lines before a mark,
// unchanged. It reads the log unless the mark is the one it was opened with or is at its end.
func (l *Log) Holds(mark string) bool {
	p, _, ok := parseMark(mark)
	switch {
	case l.file == nil || !ok || p.size > l.end.size:
		return false
	case p == place{} || p == l.end || p == l.known:
		return true
	}
	f, err := readLog(io.NewSectionReader(l.file, 0, p.size), nil, p)
	return err == nil && f.known
}
