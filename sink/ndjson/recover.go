package ndjson

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/durable"
)

// span is a part of a file.
type span struct{ from, to int64 }

// found is what stands in a log.
type found struct {
	nodes int
	end   int64  // of its last node
	holes []span // lines before end of which a part never reached the disk
	odd   bool   // something does not look like a part of a log
}

// errStrange says that a file holds no node, and something else.
var errStrange = errors.New("it does not hold nodes")

// readLog notes the last line of every id, and finds what a crash has left: a
// line without an end, or bytes that never reached the disk and read as NUL.
// Anything else that is not a node means that the file is not ours to write to.
func readLog(r io.Reader, held map[sum]sum) (f found, err error) {
	in := bufio.NewReaderSize(r, 256<<10)
	var (
		doc  jsondoc.Doc
		line []byte
		torn []span
		at   int64
	)
	for n := 1; ; n++ {
		line, err = readLine(in, line[:0])
		if errors.Is(err, io.EOF) {
			f.odd = f.odd || len(bytes.Trim(line, "\x00")) > 0 && !looksBegun(line)
			if f.nodes == 0 && f.odd {
				return f, errStrange
			}
			return f, nil
		}
		if err != nil {
			return f, fmt.Errorf("read line %d: %w", n, err)
		}
		here := span{at, at + int64(len(line)) + 1}
		at = here.to
		if id, ok := nodeID(&doc, line); ok {
			held[sumOf([]byte(id))] = sumOf(line)
			f.nodes, f.end = f.nodes+1, here.to
			f.holes, torn = append(f.holes, torn...), nil
			continue
		}
		if bytes.IndexByte(line, 0) < 0 {
			return f, fmt.Errorf("line %d is not a node", n)
		}
		f.odd = f.odd || !looksBegun(line)
		torn = append(torn, here)
	}
}

// nodeStart is how every node begins.
const nodeStart = `{"schema":"` + core.NodeSchema + `"`

// looksBegun reports whether a line begins as a node does.
func looksBegun(line []byte) bool {
	start := []byte(nodeStart)
	return bytes.HasPrefix(line, start) || bytes.HasPrefix(start, line)
}

// mend takes away what a crash has left: behind the last node by cutting it off;
// if it is between nodes, which are then not what they were confirmed as, by
// writing the file anew without it.
func (l *Log) mend(f found, size int64) error {
	if len(f.holes) == 0 {
		if f.end < size {
			if err := l.file.Truncate(f.end); err != nil {
				return fmt.Errorf("remove torn line: %w", err)
			}
		}
		l.size = f.end
		return nil
	}
	whole, err := os.OpenFile(l.path+".new", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	from := int64(0)
	for _, hole := range append(f.holes, span{f.end, f.end}) {
		n, copied := io.Copy(whole, io.NewSectionReader(l.file, from, hole.from-from))
		if err = copied; err != nil {
			break
		}
		l.size += n
		from = hole.to
	}
	if err = errors.Join(err, whole.Sync()); err == nil {
		err = os.Rename(whole.Name(), l.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write log anew: %w", err), whole.Close(), os.Remove(whole.Name()))
	}
	old := l.file
	l.file, l.out = whole, whole
	return errors.Join(old.Close(), durable.Sync(filepath.Dir(l.path)))
}

// readLine appends the next line to dst, without its end. With io.EOF come the
// bytes after the last line end.
func readLine(in *bufio.Reader, dst []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		dst = append(dst, part...)
		if err == nil {
			return dst[:len(dst)-1], nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return dst, err
		}
	}
}

func nodeID(doc *jsondoc.Doc, line []byte) (string, bool) {
	n, err := doc.Parse(line)
	if err != nil || n != len(line) || !doc.Root().Get("schema").Is(core.NodeSchema) {
		return "", false
	}
	id := doc.Root().Get("id").Str()
	return id, id != ""
}
