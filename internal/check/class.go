package check

import (
	"path"
	"regexp"
	"strings"
)

// found returns the lines of a change that do an act to a class of things. A line with number 0
// stands for the file as a whole.
func (c class) found(act Act, v *view) []Line {
	switch c {
	case dependencies:
		return v.dependencies(act)
	case newFiles:
		return whole(v.Status == Added)
	case docFiles:
		return whole(v.Status == Added && v.docs)
	case lockFiles:
		return whole(strings.HasSuffix(v.Path, ".lock") || has("package-lock.json|pnpm-lock.yaml|bun.lockb|go.sum|npm-shrinkwrap.json", path.Base(v.Path)))
	case workflows:
		return whole(anyIn("/"+v.Path, "/.github/workflows/", "/.circleci/", "/.gitlab-ci.yml") || path.Base(v.Path) == "Jenkinsfile")
	case generated:
		base := path.Base(v.Path)
		return whole(anyIn(base, ".pb.", "_generated.", ".gen.", ".generated.", "_gen.", ".g.dart", "_pb2") || anyIn("/"+v.Path, "/generated/", "/gen/", "/__generated__/"))
	case tests:
		return v.tests(act)
	default:
		return v.marked(c)
	}
}

// whole returns one empty line for "the whole file", or nothing.
func whole(yes bool) []Line {
	if yes {
		return []Line{{}}
	}
	return nil
}

// dependencies returns the entries that a manifest gains and, if the act is to touch them,
// those that it changes; to remove gives the file as a whole if an entry is gone.
//
// An entry whose version alone changes counts as touched and not as added. An entry that only
// moves within the manifest is neither.
func (v *view) dependencies(act Act) []Line {
	names := func(side []source) map[string]Line {
		m := map[string]Line{}
		for i := range side {
			if e := side[i].entry; e != "" {
				m[e] = side[i].Line
			}
		}
		return m
	}
	now, old := names(v.added), names(v.gone)
	var lines []Line
	for i := range v.added {
		e := v.added[i].entry
		_, was := old[e]
		if e != "" && now[e] == v.added[i].Line && (act == Touch && was || act != Touch && act != Remove && !was) {
			lines = append(lines, v.added[i].Line)
		}
	}
	if act == Remove {
		for e := range old {
			if _, is := now[e]; !is {
				return whole(true)
			}
		}
	}
	return lines
}

// tests returns what was done to tests. To skip is an added mark such as t.Skip or
// @Ignore, in any file. To remove is a deleted test file, or fewer test functions after
// the change than before it; a test that is renamed therefore counts as neither.
func (v *view) tests(act Act) []Line {
	if act == Skip {
		form := regexp.MustCompile(`\.skip\(|\bt\.Skip|@pytest\.mark\.(?:skip|xfail)|\bxit\(|\bxdescribe\(|#\[ignore|@Disabled|@Ignore|unittest\.skip`)
		return v.matching(form, func(s *source) string { return s.code })
	}
	if !v.test {
		return nil
	}
	if act != Remove {
		return whole(v.Status != Added || act != Touch)
	}
	form := regexp.MustCompile(`\bfunc (?:Test|Fuzz|Benchmark)|\bdef test_|\b(?:it|test)\(|@Test\b|#\[test\]`)
	count := func(side []source) (n int) {
		for i := range side {
			if form.MatchString(side[i].code) {
				n++
			}
		}
		return n
	}
	return whole(v.Status == Deleted || count(v.gone) > count(v.added))
}

// marked returns the added lines that have the mark of a class: a comment, an emoji, a TODO, a
// default export, an inline style. Comments for a tool (eslint-disable, //go:build, type:
// ignore) are no comments, and documentation has none.
func (v *view) marked(c class) []Line {
	switch c {
	case comments:
		if v.docs {
			return nil
		}
		return v.matching(regexp.MustCompile(`\S`), func(s *source) string {
			return strings.TrimSpace(notDirective(s.comment))
		})
	case emoji:
		return v.matching(regexp.MustCompile(`[\x{1F300}-\x{1FAFF}\x{1F1E6}-\x{1F1FF}\x{2B50}\x{2B55}\x{2705}\x{2728}\x{274C}\x{274E}\x{2753}-\x{2757}\x{2795}-\x{2797}\x{26A1}\x{26D4}\x{231A}\x{231B}\x{23F0}-\x{23F3}]|\x{FE0F}`), func(s *source) string { return s.Text })
	case todos:
		return v.matching(regexp.MustCompile(`\b(?:TODO|FIXME|XXX)\b`), func(s *source) string { return s.comment })
	case defaultExport:
		return v.matching(regexp.MustCompile(`\bexport\s+default\b|\bas\s+default\b`), func(s *source) string { return s.code })
	case inlineStyle:
		return v.matching(regexp.MustCompile(`\bstyle=(?:\{\{|"|'|\{)|\bstyle\s*=\s*["']`), func(s *source) string { return s.Text })
	default:
		return nil
	}
}

// notDirective returns a comment, or nothing if it is meant for a tool.
func notDirective(comment string) string {
	if regexp.MustCompile(`eslint|noqa|nolint|^#!|^//go:|@ts-|type: ignore|pylint|prettier|SPDX`).MatchString(comment) {
		return ""
	}
	return comment
}

// matching returns the added lines of which a part has a form. If the file lost as many such
// lines, there are none: the change moved or rewrote them.
func (v *view) matching(form *regexp.Regexp, part func(*source) string) []Line {
	before := 0
	for i := range v.gone {
		if form.MatchString(part(&v.gone[i])) {
			before++
		}
	}
	var lines []Line
	for i := range v.added {
		if form.MatchString(part(&v.added[i])) {
			lines = append(lines, v.added[i].Line)
		}
	}
	if before >= len(lines) {
		return nil
	}
	return lines
}
