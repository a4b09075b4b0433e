package google

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// told is what the model was told of an edit.
type told struct {
	path    string
	created bool
	places  int // that were replaced; 0 is not said
	// Lines of the file after the edit, and the number of the first; 0 is none.
	snippet string
	start   int
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
		t := told{path: name}
		t.lines(shown)
		return t
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

// lines reads " Showing lines 5-13 of 13 from the edited file:\n\n---\n\n…".
func (t *told) lines(text string) {
	text, ok := strings.CutPrefix(text, " Showing lines ")
	if !ok {
		return
	}
	from, text, _ := strings.Cut(text, "-")
	to, text, _ := strings.Cut(text, " of ")
	total, text, _ := strings.Cut(text, " from the edited file:\n\n---\n\n")
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	all, err3 := strconv.Atoi(total)
	if err1 != nil || err2 != nil || err3 != nil || first < 1 || len(strings.Split(text, "\n")) != last-first+1 {
		return
	}
	// The lines are joined: the last one has its end unless it is the file's.
	if last < all {
		text += "\n"
	}
	t.snippet, t.start = text, first
}

// fits reports whether a text is what the model was told the file holds now.
func (t *told) fits(text string) bool {
	if t.start == 0 {
		return true
	}
	text = edit.LF(text)
	for range t.start - 1 {
		_, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return false
		}
		text = rest
	}
	return strings.HasPrefix(text, t.snippet)
}

// part is the diff of the lines that the model was told about.
func (t *told) part(path string, r replacement) (core.Diff, bool) {
	if t.start == 0 || r.after == "" || strings.Count(t.snippet, r.after) != 1 {
		return core.Diff{}, false
	}
	before := strings.Replace(t.snippet, r.after, r.before, 1)
	d := edit.Shifted(edit.FromTexts(path, before, t.snippet), t.start-1)
	d.Old, d.New = &r.before, &r.after
	return d, d.Added+d.Removed > 0
}
