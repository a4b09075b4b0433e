package ndjson

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/internal/lock"
)

// span is a range of bytes of a file.
type span struct{ from, to int64 }

// found is the result of reading a log.
type found struct {
	nodes int
	end   place  // after its last node; holes count for the size only
	holes []span // lines before end of which a part did not reach the disk
	odd   bool   // it has a line that cannot be a part of a log
	known bool   // all lines before the given place are there
}

// errStrange says that a file has something else than nodes.
var errStrange = errors.New("it does not hold nodes")

// errNoNode says that a line is neither a node nor the rest of one.
var errNoNode = errors.New("is not a node")

// readLog reads a log. It adds the last line of every id to held, unless that is nil, checks
// whether all lines before the place was are there, and finds what a crash has left: a line
// without an end, or bytes that did not reach the disk and read as NUL. Anything else that is not
// a node means that the file belongs to another program.
//
// After a power failure parts of a file may read as NUL, since file systems extend a file before
// they write its data. Errors name the line.
func readLog(r io.Reader, held map[sum]sum, was place) (f found, err error) {
	in := bufio.NewReaderSize(r, 256<<10)
	var (
		doc  jsondoc.Doc
		line logLine
		torn []span
		at   int64
	)
	f.known = was == place{}
	for n := 1; ; n++ {
		err = line.read(in)
		if errors.Is(err, io.EOF) {
			f.odd = f.odd || line.last != 0 && !looksBegun(line.kept)
			if f.nodes == 0 && f.odd {
				return f, errStrange
			}
			return f, nil
		}
		if err != nil {
			return f, fmt.Errorf("read line %d: %w", n, err)
		}
		here := span{at, at + line.size + 1}
		at = here.to
		if id, ok := line.nodeID(&doc); ok {
			sum := line.sum()
			if held != nil {
				held[sumOf([]byte(id))] = sum
			}
			f.nodes, f.end = f.nodes+1, place{here.from, f.end.chain}.behind(sum, int(line.size)+1)
			f.holes, torn = append(f.holes, torn...), nil
			f.known = f.known || f.end == was
			continue
		}
		if !line.torn {
			return f, fmt.Errorf("line %d %w", n, errNoNode)
		}
		f.odd = f.odd || !looksBegun(line.kept)
		torn = append(torn, here)
	}
}

// nodeStart is the beginning of every node.
const nodeStart = `{"schema":"` + core.NodeSchema + `"`

// looksBegun reports whether a line is the beginning of a node.
func looksBegun(line []byte) bool {
	start := []byte(nodeStart)
	return bytes.HasPrefix(line, start) || bytes.HasPrefix(start, line)
}

// mend removes what a crash has left. After the last node it truncates the file. Between nodes it
// rewrites the file without it; then the log no longer matches its mark.
func (l *Log) mend(f found, size int64) error {
	if len(f.holes) > 0 {
		return l.without(f)
	}
	if f.end.size < size {
		if err := l.file.Truncate(f.end.size); err != nil {
			return fmt.Errorf("remove torn line: %w", err)
		}
	}
	l.end = f.end
	return nil
}

// without rewrites the file without its holes, and opens the new file.
//
// The new file is synced, locked, and renamed over the old one.
func (l *Log) without(f found) error {
	// A file with this name is not ours; through a link another file would be written to.
	if err := os.Remove(l.path + ".new"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	whole, err := os.OpenFile(l.path+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	l.end = place{0, f.end.chain}
	from := int64(0)
	for _, hole := range append(f.holes, span{f.end.size, f.end.size}) {
		n, copied := io.Copy(whole, io.NewSectionReader(l.file, from, hole.from-from))
		if err = copied; err != nil {
			break
		}
		l.end.size += n
		from = hole.to
	}
	err = errors.Join(err, whole.Sync(), whole.Close())
	if err == nil {
		err = l.file.Close() // Windows does not replace an open file
	}
	if err == nil {
		err = os.Rename(whole.Name(), l.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("rewrite log: %w", err), os.Remove(whole.Name()))
	}
	again, err := lock.OpenLog(l.path)
	if err != nil {
		return err
	}
	l.file, l.out, l.name = again.File, again.File, again
	return durable.Sync(filepath.Dir(l.path))
}
