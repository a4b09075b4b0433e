package check

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// pattern matches the paths that a name means.
//
//	vendor/          everything below a folder vendor, wherever it is
//	src/api          the file src/api and everything below such a folder
//	config.yml       a file of that name in any folder
//	README           README, README.md, README.rst
//	**/*.pb.go       * within one element, ** across elements
//
// Paths have slashes and are relative to the project.
type pattern struct {
	name   string
	plain  string         // what is looked for in "/path", or in "/path/" of a file
	folder bool           // the name is of a folder
	form   *regexp.Regexp // of a name that stands for several
}

// maxName bounds the names that are made into a pattern.
const maxName = 256

// compile makes a pattern; nil of a name that is too long to be one.
func compile(name string) *pattern {
	name = strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./")
	if name == "" || len(name) > maxName || !utf8.ValidString(name) {
		return nil
	}
	trimmed := strings.Trim(name, "/")
	trimmed = strings.TrimSuffix(trimmed, "/**")
	base := trimmed[strings.LastIndexByte(trimmed, '/')+1:]
	folder, document := strings.HasSuffix(name, "/") || strings.HasSuffix(name, "/**"), has("README|LICENSE|CHANGELOG|CONTRIBUTING|NOTICE", base)
	if !strings.Contains(trimmed, "*") && (folder || !document) {
		return &pattern{name: name, plain: "/" + trimmed + "/", folder: folder}
	}
	var b strings.Builder
	b.WriteString(`(?:^|/)`)
	for i := 0; i < len(trimmed); i++ {
		switch {
		case strings.HasPrefix(trimmed[i:], "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(trimmed[i:], "**"):
			b.WriteString(`.*`)
			i++
		case trimmed[i] == '*':
			b.WriteString(`[^/]*`)
		default:
			b.WriteString(regexp.QuoteMeta(trimmed[i : i+1]))
		}
	}
	switch {
	case folder:
		b.WriteString(`/`)
	case document:
		b.WriteString(`(?:\.\w+)?$`)
	default:
		b.WriteString(`(?:/|$)`)
	}
	form, err := regexp.Compile(b.String())
	if err != nil {
		return nil
	}
	return &pattern{name: name, form: form}
}

// matches reports whether a path is what the pattern names.
func (p *pattern) matches(path string) bool {
	switch {
	case path == "":
		return false
	case p.form != nil:
		return p.form.MatchString(path)
	case p.folder:
		return strings.Contains("/"+path, p.plain)
	}
	return strings.Contains("/"+path+"/", p.plain)
}
