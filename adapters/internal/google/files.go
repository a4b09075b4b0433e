package google

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Files knows what is in the files that a transcript has shown: from reads
// of whole files, and from edits. Clients that record no diff, or half of one,
// leave nothing else to make one from. The zero Files knows nothing and is ready.
type Files struct{ edit.Files }

// Turn does nothing: the client records what it found when it wrote.
func (*Files) Turn() {}

// WasRead takes in what a successful call of read_file showed: output is the
// text that the model was told, as written in JSON.
func (f *Files) WasRead(args jsondoc.Value, output []byte) {
	if isPartial(args, output) {
		return
	}
	file := stream.Str(args, "file_path", "absolute_path") // the second recorded: Gemini CLI 0.11.3, Qwen Code 0.5.2
	f.Show(edit.Read{Path: file, Body: output, Start: 1, Whole: true, Last: true})
}

// isPartial reports whether a read did not show the whole of a file, or showed
// something else in its place.
func isPartial(args jsondoc.Value, output []byte) bool {
	for name, v := range args.Fields() {
		switch string(name.Body()) {
		case "offset", "limit", "start_line", "end_line", "pages":
			if v.Kind() != jsondoc.Null {
				return true
			}
		}
	}
	for _, begin := range []string{
		`IMPORTANT: The file content has been truncated`, // source of Gemini CLI
		`<tool_output_masked>`,                           // source of Gemini CLI
		`Showing lines `,                                 // recorded, Qwen Code 0.5.2
		`[File `,                                         // source of Qwen Code: unchanged since the last read; Gemini CLI 0.6: truncated
		`<system-reminder>`,                              // source of Qwen Code
	} {
		if bytes.HasPrefix(trimLeft(output), []byte(begin)) {
			return true
		}
	}
	return false
}

// RanShell takes in that a shell command ran. Most only look. One that writes makes uncertain what
// the files that it names hold; one that works on the tree, what all of them do.
func (f *Files) RanShell(args jsondoc.Value) {
	command := strings.NewReplacer("2>&1", "", ">/dev/null", "", "> /dev/null", "").Replace(args.Get("command").Str())
	if hasAny(command, "checkout", "restore", "reset", "stash", "pull", "merge", "rebase", "apply", "revert", "switch",
		"--write", "--fix", " fmt", "gofmt -w", "install", "generate") {
		f.Clear()
		return
	}
	if hasAny(command, ">", " -i", "-pi", "tee ", "mv ", "cp ", "rm ", "patch", "truncate ", "touch ", "write", "open(") {
		f.ForgetIf(func(name string) bool { return strings.Contains(command, base(name)) })
	}
}

// hasAny reports whether a text has one of some words.
func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// base is the name of a file without its folders, on any system.
func base(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

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

// trimCut shortens a string written in JSON to what is looked at, but not within an escape.
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

// shown is what a client recorded of an edit for the screen: its FileDiff.
type shown struct {
	is            bool
	path, name    string
	before, after version
	unified       string // "" if it is not the real one
	isNew         bool
}

// version is a text of the file.
type version struct {
	text  string
	whole bool // it is there, and all of it
}

// recorded is the text, if it is whole.
func (v version) recorded() *string {
	if !v.whole {
		return nil
	}
	return &v.text
}

// readShown reads what the tool shows of an edit: the diff, and the texts if they are whole.
func readShown(v jsondoc.Value) shown {
	unified, before, after := v.Get("fileDiff"), v.Get("originalContent"), v.Get("newContent")
	isNew := before.Kind() == jsondoc.Null
	s := shown{
		is: unified.Kind() == jsondoc.String, unified: unified.Str(), name: v.Get("fileName").Str(), path: v.Get("filePath").Str(),
		before: version{before.Str(), isNew || before.Kind() == jsondoc.String}, after: version{after.Str(), after.Kind() == jsondoc.String},
		isNew: isNew || v.Get("isNewFile").Bool(),
	}
	if v.Get("truncatedForSession").Bool() {
		s.cut(v)
	}
	return s
}

// cut leaves out what Qwen Code cut out of a FileDiff before it stored it (source; what is longer
// than its limits gets a notice in its middle). The flags of the parts are younger than the flag of the whole.
func (s *shown) cut(v jsondoc.Value) {
	const cut, preview = "\n[... truncated for saved session preview; original length: ", "\n-Full diff omitted from saved session history; "
	s.before.whole = s.before.whole && !v.Get("originalContentTruncated").Bool() && !strings.Contains(s.before.text, cut)
	s.after.whole = s.after.whole && !v.Get("newContentTruncated").Bool() && !strings.Contains(s.after.text, cut)
	if v.Get("fileDiffTruncated").Bool() || strings.Contains(s.unified, preview) {
		s.unified = ""
	}
}
