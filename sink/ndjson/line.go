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

// maxKept is how much of a line of a log is kept to be looked at: of a longer one its beginning.
const maxKept = 16 << 20

// logLine is a line of a log. What it takes has a bound, however long the line is.
type logLine struct {
	kept []byte // without the line end
	size int64  // of all of it
	torn bool   // it holds a NUL: it did not reach the disk whole
	last byte   // the last byte but NULs; 0 without any
	hash hash.Hash
}

// read reads the next line. With io.EOF come the bytes after the last line end.
//
// A line of any length takes 16 MiB at most; of a longer one the rest is hashed and
// dropped.
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

// add takes in the next part of a line. A zero byte in it says that a crash tore the file there.
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

// sum is [sumOf] the line.
func (l *logLine) sum() sum {
	if l.size <= maxKept {
		return sumOf(l.kept)
	}
	return sum(l.hash.Sum(nil)[:16])
}

// nodeID returns the id of the node that a line is. Of one that is longer than what is kept, its
// beginning and its end say whether it is a node.
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

// beginsNode reads the id of a node at its beginning.
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
