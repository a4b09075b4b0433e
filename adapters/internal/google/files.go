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
//
// Texts are kept as they came and decoded only when an edit asks for them: most
// of what is read is never edited.
type Files struct {
	whole  edit.Files
	edited []string // files whose text is in whole, as far as they are remembered
	reads  [32]read // the latest ones
	next   int
}

// read is a whole file as a call showed it.
type read struct {
	path string
	body []byte // as written in JSON; reused
}

const (
	maxRead   = 1 << 20 // what is kept of one read
	maxEdited = 256
)

// Text returns the text of a file, if it is known.
func (f *Files) Text(path string) (string, bool) {
	for i := range f.reads {
		r := &f.reads[i]
		if r.path == path && path != "" {
			f.Set(path, string(jsondoc.Unquote(nil, r.body)))
		}
	}
	return f.whole.Text(path)
}

// Sure is Text: what may have changed is forgotten.
func (f *Files) Sure(path string) (string, bool) { return f.Text(path) }

// Set says what stands in a file now.
func (f *Files) Set(path, text string) {
	f.drop(path)
	f.whole.Set(path, text)
	if slices.Contains(f.edited, path) {
		return
	}
	if len(f.edited) == maxEdited {
		f.whole.Forget(f.edited[0])
		f.edited = slices.Delete(f.edited, 0, 1)
	}
	f.edited = append(f.edited, path)
}

// Forget says that a file may have changed.
func (f *Files) Forget(path string) {
	f.drop(path)
	f.whole.Forget(path)
}

// ForgetAll says that any file may have changed.
func (f *Files) ForgetAll() {
	f.forgetIf(func(string) bool { return true })
}

func (f *Files) drop(path string) {
	for i := range f.reads {
		if f.reads[i].path == path {
			f.reads[i].path = ""
		}
	}
}

// WasRead takes in what a successful call of read_file showed: output is the
// text that the model was told, as written in JSON.
func (f *Files) WasRead(args jsondoc.Value, output []byte) {
	if len(output) > maxRead || isPartial(args, output) {
		return
	}
	path := args.Get("file_path")
	if !path.Exists() {
		path = args.Get("absolute_path") // recorded: Gemini CLI 0.11.3, Qwen Code 0.5.2
	}
	if path.Kind() != jsondoc.String {
		return
	}
	name := path.Str()
	f.Forget(name)
	r := &f.reads[f.next]
	f.next = (f.next + 1) % len(f.reads)
	r.path, r.body = name, append(r.body[:0], output...)
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
		f.ForgetAll()
		return
	}
	if hasAny(command, ">", " -i", "-pi", "tee ", "mv ", "cp ", "rm ", "patch", "truncate ", "touch ", "write", "open(") {
		f.forgetIf(func(name string) bool { return strings.Contains(command, base(name)) })
	}
}

func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

func (f *Files) forgetIf(doubtful func(path string) bool) {
	for i := range f.reads {
		if r := &f.reads[i]; r.path != "" && doubtful(r.path) {
			r.path = ""
		}
	}
	for _, name := range f.edited {
		if doubtful(name) {
			f.whole.Forget(name)
		}
	}
}

// base is the name of a file without its folders, on any system.
func base(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}
