package codex

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// command reads what a call of a shell does: patch files, read one, or neither.
//
//	{"command":["bash","-lc","…"],"workdir":…}   shell, local_shell
//	{"command":"…","workdir":…}                  shell_command
//	{"cmd":"…","workdir":…}                      exec_command
//	{"command":[…],"cwd":"file://…"}             CommandExecution
func (p *parser) command(c *call, args jsondoc.Value) {
	script := args.Get("cmd")
	if !script.Exists() {
		script = args.Get("command")
	}
	dir := args.Get("workdir")
	if dir.Kind() != jsondoc.String {
		dir = args.Get("working_directory")
	}
	if dir.Kind() != jsondoc.String {
		dir = args.Get("cwd")
	}
	at := p.dir(strings.TrimPrefix(dir.Str(), "file://"))
	if script.Kind() != jsondoc.Array {
		p.script(c, script.Str(), at)
		return
	}
	var argv []string
	for word := range script.Elems() {
		argv = append(argv, word.Str())
	}
	switch {
	case len(argv) == 2 && (argv[0] == "apply_patch" || argv[0] == "applypatch"):
		c.patch = patch{kind: directPatch, text: argv[1], dir: at}
	case len(argv) >= 3 && isShell(argv[0]):
		p.script(c, argv[len(argv)-1], at)
	default:
		p.words(c, [][]string{argv}, at)
	}
}

func isShell(name string) bool {
	name = strings.ToLower(name[strings.LastIndexAny(name, `/\`)+1:])
	switch strings.TrimSuffix(name, ".exe") {
	case "bash", "sh", "zsh", "pwsh", "powershell", "cmd":
		return true
	}
	return false
}

// script reads a shell script.
func (p *parser) script(c *call, script, dir string) {
	patches := strings.Contains(script, beginMark) &&
		(strings.Contains(script, "apply_patch") || strings.Contains(script, "applypatch"))
	if patches {
		c.patch = patch{kind: scriptPatch, text: script, dir: dir}
		return
	}
	if segments, ok := shellWords(script); ok {
		p.words(c, segments, dir)
	}
}

// words reads the commands of a pipeline or list.
func (p *parser) words(c *call, segments [][]string, dir string) {
	c.quiet = true
	for _, words := range segments {
		c.quiet = c.quiet && isQuiet(words)
	}
	if r, ok := readOf(segments); ok && c.quiet {
		r.path = resolve(dir, r.path)
		c.read = r
	}
}

// maxScript is the length up to which a script is looked into.
const maxScript = 4 << 10

// shellWords splits a script into commands and these into words. It reports
// false for everything that it does not understand completely.
func shellWords(script string) (segments [][]string, ok bool) {
	if len(script) > maxScript {
		return nil, false
	}
	var words []string
	var word []byte
	inWord := false
	endWord := func() {
		if inWord {
			words = append(words, string(word))
		}
		word, inWord = word[:0], false
	}
	for i := 0; i < len(script); i++ {
		switch c := script[i]; c {
		case ' ', '\t':
			endWord()
		case '|', ';', '\n', '&':
			endWord()
			segments = append(segments, words)
			words = nil
		case '\'', '"':
			end := strings.IndexByte(script[i+1:], c)
			if end < 0 || c == '"' && strings.ContainsAny(script[i+1:i+1+end], "\\$`") {
				return nil, false
			}
			word, inWord = append(word, script[i+1:i+1+end]...), true
			i += end + 1
		case '>':
			n := harmlessRedirect(script[i:])
			if n == 0 {
				return nil, false
			}
			if inWord && len(word) == 1 && (word[0] == '1' || word[0] == '2') {
				word, inWord = word[:0], false
			}
			i += n - 1
		case '<', '$', '`', '(', ')', '\\', '{', '}', '#':
			return nil, false
		default:
			word, inWord = append(word, c), true
		}
	}
	endWord()
	return append(segments, words), true
}

// harmlessRedirect is the length of a redirection that writes no file, or 0.
func harmlessRedirect(s string) int {
	for _, r := range [...]string{">/dev/null", "> /dev/null", ">&1", ">&2"} {
		if strings.HasPrefix(s, r) {
			return len(r)
		}
	}
	return 0
}

// isQuiet reports whether a command changes no file.
func isQuiet(words []string) bool {
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "cat", "nl", "head", "tail", "ls", "rg", "grep", "egrep", "fgrep", "wc", "pwd", "echo", "printf", "uniq",
		"cut", "tr", "stat", "file", "which", "date", "true", "false", "test", "tree", "jq", "diff", "cmp", "du", "df",
		"cd", "sleep", "basename", "dirname", "realpath":
		return true
	case "sed":
		_, ok := sedLines(words)
		return ok
	case "find":
		for _, w := range words {
			if strings.HasPrefix(w, "-exec") || strings.HasPrefix(w, "-ok") || strings.HasPrefix(w, "-fprint") || w == "-delete" {
				return false
			}
		}
		return true
	case "git":
		if len(words) < 2 {
			return true
		}
		switch words[1] {
		case "status", "diff", "log", "show", "blame", "rev-parse", "ls-files", "grep", "describe", "remote":
			return true
		}
	}
	return false
}

// read is a command that prints a file from its first line on.
type read struct {
	path     string
	lines    int  // at most; 0 is all
	numbered bool // each line with its number
}

// readOf recognises cat F, nl -ba F, sed -n '1,200p' F, and nl -ba F | sed …,
// which are how models read files.
func readOf(segments [][]string) (read, bool) {
	if len(segments) == 0 || len(segments) > 2 {
		return read{}, false
	}
	words := segments[0]
	var r read
	switch {
	case len(words) == 2 && words[0] == "cat":
		r.path = words[1]
	case len(words) == 3 && words[0] == "nl" && words[1] == "-ba":
		r.path, r.numbered = words[2], true
	case len(words) == 4 && words[0] == "sed":
		n, ok := sedLines(words)
		if !ok {
			return read{}, false
		}
		r.path, r.lines = words[3], n
	default:
		return read{}, false
	}
	if len(segments) == 2 {
		n, ok := sedLines(segments[1])
		if !ok || r.lines != 0 || len(segments[1]) != 3 {
			return read{}, false
		}
		r.lines = n
	}
	return r, !strings.HasPrefix(r.path, "-") && !strings.ContainsAny(r.path, "*?[~") && r.lines >= 0
}

// sedLines reads sed -n '1,200p'. The count is -1 when it does not begin with
// the first line.
func sedLines(words []string) (n int, ok bool) {
	if len(words) < 3 || words[0] != "sed" || words[1] != "-n" {
		return 0, false
	}
	span, ok := strings.CutSuffix(words[2], "p")
	from, to, found := strings.Cut(span, ",")
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if !ok || !found || err1 != nil || err2 != nil || b < a {
		return 0, false
	}
	if a != 1 {
		return -1, true
	}
	return b, true
}
