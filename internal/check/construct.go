package check

import (
	"regexp"
	"strings"
)

// constructs are parts of code that people forbid by a name of several words or one that code does
// not have. Form is looked for in a line without its comment, behind the ending of the file's
// name and a blank.
func constructs() [][2]string {
	const js = `^\.(?:[jt]sx?|[mc]js|[mc]ts|vue|svelte) `
	return [][2]string{
		{"wildcard import|star import|import star", `^\.pyi? from\s+\S+\s+import\s+\*|^\.(?:java|kt|scala) import\s.*\.[*_]|^\.rs (?:pub )?use\s.*::\*`},
		{"bare except|naked except", `^\.pyi? except\s*:`},
		{"from module import *|import *", `^\.pyi? from\s+\S+\s+import\s+\*`},
		{"mutable default", `^\.pyi? def\s.*=\s*(?:\[\]|\{\}|set\(\)|list\(\)|dict\(\))`},
		{"hex code|hex color|hex colour|hardcoded color|hard-coded color", `^\.(?:[jt]sx?|vue|svelte|s?css|less|html?) .*#(?:[0-9a-fA-F]{3}){1,2}\b`},
		{"empty catch", `\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}`},
		{"force cast|forced cast", `^\.swift .*\bas!`},
		{"force unwrap|forced unwrap|force unwrapping", `^\.swift .*[\w)\]]!(?:[.,)\s]|$)`},
		{"non-null assertion", js + `.*[\w)\]]!(?:[.;,)\s\[]|$)|^\.kts? .*[\w)\]]!!`},
		{"class component", js + `.*\bclass\s+\w+\s+extends\s+(?:React\.)?(?:Pure)?Component\b`},
		{"console log|console statement", js + `.*\bconsole\.\w+\(`},
		{"print statement|debug print|print debugging", `^\.(?:pyi?|swift|lua|kts?|dart) .*\bprint(?:ln)?\(|^\.go .*\bfmt\.Print|^\.rs .*\b(?:e?println|dbg)!|^\.java .*System\.out\.`},
		{"barrel file|star export", js + `export\s+\*`},
		{"arrow function", js + `.*=>`},
		{"optional chaining", js + `.*\?\.`},
		{"semicolon", js + `.*;$`},
		{"debugger statement", js + `.*\bdebugger\b`},
		{"cgo", `^\.go import\s+"C"`},
		{"em dash|em-dash", `—`},
	}
}

// constructAt returns the construct that words name, and how many they are.
func constructAt(part []token) (Object, int) {
	for _, c := range constructs() {
		for name := range strings.SplitSeq(c[0], "|") {
			n := strings.Count(name, " ") + 1
			if part[0].kind == code {
				n = 1
			}
			if len(part) < n {
				continue
			}
			said := strings.ToLower(joined(part[:n]))
			if part[0].kind != han && (said == name || said == name+"s" || said == name+"es") {
				return Object{Name: joined(part[:n]), Exact: true, form: regexp.MustCompile(c[1])}, n
			}
		}
	}
	return Object{}, 0
}
