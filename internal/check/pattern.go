package check

import (
	"regexp"
	"strings"
)

// pattern matches the paths that a name means: a file of that name in any folder, all
// below a folder of that name, and what * and ** stand for.
type pattern struct {
	name string
	form *regexp.Regexp
}

// maxName bounds the names that are made into a pattern.
const maxName = 256

// compile makes a pattern; nil of a name that is too long to be one.
func compile(name string) *pattern {
	name = strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./")
	if name == "" || len(name) > maxName {
		return nil
	}
	var b strings.Builder
	b.WriteString(`(?:^|/)`)
	trimmed := strings.Trim(name, "/")
	trimmed = strings.TrimSuffix(trimmed, "/**")
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
	switch base := trimmed[strings.LastIndexByte(trimmed, '/')+1:]; {
	case strings.HasSuffix(name, "/") || strings.HasSuffix(name, "/**"):
		b.WriteString(`/`)
	case has("README|LICENSE|CHANGELOG|CONTRIBUTING|NOTICE", base):
		b.WriteString(`(?:\.\w+)?$`)
	default:
		b.WriteString(`(?:/|$)`)
	}
	form, err := regexp.Compile(b.String())
	if err != nil {
		return nil // not UTF-8
	}
	return &pattern{name, form}
}

func (p *pattern) matches(path string) bool { return path != "" && p.form.MatchString(path) }
