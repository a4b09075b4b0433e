package check

import (
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/check/packages"
)

// view is a change, read for what it shows.
type view struct {
	*Change

	ext   string
	test  bool // a file of tests
	docs  bool // prose: only its name shows something
	added []source
	gone  []source

	hash, dashes bool // how comments begin: with #, with --; else with //
}

// source is a line with what of it is code.
type source struct {
	Line

	code    string // without comments and the contents of strings
	comment string
	entry   string   // the dependency that it declares in a manifest
	imports []string // the names that it imports
}

// look returns a change with what its path says: language, test, documentation,
// manifest.
//
// It is done once for each change, before the rules are looked at.
func look(c *Change) view {
	v := view{Change: c, ext: strings.ToLower(path.Ext(c.Path))}
	v.hash, v.dashes = v.hashes(), has(".sql|.lua|.hs|.elm|.ada", v.ext)
	base := strings.ToLower(path.Base(c.Path))
	v.docs = has(".md|.mdx|.rst|.txt|.adoc|.html|.htm", v.ext) && !strings.HasPrefix(base, "requirements") && base != "cmakelists.txt" && v.ext != ".html" && v.ext != ".htm"
	dirs := "/" + strings.ToLower(path.Dir(c.Path)) + "/"
	v.test = strings.Contains(base, "_test.") || strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || strings.HasPrefix(base, "test_") ||
		strings.HasSuffix(base, "test.java") || strings.HasSuffix(base, "tests.cs") || strings.HasSuffix(base, "_spec.rb") ||
		anyIn(dirs, "/test/", "/tests/", "/__tests__/", "/spec/", "/e2e/", "/testdata/")
	v.added, v.gone = v.read(c.Added), v.read(c.Removed)
	return v
}

// hasExt reports whether the file has one of some extensions.
func (v *view) hasExt(exts []string) bool {
	return slices.Contains(exts, v.ext)
}

// script reports whether a file is made of commands.
func (v *view) script() bool {
	base := strings.ToLower(path.Base(v.Path))
	return has(".sh|.bash|.zsh|.fish|.ps1|.bat|.yml|.yaml|.mk|.just", v.ext) || has("makefile|dockerfile|justfile|procfile|package.json|tox.ini|jenkinsfile|containerfile|pre-commit|pre-push|commit-msg", base) ||
		strings.HasPrefix(base, "dockerfile.")
}

// read separates the code of lines from their comments and strings.
//
// A block comment that begins before the first line shown is not known as one, except
// where its lines begin with *.
func (v *view) read(lines []Line) []source {
	out := make([]source, len(lines))
	manifest, imports := packages.ManifestForm(strings.ToLower(path.Base(v.Path)), v.ext), packages.ImportForm(v.ext)
	block := false
	for i, l := range lines {
		s := &out[i]
		s.Line = l
		s.code, s.comment, block = v.split(l.Text, block)
		s.entry = packages.Entry(manifest, l.Text)
		if strings.TrimSpace(s.code) != "" {
			s.imports = packages.Imported(imports, strings.TrimSuffix(l.Text, s.comment))
		}
	}
	return out
}

// split separates one line. It looks at a line alone, with the comment that the line
// before it has left open: a change does not show more.
//
// Strings lose their contents and keep their quotes: `log("eval(x)")` becomes
// `log("")`. A string that does not end on its line is left as it is.
func (v *view) split(s string, block bool) (code, comment string, open bool) {
	trimmed := strings.TrimSpace(s)
	if block {
		if _, rest, ok := strings.Cut(s, "*/"); ok {
			code, comment, open = v.split(rest, false)
			return code, s[:len(s)-len(rest)] + comment, open
		}
		return "", s, true
	}
	if strings.HasPrefix(trimmed, "* ") || trimmed == "*" || strings.HasPrefix(trimmed, "*/") || strings.HasPrefix(trimmed, "<!--") {
		return "", s, false
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		rest := s[i:]
		switch {
		case v.lineComment(s, i):
			return b.String(), rest, false
		case strings.HasPrefix(rest, "/*") && !v.hash:
			code, comment, open = v.split(rest[2:], true)
			return b.String() + " " + code, "/*" + comment, open
		case s[i] == '"' || s[i] == '\'' || s[i] == '`':
			n := literal(rest)
			b.WriteByte(s[i])
			if n > 1 {
				b.WriteByte(s[i])
			}
			i += max(n, 1) - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), "", false
}

// hashes reports whether comments begin with #.
func (v *view) hashes() bool {
	base := strings.ToLower(path.Base(v.Path))
	return has(".py|.pyi|.rb|.sh|.bash|.zsh|.yml|.yaml|.toml|.pl|.r|.ex|.exs|.mk|.tf|.ps1|.cfg|.ini|.nix|.gitignore|.env", v.ext) ||
		has("makefile|dockerfile|gemfile|rakefile|justfile|procfile", base) || strings.HasPrefix(base, "requirements")
}

// lineComment reports whether a comment to the end of the line begins at i.
func (v *view) lineComment(s string, i int) bool {
	switch {
	case v.hash:
		return s[i] == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t')
	case v.dashes:
		return strings.HasPrefix(s[i:], "--")
	}
	return strings.HasPrefix(s[i:], "//") && (i == 0 || s[i-1] != ':')
}

// literal returns the length of the string that a line begins with; 0 if it does not end.
func literal(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}
