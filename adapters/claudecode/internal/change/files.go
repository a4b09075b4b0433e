package change

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Files knows what stands in the files that the transcript has shown. The zero Files
// knows nothing and is ready.
type Files struct{ edit.Files }

// Turn does nothing: the client refuses to write over a file that is not as it was seen.
func (*Files) Turn() {}

// Shown takes in the structured result of a read.
func (f *Files) Shown(file jsondoc.Value) {
	var content, path jsondoc.Value
	var start, n, total int64
	for name, v := range file.Fields() {
		switch string(name.Body()) {
		case "filePath":
			path = v
		case "content":
			content = v
		case "startLine":
			start, _ = v.Int()
		case "numLines":
			n, _ = v.Int()
		case "totalLines":
			total, _ = v.Int()
		}
	}
	if content.Kind() != jsondoc.String || path.Kind() != jsondoc.String || start < 0 {
		return
	}
	last := max(start, 1)+n > total
	f.Show(edit.Read{Path: path.Str(), Body: content.Body(), Start: max(int(start), 1), Whole: start <= 1 && last, Last: last})
}

// Numbered takes in what the model was shown of a file: lines with numbers, in
// one of two forms.
func (f *Files) Numbered(path string, body []byte, whole bool) {
	if isNumbered(body) {
		f.Show(edit.Read{Path: path, Body: body, Start: 1, Whole: whole, Last: whole, Plain: unnumbered})
	}
}

// isNumbered reports whether a text begins with a numbered line.
func isNumbered(body []byte) bool {
	b := bytes.TrimLeft(body, " ")
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n > 0 && (bytes.HasPrefix(b[n:], []byte("→")) || bytes.HasPrefix(b[n:], []byte(`\t`)))
}

// unnumbered takes the numbers off the lines of a read: "     1→text" until
// 2.0.x, "1<tab>text" in 2.1.x. What follows the last of them is the client's.
func unnumbered(text string) (plain string, start int) {
	var b strings.Builder
	next := 0
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		n, digits := 0, 0
		for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' && digits < 9 {
			n = n*10 + int(rest[digits]-'0')
			digits++
		}
		content, ok := strings.CutPrefix(rest[digits:], "→")
		if !ok {
			content, ok = strings.CutPrefix(rest[digits:], "\t")
		}
		if !ok || digits == 0 || next > 0 && n != next {
			break
		}
		if next == 0 {
			start = n
		} else {
			b.WriteByte('\n')
		}
		b.WriteString(content)
		next = n + 1
	}
	return b.String(), start
}
