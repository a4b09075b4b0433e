package codex

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/shell"
	"github.com/memscribe/memscribe/adapters/internal/script"
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
	case len(argv) >= 3 && shell.IsShell(argv[0]):
		p.script(c, argv[len(argv)-1], at)
	default:
		p.words(c, [][]string{argv}, at)
	}
}

// script reads a shell script.
func (p *parser) script(c *call, text, dir string) {
	patches := strings.Contains(text, shell.BeginMark) &&
		(strings.Contains(text, "apply_patch") || strings.Contains(text, "applypatch"))
	if patches {
		c.patch = patch{kind: scriptPatch, text: text, dir: dir}
		return
	}
	if segments, ok := script.Words(text); ok {
		p.words(c, segments, dir)
	}
}

// words reads the commands of a pipeline or list. A call is quiet if each of them only
// reads; "cat a.go" then also says what a.go holds.
func (p *parser) words(c *call, segments [][]string, dir string) {
	c.quiet = true
	for _, words := range segments {
		c.quiet = c.quiet && script.OnlyReads(words)
	}
	if r, ok := shell.ReadOf(segments); ok && c.quiet {
		r.Path = shell.Resolve(dir, r.Path)
		c.read = r
	}
}
