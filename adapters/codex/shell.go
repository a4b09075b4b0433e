package codex

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/shell"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/script"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// command reads what a call of a shell does: patch files, read one, or neither.
//
//	{"command":["bash","-lc","…"],"workdir":…}   shell, local_shell
//	{"command":"…","workdir":…}                  shell_command
//	{"cmd":"…","workdir":…}                      exec_command
//	{"command":[…],"cwd":"file://…"}             CommandExecution
func (p *parser) command(c *call, args jsondoc.Value) {
	script := stream.Member(args, "cmd", "command")
	at := p.dir(strings.TrimPrefix(stream.Str(args, "workdir", "working_directory", "cwd"), "file://"))
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

// codeAnswered reads the answer to a script of code mode. A script may outlive it as a "cell",
// which the tool "wait" then asks for. For example "Script running with cell ID 3" leaves the call
// open until a call of wait with that cell has been answered.
func (p *parser) codeAnswered(callID string, c *call, output jsondoc.Value, o shell.Outcome) {
	if o.Running {
		if _, after, ok := strings.Cut(p.commandOutput(output), "cell ID "); ok {
			c.cell = after[:max(strings.IndexAny(after+"\n", " \n\t."), 0)]
		}
		return
	}
	// Events tell what scripts patched wherever code mode was seen (0.169,
	// recorded). A rollout without any has only the script itself.
	if c.patched || p.events || p.pages || !o.OK || !o.Stated {
		return
	}
	for _, text := range shell.PatchLiterals(c.input) {
		p.apply(callID, c, text, p.dir(""), nil)
	}
}

// cellEnded says that a script does not run any more.
func (p *parser) cellEnded(cell string) {
	for id, c := range p.calls.All() {
		if c.code && c.cell == cell {
			p.calls.release(id)
		}
	}
}

// follow keeps track of what files hold, from the answer to a call that patches
// nothing: where a patch applied is not told in every rollout, nor what a file held
// that is rewritten. A command that may have written anywhere puts all that is known
// into doubt: it counts only where the next edit confirms it.
func (p *parser) follow(c *call, output jsondoc.Value, o shell.Outcome) {
	switch {
	case c.read.Path != "" && o.OK && output.Kind() == jsondoc.String && len(output.Body()) <= maxRead:
		if text, whole := c.read.File(p.commandOutput(output)); whole {
			p.files.Set(c.read.Path, text)
		}
	case !c.quiet && c.questions == "" && !mcpedits.Follows(c.name):
		p.files.Doubt()
	}
}

// ran keeps track of what files hold, from a command that an item tells of and
// no call: one that a script of code mode or the person ran.
func (p *parser) ran(it jsondoc.Value) {
	c := &call{}
	p.command(c, it)
	output := it.Get("aggregated_output")
	code, ok := it.Get("exit_code").Int()
	switch {
	case c.patch.kind == scriptPatch && p.ranPatches(it.Get("id").Str(), c, output.Str()):
	case c.read.Path != "" && ok && code == 0 && output.Kind() == jsondoc.String && len(output.Body()) <= maxRead:
		if text, whole := c.read.File(output.Str()); whole {
			p.files.Set(c.read.Path, text)
		}
	case !c.quiet:
		p.files.Doubt()
	}
}

// ranPatches emits what a command has patched that a script of code mode ran (0.163,
// recorded), and reports whether that is all it did.
func (p *parser) ranPatches(id string, ran *call, output string) bool {
	done := shell.Listing(output)
	callID, c := id, (*call)(nil)
	for of, one := range p.calls.All() { // of several the earliest: scripts run in turn
		if one.code && !one.closed && strings.Contains(one.input, shell.BeginMark) {
			callID, c = of, one
			break
		}
	}
	if len(done) == 0 || c == nil {
		return false
	}
	for _, one := range shell.PatchesIn(ran.patch.text) {
		p.apply(callID, c, one.Text, one.Folder(ran.patch.text, ran.patch.dir), done)
	}
	return shell.OnlyPatches(ran.patch.text)
}

// maxRead bounds the output that is looked into.
const maxRead = 1 << 20

// commandOutput is what a command printed: the answer to its call without what
// the tool puts around it.
func (p *parser) commandOutput(v jsondoc.Value) string {
	if v.Kind() == jsondoc.Object {
		return v.Get("content").Str()
	}
	if v.Kind() == jsondoc.Array {
		var b strings.Builder
		for part := range v.Elems() {
			b.WriteString(part.Get("text").Str())
		}
		return b.String()
	}
	if strings.HasPrefix(p.head(v), `{"output":`) {
		return p.nested(v).Get("output").Str()
	}
	s := string(shell.BehindCommand([]byte(v.Str()), "\n"))
	for rest := s; ; {
		line, after, found := strings.Cut(rest, "\n")
		switch {
		case line == "Output:" && strings.HasPrefix(after, `{"output":`) && !strings.Contains(s[:len(s)-len(rest)], "exited with code"):
			return p.wrapped(after) // what exec_command did itself: a patch (0.123, recorded)
		case line == "Output:":
			return after
		case !found || !shell.IsFrameLine(line):
			return s
		}
		rest = after
	}
}

// wrapped is the output in the document with which the tool answers what no process did.
func (p *parser) wrapped(document string) string {
	p.text = append(p.text[:0], document...)
	if n, err := p.doc.Parse(p.text); err != nil || n == 0 {
		return document
	}
	return p.doc.Root().Get("output").Str()
}
