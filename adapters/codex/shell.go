package codex

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
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
	if segments, ok := edit.ShellWords(script); ok {
		p.words(c, segments, dir)
	}
}

// words reads the commands of a pipeline or list.
func (p *parser) words(c *call, segments [][]string, dir string) {
	c.quiet = true
	for _, words := range segments {
		c.quiet = c.quiet && edit.OnlyReads(words)
	}
	if r, ok := readOf(segments); ok && c.quiet {
		r.path = resolve(dir, r.path)
		c.read = r
	}
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
		n, ok := edit.SedLines(words)
		if !ok {
			return read{}, false
		}
		r.path, r.lines = words[3], n
	default:
		return read{}, false
	}
	if len(segments) == 2 {
		n, ok := edit.SedLines(segments[1])
		if !ok || r.lines != 0 || len(segments[1]) != 3 {
			return read{}, false
		}
		r.lines = n
	}
	return r, !strings.HasPrefix(r.path, "-") && !strings.ContainsAny(r.path, "*?[~") && r.lines >= 0
}
