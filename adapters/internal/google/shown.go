package google

import (
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

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

func readShown(v jsondoc.Value) shown {
	var s shown
	var flags shownFlags
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "fileDiff":
			s.is, s.unified = v.Kind() == jsondoc.String, v.Str()
		case "fileName":
			s.name = v.Str()
		case "filePath":
			s.path = v.Str()
		case "originalContent":
			s.before = version{v.Str(), v.Kind() == jsondoc.String || v.Kind() == jsondoc.Null}
			s.isNew = s.isNew || v.Kind() == jsondoc.Null
		case "newContent":
			s.after = version{v.Str(), v.Kind() == jsondoc.String}
		case "isNewFile":
			s.isNew = s.isNew || v.Bool()
		default:
			flags.read(name, v)
		}
	}
	flags.apply(&s)
	return s
}

// shownFlags say what Qwen Code cut out of a FileDiff before it stored it
// (source; what is longer than its limits gets a notice in its middle).
type shownFlags struct{ any, unified, before, after bool }

func (f *shownFlags) read(name, v jsondoc.Value) {
	switch string(name.Body()) {
	case "truncatedForSession":
		f.any = v.Bool()
	case "fileDiffTruncated":
		f.unified = v.Bool()
	case "originalContentTruncated":
		f.before = v.Bool()
	case "newContentTruncated":
		f.after = v.Bool()
	}
}

func (f *shownFlags) apply(s *shown) {
	if !f.any {
		return
	}
	// The flags of the parts are younger than the flag of the whole.
	const cut, preview = "\n[... truncated for saved session preview; original length: ", "\n-Full diff omitted from saved session history; "
	s.before.whole = s.before.whole && !f.before && !strings.Contains(s.before.text, cut)
	s.after.whole = s.after.whole && !f.after && !strings.Contains(s.after.text, cut)
	if f.unified || strings.Contains(s.unified, preview) {
		s.unified = ""
	}
}
