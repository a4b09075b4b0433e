package codex

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/shell"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core/jsondoc"
)

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
	case !c.quiet && c.questions == nil && !mcpedits.Follows(c.name):
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
	p.calls.latest(func(of string, one *call) bool {
		if one.code && !one.closed && strings.Contains(one.input, shell.BeginMark) {
			callID, c = of, one // of several the earliest: scripts run in turn
		}
		return true
	})
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

// wrapped is the output in the document with which the tool answers what no
// process did.
func (p *parser) wrapped(document string) string {
	p.text = append(p.text[:0], document...)
	if n, err := p.doc.Parse(p.text); err != nil || n == 0 {
		return document
	}
	return p.doc.Root().Get("output").Str()
}
