package ndjson

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// readLog notes the last line of every id and returns where the whole lines
// end. Behind them may stand what a crash left: a line without an end, or bytes
// that never reached the disk and read as NUL. Anything else that is not a node
// means that the file is not ours to write to.
func readLog(r io.Reader, held map[sum]sum) (whole int64, err error) {
	in := bufio.NewReaderSize(r, 256<<10)
	var (
		doc  jsondoc.Doc
		line []byte
	)
	for n := 1; ; n++ {
		line, err = readLine(in, line[:0])
		if errors.Is(err, io.EOF) {
			return whole, torn(line, whole)
		}
		if err != nil {
			return 0, fmt.Errorf("read line %d: %w", n, err)
		}
		id, ok := nodeID(&doc, line)
		if !ok {
			if bytes.IndexByte(line, 0) >= 0 && whole > 0 {
				return whole, onlyTorn(in)
			}
			return 0, fmt.Errorf("line %d is not a node", n)
		}
		held[sumOf([]byte(id))] = sumOf(line)
		whole += int64(len(line)) + 1
	}
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

// torn checks that a line without an end was going to be a node.
func torn(line []byte, whole int64) error {
	start := []byte(`{"schema":"` + core.NodeSchema + `"`)
	if whole > 0 || bytes.HasPrefix(line, start) || bytes.HasPrefix(start, line) {
		return nil
	}
	return errors.New("it does not hold nodes")
}

// onlyTorn checks that no node follows what a crash left.
func onlyTorn(in *bufio.Reader) error {
	var (
		doc  jsondoc.Doc
		line []byte
	)
	for {
		var err error
		line, err = readLine(in, line[:0])
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, ok := nodeID(&doc, line); ok {
			return errors.New("there are NUL bytes between its nodes")
		}
	}
}
