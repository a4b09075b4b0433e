package google

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// told is what the model was told of an edit.
type told struct {
	path    string
	created bool
	places  int    // that were replaced; 0 is not said
	snippet string // lines of the file after the edit; "" if none are shown
}

// maxTold bounds what is looked at: a snippet is a few lines.
const maxTold = 64 << 10

// readTold reads the sentence with which every edit ends well:
//
//	Successfully created and wrote to new file: /w/a.go. …       recorded, both clients
//	Successfully overwrote file: /w/a.go. …                      recorded, both clients
//	Successfully modified file: /w/a.go (1 replacements). …      recorded, Gemini CLI
//	Created new file: /w/a.go with provided content. …           source, both clients
//	The file: /w/a.go has been updated. Showing lines 1-7 of 7 from the edited file:\n\n---\n\n…   recorded, Qwen Code
func readTold(body []byte) told {
	text := string(jsondoc.Unquote(nil, trimCut(body)))
	if rest, ok := strings.CutPrefix(text, "Successfully created and wrote to new file: "); ok {
		return told{path: sentence(rest), created: true}
	}
	if rest, ok := strings.CutPrefix(text, "Successfully overwrote file: "); ok {
		return told{path: sentence(rest)}
	}
	if rest, ok := strings.CutPrefix(text, "Created new file: "); ok {
		name, _, _ := strings.Cut(rest, " with provided content.")
		return told{path: name, created: true}
	}
	if rest, ok := strings.CutPrefix(text, "Successfully modified file: "); ok {
		name, count, _ := strings.Cut(rest, " (")
		places, _, _ := strings.Cut(count, " replacements)")
		n, _ := strconv.Atoi(places)
		return told{path: name, places: n}
	}
	if rest, ok := strings.CutPrefix(text, "The file: "); ok {
		name, shown, _ := strings.Cut(rest, " has been updated.")
		_, lines, _ := strings.Cut(shown, " from the edited file:\n\n---\n\n")
		return told{path: name, snippet: lines}
	}
	return told{}
}

// trimCut shortens a string written in JSON to what is looked at, but not
// within an escape.
func trimCut(body []byte) []byte {
	if len(body) <= maxTold {
		return body
	}
	body = body[:maxTold]
	for n := range 6 {
		if body[len(body)-1-n] == '\\' {
			return body[:len(body)-1-n]
		}
	}
	return body
}

// sentence is a path that ends with a full stop.
func sentence(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] == '.' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			return text[:i]
		}
	}
	return ""
}
