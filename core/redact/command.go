package redact

import (
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/command"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// tryCommand finds the password among the arguments of a command whose word stands at
// [start, end): in a line of a shell, a list, or a call.
func (e *Engine) tryCommand(c *command.Command, start, end int) {
	text := e.view.Text
	if e.prose() && (start == 0 || !ascii.IsAlnum(text[start]) || !ascii.IsJoined(text[start-1]) || isSign(text, start-1)) {
		c.Find((*argumentJudge)(e), text, start, end)
	}
}

// isSign reports whether a minus is the sign of a line that a diff removes.
func isSign(text []byte, at int) bool { return text[at] == '-' && (at == 0 || text[at-1] == '\n') }

// argumentJudge judges the arguments of commands for an engine.
type argumentJudge Engine

// Named implements [command.Judge].
func (j *argumentJudge) Named(p names.Promise, a assign.Value) bool {
	e := (*Engine)(j)
	return e.judgeValue(p, a, e.valueEnd(a))
}

// Password implements [command.Judge].
func (j *argumentJudge) Password(a assign.Value) bool {
	e := (*Engine)(j)
	stop := e.valueEnd(a)
	if stop <= a.At {
		return false
	}
	v := e.view.Text[a.At:stop]
	e.work += 4 * len(v)
	if v[0] == '\\' || !assign.IsPassword(a, v, looks.Inspect(v)) || looks.StandsIn(v) {
		return false
	}
	e.report(e.set.commandOption, a.At, stop)
	return true
}

// User implements [command.Judge].
func (j *argumentJudge) User(start, end int) { (*Engine)(j).report(j.set.commandUser, start, end) }

// Spend implements [command.Judge].
func (j *argumentJudge) Spend(work int) { j.work += work }
