package attack

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// LongLine makes a transcript of three lines, the second of them of size bytes: a
// person's words.
func LongLine(path string, size int64) error {
	return create(path, func(w io.Writer) error { return longLine(w, size) })
}

// LongLines makes a folder of n folders, each with a transcript of one long line.
func LongLines(dir string, n int, size int64) error {
	for i := range n {
		folder := filepath.Join(dir, strconv.Itoa(i))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		if err := LongLine(filepath.Join(folder, "session.jsonl"), size); err != nil {
			return err
		}
	}
	return nil
}

func longLine(w io.Writer, size int64) error {
	before, after := turn(1, 2)
	_, first := io.WriteString(w, said(1, 1, "Let's use tabs instead of spaces."))
	_, begin := io.WriteString(w, before)
	middle := repeat(w, Text, size-int64(len(before)+len(after)))
	_, end := io.WriteString(w, after)
	_, last := io.WriteString(w, said(1, 3, "Let's use zstd instead of gzip."))
	return errors.Join(first, begin, middle, end, last)
}

// DenseLine makes a transcript of three lines, the second of them of size bytes
// that are as many values as there can be.
func DenseLine(path string, size int64) error {
	return create(path, func(w io.Writer) error { return denseLine(w, size, ",1") })
}

// CrowdedLine makes a transcript of three lines, the second of them of size bytes
// with not many fewer values than a line may have.
func CrowdedLine(path string, size int64) error {
	element := `,"` + strings.Repeat("a", int(size/500_000)-len(`,""`)) + `"`
	return create(path, func(w io.Writer) error { return denseLine(w, size, element) })
}

// denseLine writes a line whose content is a list of the same element again and
// again.
func denseLine(w io.Writer, size int64, element string) error {
	const before = `{"type":"user","uuid":"00000001-0000-4000-8000-000000000002","sessionId":"5e550001-0000-4000-8000-000000000001",` +
		`"cwd":"/w","version":"2.1.240","message":{"role":"user","content":[1`
	const after = "]}}\n"
	rest := size - int64(len(before)+len(after))
	_, first := io.WriteString(w, said(1, 1, "Let's use tabs instead of spaces."))
	_, begin := io.WriteString(w, before)
	middle := repeat(w, element, rest-rest%int64(len(element)))
	_, end := io.WriteString(w, strings.Repeat(" ", int(rest%int64(len(element))))+after)
	_, last := io.WriteString(w, said(1, 3, "Let's use zstd instead of gzip."))
	return errors.Join(first, begin, middle, end, last)
}

// ShortLines makes a transcript in which a file of very short lines gets others in their place,
// between two turns. size is that of each of the two texts as JSON, a multiple of 3.
func ShortLines(path string, size int64) error {
	const (
		head = `","parentUuid":null,"sessionId":"5e550001-0000-4000-8000-000000000001","cwd":"/w","version":"2.1.240",` +
			`"isSidechain":false,"userType":"external","timestamp":"2026-08-01T00:00:01.000Z","message":{"role":`
		call = `{"type":"assistant","uuid":"00000001-0000-4000-8000-000000000004` + head + `"assistant","id":"msg_1","type":"message",` +
			`"model":"claude-opus-4","content":[{"type":"tool_use","id":"toolu_1","name":"Write","input":{"file_path":"/w/a","content":"`
		result = "\"}}]}}\n" + `{"type":"user","uuid":"00000001-0000-4000-8000-000000000005` + head + `"user","content":[{"tool_use_id":"toolu_1",` +
			`"type":"tool_result","content":"ok"}]},"toolUseResult":{"type":"update","filePath":"/w/a","structuredPatch":[],"content":"`
		before = `","originalFile":"`
	)
	return create(path, func(w io.Writer) error {
		_, first := io.WriteString(w, said(1, 1, "Let's use tabs instead of spaces.")+call)
		args := repeat(w, `b\n`, size)
		_, middle := io.WriteString(w, result)
		content := repeat(w, `b\n`, size)
		_, also := io.WriteString(w, before)
		original := repeat(w, `a\n`, size)
		_, last := io.WriteString(w, "\"}}\n"+said(1, 3, "Let's use zstd instead of gzip."))
		return errors.Join(first, args, middle, content, also, original, last)
	})
}
