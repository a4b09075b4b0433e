package check

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/internal/check/packages"
)

// found returns the places of a change where an act is done to an object. A line
// without number is the file as a whole.
//
// The order decides: a class is found by what the change is, a name that can be a path
// by the path, and else by the lines. A name such as config.yml is looked for in both:
// it may be touched as a file or used as an import.
func (o *Object) found(act Act, v *view, moved map[string]int) []Line {
	if o.Class != "" {
		return o.Class.found(act, v)
	}
	if o.path != nil {
		if hit := o.onPath(act, v); hit {
			return []Line{{}}
		}
		if act != Use && act != Add {
			return nil
		}
	}
	switch act {
	case Remove:
		return o.removed(v)
	case Touch, Rename:
		return o.touched(v)
	case Skip:
		return nil
	default:
	}
	if cmd, ok := o.command(); ok {
		return commands(v, cmd)
	}
	var lines []Line
	for i := range v.added {
		l := &v.added[i]
		if o.usedIn(v, l) && !o.wasThere(v, l, moved) {
			lines = append(lines, l.Line)
		}
	}
	return lines
}

// onPath reports whether the act is done to the file or folder of the object's name.
//
// A rename counts for both of its names: moving a file out of a protected folder
// touches the folder.
func (o *Object) onPath(act Act, v *view) bool {
	now, old := o.path.matches(v.Path), o.path.matches(v.OldPath)
	switch act {
	case Touch:
		return now || old
	case Add:
		return now && (v.Status == Added || v.Status == Renamed && !old)
	case Remove:
		return v.Status == Deleted && now || v.Status == Renamed && old && !now
	case Rename:
		return v.Status == Renamed && old
	default:
		return false // a path is used where it is imported
	}
}

// usedIn reports whether a line uses what the object names.
//
// How much must be shown depends on how sure the name is:
//
//	Exact      `os.Exit`, parseOrder      the token stands in the code
//	plain      eval, goto                 it is called, or is a keyword of the language
//	Weak       "dayjs, not moment"        it is imported or is an entry of a manifest
//	literal    a URL, "SELECT *"          the text stands in the line, also in strings
//	directive  @ts-ignore, eslint-…       the text stands in the line, also in comments
//
// Prose never uses anything.
func (o *Object) usedIn(v *view, l *source) bool {
	if o.form != nil {
		return o.form.MatchString(v.ext + " " + strings.TrimSpace(strings.TrimSuffix(l.Text, l.comment)))
	}
	if v.docs {
		return false
	}
	if l.entry != "" && packages.Is(l.entry, o.Name) {
		return true
	}
	if strings.TrimSpace(l.code) == "" && !directive(o.Name) {
		return false
	}
	raw := strings.TrimSuffix(l.Text, l.comment)
	for _, name := range l.imports {
		if packages.Is(name, o.Name) || o.path != nil && o.path.matches(strings.TrimLeft(name, "./")) {
			return true
		}
	}
	if o.path != nil && !strings.HasSuffix(o.Name, "()") && strings.Contains(o.Name, "/") {
		return false
	}
	switch {
	case o.Exact && isOperator(o.Name):
		return hasOperator(l.code, o.Name)
	case o.Exact && (strings.HasPrefix(o.Name, ":") || strings.Contains(o.Name, " ") && strings.ToUpper(o.Name) == o.Name): // SQL
		return strings.Contains(strings.ToLower(raw), strings.ToLower(o.Name))
	case o.Exact && strings.Contains(o.Name, "=") && strings.IndexFunc(o.Name, unicode.IsLetter) >= 0:
		return strings.Contains(strings.Join(strings.Fields(raw), ""), strings.Join(strings.Fields(o.Name), "")) // a setting
	case o.Exact && directive(o.Name):
		return strings.Contains(l.Text, o.Name)
	case o.Exact && literalName(o.Name):
		return strings.Contains(raw, o.Name)
	case o.Exact:
		return hasToken(l.code, strings.TrimSuffix(o.Name, "()"))
	case o.Weak:
		return false
	}
	return o.called(v, l.code)
}

// isOperator reports whether a name is one of marks only.
func isOperator(s string) bool {
	return s != "" && strings.Trim(s, "!=&|<>+-*/%^~?") == ""
}

// hasOperator reports whether code has an operator that is no part of a longer one. That
// of Kotlin for what is not null stands behind a value; before one, !! denies twice.
func hasOperator(code, name string) bool {
	for from := 0; ; {
		i := strings.Index(code[from:], name)
		if i < 0 {
			return false
		}
		at, end := from+i, from+i+len(name)
		whole := (at == 0 || !isOperator(code[at-1:at])) && (end == len(code) || !isOperator(code[end:end+1]))
		behind := at > 0 && (inName(code[at-1]) || code[at-1] == ')' || code[at-1] == ']')
		if whole && (name != "!!" || behind) {
			return true
		}
		from = at + 1
	}
}

// literalName reports whether a name holds what only strings hold, as a URL.
func literalName(s string) bool {
	return strings.Contains(s, "://") || strings.ContainsAny(s, " \"'=<>") || strings.IndexFunc(s, unicode.IsLetter) < 0
}

// directive reports whether a name is one that stands in comments, as @ts-ignore.
func directive(s string) bool {
	return strings.HasPrefix(s, "@") && !strings.Contains(s, "/") || strings.HasPrefix(s, "eslint-") || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "#") ||
		has("noqa|nolint|ts-ignore|ts-nocheck|ts-expect-error", s)
}

// wasThere reports whether a line was only changed or moved: its file lost a use, or
// another file lost the line.
//
// Uses are counted over the whole file, not line by line: a change that adds one use
// and removes another is no new use.
func (o *Object) wasThere(v *view, l *source, moved map[string]int) bool {
	if text := strings.TrimSpace(l.Text); moved[text] > 0 && len(text) > 3 {
		return true
	}
	before, after := 0, 0
	for i := range v.gone {
		if o.usedIn(v, &v.gone[i]) {
			before++
		}
	}
	for i := range v.added {
		if o.usedIn(v, &v.added[i]) {
			after++
		}
	}
	return before >= after
}

// called reports whether a line calls a plain name, or uses a keyword of that name.
//
// A definition of that name (`func eval(`) is no use of it.
func (o *Object) called(v *view, code string) bool {
	for _, plural := range []string{"s", "es"} {
		if one, ok := strings.CutSuffix(o.Name, plural); ok && keyword(v.ext, one) && hasToken(code, one) {
			return true // "no enums"
		}
	}
	if !hasToken(code, o.Name) {
		return false
	}
	if keyword(v.ext, o.Name) {
		return true
	}
	if (v.ext == ".yml" || v.ext == ".yaml") && strings.Contains(o.Name, "-") && strings.HasPrefix(strings.TrimLeft(code, " -"), o.Name+":") {
		return true
	}
	at := callAt(code, o.Name)
	return at >= 0 && !defines(code[:at])
}

// callAt returns where code first calls a name, as "name(" or as Rust's "name!("; -1 if it
// does not.
func callAt(code, name string) int {
	for from := 0; name != ""; {
		i := strings.Index(code[from:], name)
		if i < 0 {
			break
		}
		at, end := from+i, from+i+len(name)
		after := strings.TrimLeft(strings.TrimPrefix(code[end:], "!"), " \t\n\f\r")
		if strings.HasPrefix(after, "(") && (at == 0 || code[at-1] >= 0x80 || !inName(code[at-1]) || name[0] == '.') {
			return at
		}
		from = at + 1
	}
	return -1
}

// defines reports whether what stands before a name makes it a definition.
func defines(before string) bool {
	fields := strings.Fields(before)
	return len(fields) > 0 && has("func|function|def|fn|void|class|fun|sub|defp|static|public|private", fields[len(fields)-1])
}

// keyworded reports whether a word, or its singular, is part of some language.
func keyworded(name string) bool {
	return slices.ContainsFunc([]string{".ts", ".c", ".go", ".rs", ".py", ".kt", ".proto", ".scala"}, func(ext string) bool {
		return keyword(ext, name) || keyword(ext, strings.TrimSuffix(name, "s"))
	})
}

// keyword reports whether a plain word is part of a language.
func keyword(ext, name string) bool {
	switch ext {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".vue", ".svelte":
		return has("var|any|enum|debugger|namespace|class", name)
	case ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".php":
		return has("goto|dynamic|var|new|union|auto", name)
	case ".go":
		return has("goto|unsafe|panic|any|init", name)
	case ".rs":
		return has("unsafe|static|unwrap|expect|panic|transmute", name)
	case ".py", ".pyi":
		return has("global|lambda|nonlocal|async|eval|exec|assert", name)
	case ".css", ".scss", ".less":
		return has("!important|float", name)
	case ".sql":
		return has("cascade|truncate", strings.ToLower(name))
	case ".java", ".kt":
		return has("synchronized|var|lateinit|goto", name)
	case ".proto":
		return has("required|group|extend", name)
	case ".scala":
		return has("var|null|return|asInstanceOf", name)
	case ".dart":
		return has("dynamic|var|late", name)
	case ".fs":
		return has("mutable|null", name)
	case ".sol":
		return has("selfdestruct|delegatecall|assembly", name)
	case ".hs":
		return has("undefined|error|head", name)
	case ".pl", ".pm", ".lua":
		return has("goto|eval", name)
	}
	return false
}

// hasToken reports whether a name stands in code as a whole.
func hasToken(code, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(code[from:], name)
		if i < 0 {
			return false
		}
		at, end := from+i, from+i+len(name)
		if (at == 0 || !inName(code[at-1]) || !inName(name[0])) && (end == len(code) || !inName(code[end]) || !inName(name[len(name)-1])) {
			return true
		}
		from = at + 1
	}
}

// inName reports whether a byte stands in names of code; letters beyond ASCII count.
func inName(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// removed returns where an identifier is lost.
func (o *Object) removed(v *view) []Line {
	name := strings.TrimSuffix(o.Name, "()")
	if v.docs || !o.Exact {
		return nil
	}
	before, after := 0, 0
	for i := range v.gone {
		if hasToken(v.gone[i].code, name) {
			before++
		}
	}
	for i := range v.added {
		if hasToken(v.added[i].code, name) {
			after++
		}
	}
	if before > after && after == 0 {
		return []Line{{}}
	}
	return nil
}

// touched returns where the definition of an identifier is changed.
func (o *Object) touched(v *view) []Line {
	name := strings.TrimSuffix(o.Name, "()")
	if v.docs || !o.Exact {
		return nil
	}
	for _, side := range [][]source{v.added, v.gone} {
		for i := range side {
			if hasToken(side[i].code, name) && definition(side[i].code) {
				return []Line{side[i].Line}
			}
		}
	}
	return nil
}

// definition reports whether a line defines something, as opposed to using it.
func definition(code string) bool {
	fields := strings.Fields(code)
	return slices.ContainsFunc(fields, func(w string) bool {
		return has("func|function|def|fn|class|struct|interface|enum|const|type|let|var|val|fun|trait|impl|export|CREATE|ALTER", w)
	})
}

// command returns the object as a command line, if it is one.
func (o *Object) command() ([]string, bool) {
	fields := strings.Fields(o.Name)
	switch {
	case len(fields) > 1 && cmdlet(fields[0]):
		return fields, true
	case len(fields) == 0 || !isCommand(strings.ToLower(fields[0])):
		return nil, false
	}
	fields[0] = strings.ToLower(fields[0])
	return fields, true
}

// commands returns where a command is called, and the new file that only it uses.
//
// Only scripts are looked at: shell, CI and build files, package.json. Words may stand
// between those of the command, so that "git push --force" is found in `git push origin
// main --force`. A ban on one program alone also covers the new file that only that
// program uses ([filesOf]).
func commands(v *view, cmd []string) []Line {
	if len(cmd) == 1 && v.Status == Added && slices.Contains(filesOf(cmd[0]), path.Base(v.Path)) {
		return []Line{{}}
	}
	if !v.script() {
		return nil
	}
	parts := make([]string, len(cmd))
	for i, w := range cmd {
		parts[i] = regexp.QuoteMeta(w)
	}
	form, err := regexp.Compile("(?:^|[\\s;&|(\"'`$:=@-])" + strings.Join(parts, `(?:\s+\S+)*?\s+`) + "(?:[\\s;&|)\"'`]|$)")
	if err != nil {
		return nil
	}
	uses := func(s *source) bool {
		return form.MatchString(strings.TrimSuffix(s.Text, s.comment)) && s.entry == "" && !strings.Contains(s.Text, `"`+cmd[0]+`":`)
	}
	before := 0
	for i := range v.gone {
		if uses(&v.gone[i]) {
			before++
		}
	}
	var lines []Line
	for i := range v.added {
		if uses(&v.added[i]) {
			lines = append(lines, v.added[i].Line)
		}
	}
	if before >= len(lines) {
		return nil
	}
	return lines
}

// filesOf returns the files that belong to a command: a ban on docker covers a
// Dockerfile.
func filesOf(cmd string) []string {
	switch cmd {
	case "docker", "docker-compose", "podman":
		return []string{"Dockerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml", ".dockerignore", "Containerfile"}
	case "npm":
		return []string{"package-lock.json", "npm-shrinkwrap.json"}
	case "yarn":
		return []string{"yarn.lock"}
	case "pnpm":
		return []string{"pnpm-lock.yaml"}
	case "bun":
		return []string{"bun.lockb", "bun.lock"}
	case "poetry":
		return []string{"poetry.lock"}
	case "uv":
		return []string{"uv.lock"}
	case "pipenv":
		return []string{"Pipfile", "Pipfile.lock"}
	}
	return nil
}
