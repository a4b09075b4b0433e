package redact

import (
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// commandOption finds the password behind an option of a command that takes one:
// docker login -p, mysql -p, redis-cli -a. The word of the command stands at
// [start, end); other options may stand between.
func (e *Engine) commandOption(rule int32, start, end int) {
	text := e.view.Text
	if !e.prose() || start > 0 && ascii.IsJoined(text[start-1]) {
		return
	}
	option, glued, spaced := passwordOption(text[start:end])
	for end < len(text) && ascii.IsJoined(text[end]) { // mysqldump
		end++
	}
	limit := min(len(text), end+maxCommand)
	i := end
	if text[i-1] == ' ' {
		i--
	}
	for ; i+3 < limit && !endsCommand(text[i]); i++ {
		if text[i] > ' ' || text[i+1] != '-' || text[i+2] != option {
			continue
		}
		at := i + 3
		if blank := text[at] == ' ' || text[at] == '='; blank && !spaced || !blank && !glued {
			continue
		}
		if text[at] == '=' {
			at++
		}
		e.optionValue(rule, assign.SkipSpace(text, at, false))
		break
	}
	e.work += i - start
}

// optionValue reports the value of an option that takes a password.
func (e *Engine) optionValue(rule int32, at int) {
	text := e.view.Text
	a := assign.Value{Link: assign.Equals, Flag: true, Tight: true}.Open(text, at)
	stop := e.valueEnd(a)
	if stop <= a.At {
		return
	}
	v := text[a.At:stop]
	e.work += 4 * len(v)
	if assign.IsPassword(a, v, looks.Inspect(v)) && !looks.StandsIn(v) {
		e.report(rule, a.At, stop)
	}
}

// passwordOption is the option by which a command takes a password, and whether
// the password is joined to it, or parted from it by a space.
func passwordOption(command []byte) (option byte, glued, spaced bool) {
	switch ascii.Lower(command[0]) {
	case 'r':
		if ascii.Lower(command[2]) == 'd' { // redis-cli
			return 'a', false, true
		}
	case 'm':
		return 'p', true, ascii.Lower(command[1]) == 'o' // mysql -p alone asks for it, mongo's does not
	case 's':
		if ascii.Lower(command[1]) == 'q' { // sqlcmd
			return 'P', true, true
		}
	}
	return 'p', true, true
}

// endsCommand reports whether a byte ends a command in a line of a shell.
func endsCommand(c byte) bool { return c == '\n' || c == '|' || c == ';' || c == '&' }
