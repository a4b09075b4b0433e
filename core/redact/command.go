package redact

import (
	"bytes"

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
	o := passwordOption(text[start:end])
	for end < len(text) && ascii.IsJoined(text[end]) { // mysqldump
		end++
	}
	limit := min(len(text), end+maxCommand)
	if at, quote := nextElement(text, end); at >= 0 {
		e.listedOption(rule, o, at, quote, limit)
		return
	}
	i := end
	if text[i-1] == ' ' {
		i--
	}
	for ; i+3 < limit && !endsCommand(text[i]); i++ {
		if text[i] > ' ' || text[i+1] != '-' || text[i+2] != o.letter {
			continue
		}
		at := i + 3
		if blank := text[at] == ' ' || text[at] == '='; blank && !o.spaced || !blank && !o.glued {
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

// nextElement is [assign.Next] behind a word of the table, which may hold the quote that
// closes its element.
func nextElement(text []byte, end int) (at int, quote byte) {
	if ascii.IsQuote(text[end-1]) {
		end--
	}
	return assign.Next(text, end)
}

// listedOption finds the password among the elements of a list that are a command: from
// the one on that begins at an offset.
func (e *Engine) listedOption(rule int32, o option, at int, quote byte, limit int) {
	text := e.view.Text
	for at >= 0 && at < limit {
		end := assign.ElementEnd(text, at, quote)
		e.work += end - at
		next, nextQuote := assign.Next(text, end)
		if el := text[at:end]; len(el) >= 2 && el[0] == '-' && el[1] == o.letter {
			switch {
			case len(el) > 2 && o.glued:
				e.passwordIn(rule, assign.Value{Link: assign.Equals, Flag: true, Tight: true, At: at + 2, Quote: quote})
				return
			case len(el) == 2 && o.spaced && next >= 0:
				e.passwordIn(rule, assign.Value{Link: assign.Equals, Flag: true, Tight: true, At: next, Quote: nextQuote})
				return
			}
		}
		at, quote = next, nextQuote
	}
}

// optionValue reports the value of an option that takes a password.
func (e *Engine) optionValue(rule int32, at int) {
	e.passwordIn(rule, assign.Value{Link: assign.Equals, Flag: true, Tight: true}.Open(e.view.Text, at))
}

// passwordIn reports a value if it is a password.
func (e *Engine) passwordIn(rule int32, a assign.Value) {
	text := e.view.Text
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

// option is how a command takes a password: its letter, and whether the password is
// joined to it, or parted from it by a space.
type option struct {
	letter        byte
	glued, spaced bool
}

// passwordOption is the option by which a command takes a password.
func passwordOption(command []byte) option {
	for _, o := range [...]struct {
		begins string
		option
	}{
		{"redis", option{letter: 'a', spaced: true}},
		{"my", option{letter: 'p', glued: true}}, // alone it asks for one
		{"maria", option{letter: 'p', glued: true}},
		{"sqlcmd", option{letter: 'P', glued: true, spaced: true}},
		{"mosq", option{letter: 'P', spaced: true}},
		{"unzip", option{letter: 'P', glued: true, spaced: true}},
		{"7z", option{letter: 'p', glued: true}},
		{"ldap", option{letter: 'w', glued: true, spaced: true}},
	} {
		if len(command) >= len(o.begins) && looks.EqualFold(command[:len(o.begins)], o.begins) {
			return o.option
		}
	}
	return option{letter: 'p', glued: true, spaced: true}
}

// endsCommand reports whether a byte ends a command in a line of a shell.
func endsCommand(c byte) bool { return c == '\n' || c == '|' || c == ';' || c == '&' }

// commandUser finds user:password behind an option that takes one.
func (e *Engine) commandUser(rule int32, start, end int) {
	text := e.view.Text
	if !e.prose() || start > 0 && text[start-1] > ' ' && !ascii.IsQuote(text[start-1]) || !e.isTransfer(start) {
		return
	}
	at := assign.SkipSpace(text, end, false)
	if next, _ := nextElement(text, end); next >= 0 {
		at = next
	}
	if at < len(text) && ascii.IsQuote(text[at]) {
		at++
	}
	colon, i := -1, at
	var quote byte
	for i < len(text) && text[i] > ' ' && (text[i] != quote || quote == 0) {
		if text[i] == ':' && colon < 0 {
			colon = i
		}
		if ascii.IsQuote(text[i]) {
			if i != colon+1 || colon < 0 || quote != 0 {
				break
			}
			quote = text[i] // user:'password'
		}
		i++
	}
	e.work += 4 * (i - at)
	if colon < at || i-colon < 4 {
		return
	}
	user, pass := text[at:colon], text[colon+1:i]
	if quote != 0 {
		pass = pass[1:]
	}
	if m := looks.Inspect(pass); m.Digits == len(pass) || len(pass) < 3 || pass[0] == '/' || looks.IsDummy(pass) || looks.IsOneOf(pass, assign.NotPasswords) {
		return
	}
	if len(user) > 0 && (user[0] == '+' || looks.IsDummy(user) || isPlaceholderPair(user, pass)) {
		return
	}
	e.report(rule, at, i)
}

// isPlaceholderPair reports whether a user and a password are the words for
// them.
func isPlaceholderPair(user, pass []byte) bool {
	return pass[0] == '[' || pass[0] == '<' || looks.IsOneOf(pass, "test pass password pwd token changeme changeit secret admin xxx yyy key apikey api_key") ||
		looks.IsOneOf(user, "user username") && len(pass) < 6
}

// maxCommand is how far behind its command an option may stand.
const maxCommand = 256

// isTransfer reports whether an option belongs to a command that talks to a
// server: curl, wget and their like. The command may stand on a line before, if
// the option's is indented.
func (e *Engine) isTransfer(at int) bool {
	text := e.view.Text[max(0, at-maxCommand):at]
	if k := bytes.LastIndexByte(text, '\n'); k >= 0 && (k+1 == len(text) || text[k+1] > ' ') {
		text = text[k+1:]
	}
	e.work += len(text)
	return looks.ContainsAny(text, "curl wget http ftp")
}

// commandPassword finds the password behind words that take one: sshpass -p,
// IDENTIFIED BY, requirepass.
func (e *Engine) commandPassword(rule int32, start, end int) {
	text := e.view.Text
	if !e.prose() || start > 0 && ascii.IsAlnum(text[start-1]) || end == len(text) || ascii.IsAlnum(text[end]) && !ascii.IsUpper(text[end]) {
		return
	}
	a := assign.Value{Link: assign.Equals, Flag: true, Tight: true}.Open(text, assign.SkipSpace(text, end, false))
	if ascii.Lower(text[end-1]) == 'y' && a.Quote != '\'' {
		return // "identified by" is prose, but for SQL
	}
	e.passwordIn(rule, a)
}
