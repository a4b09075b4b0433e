package attack

import (
	"errors"
	"fmt"
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

// Secrets makes a transcript of three lines, the second of them of about size bytes: a person
// shows a file in which each line has a secret.
func Secrets(path string, size int64) error {
	return create(path, func(w io.Writer) error { return turnOf(w, secret, size) })
}

// secret is a line with a password, as JSON has it.
const secret = `DB_PASSWORD=kT9vLq2ZwXr8\n`

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

// longLine writes a turn of ordinary words between two others.
func longLine(w io.Writer, size int64) error { return turnOf(w, Text, size) }

// turnOf writes a turn between two others, of one text again and again.
func turnOf(w io.Writer, text string, size int64) error {
	before, after := turn(1, 2)
	_, first := io.WriteString(w, said(1, 1, "Let's use tabs instead of spaces."))
	_, begin := io.WriteString(w, before)
	middle := repeat(w, text, (size-int64(len(before)+len(after)))/int64(len(text))*int64(len(text)))
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

// Edit is a file whose text is replaced as a whole: its text before is one text, again and
// again, and then another one. Both are as JSON has them, and of each there are at most Size bytes.
type Edit struct {
	Before, After string
	Size          int64
}

// ShortLines is an edit of very short lines.
func ShortLines(size int64) Edit { return Edit{`a\n`, `b\n`, size} }

// ControlCharacters is an edit of characters that JSON needs six bytes for.
func ControlCharacters(size int64) Edit { return Edit{`\u0001`, `\u0002`, size} }

// Quotes is an edit of quotation marks and line ends, which take twice as much in JSON, and of
// which each is a line.
func Quotes(size int64) Edit { return Edit{`\"\n`, `\"\"\n`, size} }

// Secret is an edit of lines with a password each.
func Secret(size int64) Edit { return Edit{secret, `OLD_` + secret, size} }

// Words is an edit of ordinary lines.
func Words(size int64) Edit { return Edit{Text + `\n`, "And " + Text + `\n`, size} }

// Call makes a transcript in which a call writes a text of size bytes that is nothing but
// quotation marks, between two turns. There is no result.
func Call(path string, size int64) error {
	return create(path, func(w io.Writer) error {
		_, err := io.WriteString(w, said(1, 1, "Let's use tabs instead of spaces."))
		call := Edit{After: `\"`, Size: size}.call(w, 0)
		_, last := io.WriteString(w, said(1, 3, "Let's use zstd instead of gzip."))
		return errors.Join(err, call, last)
	})
}

// Edits makes a transcript in which edit is done to n files, one after the other, between two
// turns.
func Edits(path string, n int, edit Edit) error {
	return create(path, func(w io.Writer) error {
		_, err := io.WriteString(w, said(1, 1, "Let's use tabs instead of spaces."))
		for i := range n {
			err = errors.Join(err, edit.write(w, i))
		}
		_, last := io.WriteString(w, said(1, 3, "Let's use zstd instead of gzip."))
		return errors.Join(err, last)
	})
}

// head is the middle of a record, from behind its id to its role.
const head = `","parentUuid":null,"sessionId":"5e550001-0000-4000-8000-000000000001","cwd":"/w","version":"2.1.240",` +
	`"isSidechain":false,"userType":"external","timestamp":"2026-08-01T00:00:01.000Z","message":{"role":`

// write writes the call that replaces the text of file number i, and its result.
func (e Edit) write(w io.Writer, i int) error {
	call := e.call(w, i)
	_, result := fmt.Fprintf(w, `{"type":"user","uuid":"00000003-0000-4000-8000-%012x%s"user","content":[{"tool_use_id":"toolu_%d",`+
		`"type":"tool_result","content":"ok"}]},"toolUseResult":{"type":"update","filePath":"/w/%d","structuredPatch":[],"content":"`,
		i, head, i, i)
	after := repeat(w, e.After, e.whole(e.After))
	_, original := io.WriteString(w, `","originalFile":"`)
	before := repeat(w, e.Before, e.whole(e.Before))
	_, end := io.WriteString(w, "\"}}\n")
	return errors.Join(call, result, after, original, before, end)
}

// call writes the call alone.
func (e Edit) call(w io.Writer, i int) error {
	_, begin := fmt.Fprintf(w, `{"type":"assistant","uuid":"00000002-0000-4000-8000-%012x%s"assistant","id":"msg_%d","type":"message",`+
		`"model":"claude-opus-4","content":[{"type":"tool_use","id":"toolu_%d","name":"Write","input":{"file_path":"/w/%d","content":"`,
		i, head, i, i, i)
	args := repeat(w, e.After, e.whole(e.After))
	_, end := io.WriteString(w, "\"}}]}}\n")
	return errors.Join(begin, args, end)
}

// whole is the size of as many whole texts as there is room for: no escape is cut.
func (e Edit) whole(text string) int64 { return e.Size - e.Size%int64(len(text)) }
