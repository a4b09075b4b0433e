package codex

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/shell"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// codeAnswered reads the answer to a script of code mode. A script may outlive
// it as a "cell", which the tool "wait" then asks for.
// For example "Script running with cell ID 3" leaves the call open until a call of wait
// with that cell has been answered.
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
	p.calls.latest(func(_ string, c *call) bool {
		if c.code && c.cell == cell {
			p.calls.release(c)
		}
		return true
	})
}
