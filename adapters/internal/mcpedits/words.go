package mcpedits

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxNesting is how deep what a server said may lie in what a client wrote.
const maxNesting = 8

// maxWords is how many texts of a result are looked at.
const maxWords = 64

// said collects the texts of a result. Clients put them into lists, into members,
// into JSON in a string, and below a line of their own.
func said(output core.Raw, doc *jsondoc.Doc) []string {
	var all []string
	if text, ok := output.Text(); ok {
		all = []string{text}
	} else {
		all = gather(nil, output.Value(), 0)
	}
	for i := 0; i < len(all) && i < maxWords; i++ {
		all[i] = unheaded(all[i])
		text := strings.TrimSpace(all[i])
		if text == "" || text[0] != '{' && text[0] != '[' {
			continue
		}
		if n, err := doc.Parse([]byte(text)); err == nil && n == len(text) && wraps(doc.Root()) {
			all[i] = ""
			all = append(all, gather(nil, doc.Root(), 0)...)
		}
	}
	return all
}

// wraps reports whether a value is the form in which a server's answer travels,
// and not one that a file holds.
func wraps(v jsondoc.Value) bool {
	for el := range v.Elems() {
		if el.Get("type").Kind() != jsondoc.String {
			return false
		}
	}
	for name := range v.Fields() {
		switch string(name.Body()) {
		case "content", "structuredContent", "isError", "_meta", "output", "result", "Ok", "meta":
		default:
			return false
		}
	}
	return v.Len() > 0
}

// gather collects all strings of a value, in bounds of depth and number.
func gather(all []string, v jsondoc.Value, depth int) []string {
	if depth > maxNesting || len(all) >= maxWords {
		return all
	}
	switch v.Kind() {
	case jsondoc.String:
		all = append(all, v.Str())
	case jsondoc.Array:
		for el := range v.Elems() {
			all = gather(all, el, depth+1)
		}
	case jsondoc.Object:
		for name, el := range v.Fields() {
			if !name.Is("type") && !name.Is("id") && !name.Is("name") && !name.Is("callId") {
				all = gather(all, el, depth+1)
			}
		}
	default:
	}
	return all
}

// unheaded is a text without what clients put around it: Codex a line that says
// how long it took, others marks that say who speaks.
func unheaded(text string) string {
	text = stream.Unmarked(text)
	if !strings.HasPrefix(text, "Wall time: ") {
		return text
	}
	if _, rest, ok := strings.Cut(text, "\nOutput:\n"); ok {
		return rest
	}
	return ""
}

// fenced finds the diff that the reference server shows of a file: in a block
// whose fence is longer than any in the diff. What was cut off has no end.
func fenced(all []string) (file, diff string, ok bool) {
	for _, text := range all {
		fence := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		rest, ok := strings.CutPrefix(text[len(fence):], "diff\nIndex: ")
		if len(fence) < 3 || !ok {
			continue
		}
		end := strings.LastIndex(rest, "\n"+fence)
		file, body, _ := strings.Cut(rest, "\n")
		if end < len(file) || strings.Trim(rest[end+1:], "`\r\n ") != "" {
			return file, "", true
		}
		return file, body[:max(0, end-len(file)-1)+min(1, len(body))], true
	}
	return "", "", false
}

// begins reports whether a text of a result begins with words, and what follows
// them begins a word of its own.
func begins(all []string, words string) bool {
	for _, text := range all {
		rest, ok := strings.CutPrefix(text, words)
		if ok && (rest == "" || strings.IndexByte(" \n\r.", rest[0]) >= 0) {
			return true
		}
	}
	return false
}

// shown is the text of a file that a read shows: the only text in the result, if
// the client did not cut it.
func shown(all []string) (string, bool) {
	const most = 256 << 10
	text, n := "", 0
	for _, s := range all {
		if s == "" {
			continue
		}
		if n == 0 || s != text {
			n++
		}
		text = s
	}
	if n != 1 || len(text) > most {
		return "", false
	}
	for _, mark := range []string{"tokens truncated", "chars truncated", "characters truncated", "[truncated", "Output too large", "output too large", "truncated. "} {
		if strings.Contains(text, mark) {
			return "", false
		}
	}
	return text, true
}
