package google

import (
	"bytes"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Files knows what stands in the files that a transcript has shown: from reads
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
	path := args.Get("file_path")
	if !path.Exists() {
		path = args.Get("absolute_path") // recorded: Gemini CLI 0.11.3, Qwen Code 0.5.2
	}
	f.Show(edit.Read{Path: path.Str(), Body: output, Start: 1, Whole: true, Last: true})
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

// RanShell takes in that a shell command ran. Most only look. One that writes
// makes uncertain what the files that it names hold; one that works on the tree,
// what all of them do.
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

func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// base is the name of a file without its folders, on any system.
func base(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}
