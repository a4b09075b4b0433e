// Package packages knows how files name the packages that they import and depend on: the forms
// of manifests and of import statements, by language.
//
// A form is a regular expression for one line, as a change shows no more of a file:
//
//	package.json   "lodash": "^4.17.21",          lodash           ManifestForm, Entry
//	go.mod         github.com/sirupsen/logrus v1  github.com/…     ManifestForm, Entry
//	app.py         from flask import Flask        flask            ImportForm, Imported
//	app.ts         import x from '@acme/x'        @acme/x          ImportForm, Imported
//
// [Is] then compares such a name with the one that a ban has. Forms are compiled at each call.
package packages

import (
	"regexp"
	"slices"
	"strings"
)

// members are those of manifests that look like dependencies and are none.
const members = "version|node|npm|yarn|pnpm|vscode|python|name|edition|rust-version|requires-python|go|engines|packageManager|type|main|license|sdk|flutter|description|readme|rev|tag|branch|default|lockfileVersion|resolver"

// Entry returns the dependency that a line of a manifest declares; "" if it declares none.
//
// The form is that of [ManifestForm] for the file. Members of a manifest that look like
// dependencies and are not (version, engines, license) are left out, and so are Go's
// indirect requirements, which no person chose. For package.json:
//
//	"lodash": "^4.17.21",      lodash
//	"version": "1.2.3",        ""
func Entry(form *regexp.Regexp, line string) string {
	if form == nil {
		return ""
	}
	m := form.FindStringSubmatch(line)
	if m == nil || strings.Contains(line, "// indirect") {
		return ""
	}
	name := strings.Join(m[1:], ":")
	if slices.Contains(strings.Split(members, "|"), name) {
		return ""
	}
	return name
}

// ManifestForm returns the pattern of a line that adds a dependency to a manifest;
// nil for other files.
//
// Only lines are seen, never the whole file: a change shows no more. The forms
// therefore ask for a version, so that `"test": "jest"` among the scripts of
// package.json is no dependency.
func ManifestForm(base, ext string) *regexp.Regexp {
	form := ""
	switch {
	case base == "package.json" || base == "composer.json" || base == "deno.json" || base == "bower.json":
		form = `^\s*"(@?[\w./-]+)"\s*:\s*"(?:[\^~<>=*v]?\s*=?\s*\d[^"]*|latest|next|\*|workspace:[^"]*|(?:git|file|link|npm|https?|github|jsr)[:+][^"]*)"`
	case base == "go.mod":
		form = `^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+v\d`
	case strings.HasPrefix(base, "requirements") && (ext == ".txt" || ext == ".in"):
		form = `^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=<>~!]=?.*|@.*|;.*)?$`
	case base == "pyproject.toml":
		form = `^\s*(?:dependencies\s*=\s*\[\s*)?["']?([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=<>~!]=[^"']*["']|["']\s*,?\s*\]?\s*$|=\s*(?:["'][\^~<>=*\d]|\{))`
	case base == "cargo.toml":
		form = `^\s*([A-Za-z][\w-]*)(?:\.workspace)?\s*=\s*(?:"[\^~=<>]?\s*[\d*]|\{.*(?:version|path|git|workspace)|true)`
	case base == "gemfile" || ext == ".gemspec":
		form = `^\s*(?:gem|\w+\.add_\w*dependency)\s*\(?\s*['"]([^'"]+)`
	case base == "pom.xml":
		form = `<artifactId>\s*([\w.-]+)\s*</artifactId>`
	case strings.HasSuffix(base, ".gradle") || strings.HasSuffix(base, ".gradle.kts"):
		form = `^\s*(?:\w*[iI]mplementation|api|compile\w*|runtimeOnly|testRuntimeOnly|kapt|ksp|annotationProcessor)[\s(]+["']([^"']+?)(?::[\d.][^"']*)?["']`
	case ext == ".csproj" || ext == ".fsproj" || base == "directory.packages.props":
		form = `<Package(?:Reference|Version)\s+Include="([^"]+)"`
	case ext == ".sbt":
		form = `"([\w.-]+)"\s*%{1,3}\s*"([\w.-]+)"`
	case base == "project.clj" || base == "deps.edn":
		form = `([A-Za-z][\w./-]*)\s+(?:"\d|\{:(?:mvn|git|local)/)`
	case base == "rebar.config":
		form = `\{\s*(\w+)\s*,\s*(?:"[\d~>=]|\{git)`
	case base == "cpanfile":
		form = `^\s*(?:requires|recommends)\s+['"]([\w:]+)`
	case base == "podfile":
		form = `^\s*pod\s+['"]([^'"]+)`
	case base == "project.toml":
		form = `^(\w+)\s*=\s*"[0-9a-f]{8}-[0-9a-f-]{27}"`
	case base == "mix.exs":
		form = `\{\s*:(\w+)\s*,`
	case base == "pubspec.yaml":
		form = `^\s{2}(\w+):\s*(?:\^|any|["']?[\d>=<])`
	case base == "package.swift":
		form = `\.package\([^)]*url:\s*"([^"]+)"`
	case base == "pipfile":
		form = `^([A-Za-z][\w.-]*)\s*=\s*["{]`
	default:
		return nil
	}
	return regexp.MustCompile(form)
}

// Imported returns the names that a line of code imports.
func Imported(form *regexp.Regexp, line string) []string {
	if form == nil {
		return nil
	}
	var all []string
	for _, m := range form.FindAllStringSubmatch(line, -1) {
		for _, name := range m[1:] {
			for part := range strings.SplitSeq(name, ",") {
				part, _, _ = strings.Cut(strings.TrimSpace(part), " as ")
				if part != "" {
					all = append(all, strings.TrimSpace(part))
				}
			}
		}
	}
	return all
}

// ImportForm returns the pattern of an import statement in a language; nil if there
// is none.
//
// The forms are per line. An import list over several lines is seen where each line has
// the module's name; Python's parenthesised names are not modules and are not needed.
func ImportForm(ext string) *regexp.Regexp {
	form := ""
	switch ext {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte":
		form = `(?:\bfrom\s*|\bimport\s*|\brequire\(\s*|\bimport\(\s*|\bmock\(\s*)['"]([^'"]+)['"]`
	case ".py", ".pyi", ".ipynb":
		form = `^\s*(?:"\s*)?(?:from\s+([\w.]+)\s+import\b|import\s+([\w.,\s]+))`
	case ".go":
		form = `^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\s]+)"\s*$`
	case ".rs":
		form = `^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|extern\s+crate)\s+(?:::)?([\w:]+)`
	case ".java", ".kt", ".kts", ".scala", ".groovy", ".swift", ".d", ".hs":
		form = `^\s*import\s+(?:static\s+|qualified\s+)?([\w.*]+)`
	case ".cs":
		form = `^\s*(?:global\s+)?using\s+(?:static\s+)?([\w.]+)\s*;`
	case ".php":
		form = `^\s*use\s+\\?([\w\\]+)`
	case ".rb":
		form = `^\s*require(?:_relative)?\s*\(?\s*['"]([^'"]+)`
	case ".c", ".h", ".cc", ".cpp", ".hpp", ".m", ".mm":
		form = `^\s*#\s*(?:include|import)\s*[<"]([^>"]+)`
	case ".dart":
		form = `^\s*(?:import|export)\s+['"]([^'"]+)`
	case ".ex", ".exs":
		form = `^\s*(?:alias|import|use|require)\s+([\w.]+)`
	case ".css", ".scss", ".sass", ".less":
		form = `@(?:import|use)\s+(?:url\()?['"]?([^'")\s;]+)`
	case ".html", ".htm":
		form = `<(?:script|link)[^>]+(?:src|href)=["']([^"']+)`
	case ".r":
		form = `\b(?:library|require|requireNamespace|loadNamespace)\s*\(\s*["']?([\w.]+)`
	case ".jl":
		form = `^\s*(?:using|import)\s+([\w., ]+)`
	case ".pl", ".pm", ".t":
		form = `^\s*(?:use|require)\s+([A-Za-z][\w:]*)`
	case ".clj", ".cljs", ".cljc":
		form = `\[([A-Za-z][\w.-]*)\s+:(?:as|refer)`
	case ".fs", ".ml":
		form = `^\s*open\s+([\w.]+)`
	case ".zig":
		form = `@import\("([^"]+)`
	case ".lua":
		form = `\brequire\s*\(?\s*['"]([^'"]+)`
	default:
		return nil
	}
	return regexp.MustCompile(form)
}

// Is reports whether what a file imports or a manifest lists is the package of
// that name.
//
// A ban on lodash covers lodash/map, lodash.debounce and @lodash/x, one on logrus
// covers github.com/sirupsen/logrus, one on moment covers moment.js. It does not cover
// moment-timezone, nor a relative import of a file of that name.
func Is(listed, name string) bool {
	l, n := plainName(listed), plainName(name)
	if n == "" {
		return false
	}
	for _, n := range []string{n, strings.TrimSuffix(strings.TrimSuffix(n, ".js"), "js")} {
		if len(n) > 1 && (l == n || strings.HasPrefix(l, n+"/") || strings.HasPrefix(l, n+".") || strings.HasPrefix(l, n+"::") ||
			strings.HasPrefix(l, "@"+n+"/") || strings.HasPrefix(l, "@"+n+"js/") || l == n+".js") {
			return true
		}
	}
	if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "@") {
		return false // a file, or a package of another scope
	}
	// The last or any whole element, as in github.com/sirupsen/logrus and
	// org.projectlombok:lombok.
	for _, e := range strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune(`/:\`, r) }) {
		if e == n || e == n+".js" || strings.HasPrefix(e, n+".min.") || versioned(e, n) {
			return true
		}
	}
	group, _, coordinates := strings.Cut(l, ":") // com.typesafe.akka:akka-actor
	return strings.Contains(l, "."+n+".") && !strings.Contains(l, "/") || coordinates && strings.HasSuffix(group, "."+n)
}

// versioned reports whether an element is a name with a version, as jquery-3.7.1.min.js.
func versioned(e, name string) bool {
	rest, ok := strings.CutPrefix(e, name)
	return ok && len(rest) > 1 && (rest[0] == '-' || rest[0] == '@') && rest[1] >= '0' && rest[1] <= '9'
}

// plainName returns the name of a dependency as it is compared: in lower case, with hyphens.
func plainName(s string) string {
	s = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "package:")
	return strings.ReplaceAll(s, "_", "-")
}
