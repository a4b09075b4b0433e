package ndjson

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxKept is how many bytes of a line are kept: the beginning of a longer one.
const maxKept = 16 << 20

// logLine is a line of a log. It takes a bounded amount of memory, however long the line is.
type logLine struct {
	kept []byte // without the line end
	size int64  // bytes of the whole line
	torn bool   // it has a NUL: a part of it did not reach the disk
	last byte   // the last byte that is no NUL; 0 if there is none
	hash hash.Hash
}

// read reads the next line. With io.EOF it returns the bytes after the last line end.
//
// The bytes of a line beyond maxKept are hashed and dropped.
func (l *logLine) read(in *bufio.Reader) error {
	*l = logLine{kept: l.kept[:0], hash: l.hash}
	for {
		part, err := in.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		l.add(part)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// add adds the next part of a line. A NUL in it shows that a crash damaged the file there.
func (l *logLine) add(part []byte) {
	l.torn = l.torn || bytes.IndexByte(part, 0) >= 0
	if said := bytes.TrimRight(part, "\x00"); len(said) > 0 {
		l.last = said[len(said)-1]
	}
	was := l.size
	l.size += int64(len(part))
	switch {
	case l.size <= maxKept:
		l.kept = append(l.kept, part...)
		return
	case was <= maxKept:
		if l.hash == nil {
			l.hash = sha256.New()
		}
		l.hash.Reset()
		l.hash.Write(l.kept)
	}
	l.hash.Write(part)
}

// sum returns the digest of the line, as [sumOf].
func (l *logLine) sum() sum {
	if l.size <= maxKept {
		return sumOf(l.kept)
	}
	return sum(l.hash.Sum(nil)[:16])
}

// nodeID returns the id of the node in a line, and whether it is a node. A line longer than maxKept
// is recognised by its beginning and its end.
func (l *logLine) nodeID(doc *jsondoc.Doc) (string, bool) {
	if l.size > maxKept {
		return beginsNode(l.kept, !l.torn && l.last == '}')
	}
	n, err := doc.Parse(l.kept)
	if err != nil || n != len(l.kept) || !doc.Root().Get("schema").Is(core.NodeSchema) {
		return "", false
	}
	id := doc.Root().Get("id").Str()
	return id, id != ""
}

// beginsNode returns the id in the beginning of a node.
func beginsNode(line []byte, whole bool) (id string, ok bool) {
	const longest = 512
	rest, ok := strings.CutPrefix(string(line[:min(len(line), longest)]), nodeStart+`,"node":"`)
	if !ok || !whole {
		return "", false
	}
	if _, rest, ok = strings.Cut(rest, `","id":"`); !ok {
		return "", false
	}
	id, _, ok = strings.Cut(rest, `"`)
	return id, ok && id != "" && !strings.Contains(id, `\`)
}
