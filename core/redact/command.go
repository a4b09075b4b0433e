package redact

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// tryCommand finds the password among the arguments of a command whose word stands at
// [start, end): in a line of a shell, a list, or a call.
func (e *Engine) tryCommand(c *command, start, end int) {
	text := e.view.Text
	if !e.prose() || start > 0 && ascii.IsAlnum(text[start]) && ascii.IsJoined(text[start-1]) {
		return
	}
	for i := range c.forms {
		switch f := &c.forms[i]; {
		case f.here:
			if !f.asked || isAsked(text[max(0, start-maxPiped):start]) {
				e.passwordAt(f, end)
			}
		case f.stdin && f.lead == "":
			e.fromStandardInput(f, start, end)
		}
	}
	t := tried{e: e, c: c, start: start}
	for args := e.arguments(end, c.indented); ; {
		a, ok := args.next()
		if !ok {
			t.end()
			break
		}
		e.work += 16 + a.end - a.start
		t.argument(a, args.style == called)
	}
}

// tried is a command whose arguments are tried, one after the other.
type tried struct {
	e     *Engine
	c     *command
	start int           // of the command
	want  *optionForm   // the argument before was its option
	named names.Promise // what that promised, if it was a name
	count int           // of the arguments that are no options
	last  int           // where the last of them begins
}

// argument tries the forms of the command on its next argument.
func (t *tried) argument(a argument, call bool) {
	if want := t.want; want != nil {
		t.want = nil
		if t.value(want, a.start) {
			return
		}
	}
	v := t.e.view.Text[a.start:a.end]
	if !call {
		for i := range t.c.forms {
			if t.option(&t.c.forms[i], a, v) {
				return
			}
		}
		if len(v) > 0 && (v[0] == '-' || v[0] == '/' && bytes.IndexByte(v, ':') > 0) {
			return
		}
	}
	t.count++
	if !call || a.quote != 0 {
		t.last = a.start
		for i := range t.c.forms {
			if f := &t.c.forms[i]; f.nth == t.count {
				t.value(f, a.start)
			}
		}
	}
}

// option tries a form on an argument that may be its option, and reports whether it is.
func (t *tried) option(f *optionForm, a argument, v []byte) bool {
	if f.named {
		if t.named = names.Judge(v); t.named > names.SomeKey {
			t.want = f
		}
		return false
	}
	n := len(f.lead)
	switch {
	case n == 0 || len(v) == 0:
		return false
	case f.cluster && len(v) > 2 && v[0] == '-' && v[1] != '-':
		k := bytes.IndexByte(v, f.lead[1])
		if k < 0 || !isCluster(v[1:k]) {
			return false
		}
		n = k + 1
	case len(v) < n || string(v[:n]) != f.lead && (n <= 2 || !looks.EqualFold(v[:n], f.lead)):
		return false
	}
	switch {
	case f.stdin && len(v) == n:
		t.e.fromStandardInput(f, t.start, a.end)
	case len(v) == n:
		if f.spaced {
			t.want = f
		}
	case v[n] == '=' && f.spaced:
		return t.value(f, a.start+n+1)
	case f.glued || f.cluster && f.parts != "":
		return t.value(f, a.start+n)
	default:
		return false
	}
	return true
}

// isCluster reports whether some letters are short options without a value.
func isCluster(v []byte) bool {
	for _, c := range v {
		if !ascii.IsLetter(c) || bytes.IndexByte([]byte("dHoXxpuAbeTF"), c) >= 0 {
			return false
		}
	}
	return len(v) < 6
}

// value reports what stands at an offset if it is a secret that the form is for.
func (t *tried) value(f *optionForm, at int) bool {
	text := t.e.view.Text
	switch {
	case at >= len(text) || text[at] == '-':
		return false
	case f.named:
		a := assign.Value{Link: assign.Equals, Flag: true, Tight: true}.Open(text, quoteBefore(text, at))
		return t.e.judgeValue(t.named, a, t.e.valueEnd(a))
	case f.nth != 0 && f.parts == "":
		a := assign.Value{}.Open(text, quoteBefore(text, at))
		a.Link = assign.Argument
		return t.e.passwordIn(a)
	case isWord(f.lead) && !hasDigit(text[at:min(len(text), at+maxPlain)]):
		return false // of a sentence
	default:
		return t.e.passwordAt(f, at)
	}
}

// maxPlain is the length within which a password has a digit that only a word announces.
const maxPlain = 32

// isWord reports whether an option is a word.
func isWord(lead string) bool { return lead != "" && ascii.IsLetter(lead[0]) }

// hasDigit reports whether the first word of s has a digit.
func hasDigit(s []byte) bool {
	for _, c := range s {
		if c <= ' ' || ascii.IsDigit(c) {
			return c > ' '
		}
	}
	return false
}

// end tries the forms that count from the end of the command.
func (t *tried) end() {
	for i := range t.c.forms {
		if f := &t.c.forms[i]; f.nth == fromEnd && t.count > 0 {
			t.value(f, t.last)
		}
	}
}

// quoteBefore is where the quote stands that opens a value, or the value if there is none.
func quoteBefore(text []byte, at int) int {
	if at > 0 && ascii.IsQuote(text[at-1]) {
		return at - 1
	}
	return at
}

// passwordAt reports the password, or the user and the password, that an argument at an offset
// is.
func (e *Engine) passwordAt(f *optionForm, at int) bool {
	if f.parts != "" {
		return e.userAndPassword(at, f.parts)
	}
	return e.passwordIn(assign.Value{Link: assign.Equals, Flag: true, Tight: true}.Open(e.view.Text, quoteBefore(e.view.Text, at)))
}

// passwordIn reports a value if it is a password.
func (e *Engine) passwordIn(a assign.Value) bool {
	text := e.view.Text
	stop := e.valueEnd(a)
	if stop <= a.At {
		return false
	}
	v := text[a.At:stop]
	e.work += 4 * len(v)
	if v[0] == '\\' || !assign.IsPassword(a, v, looks.Inspect(v)) || looks.StandsIn(v) {
		return false
	}
	e.report(e.set.commandOption, a.At, stop)
	return true
}

// userAndPassword reports what stands at an offset if it is the name of a user and a password,
// with one of some signs between them.
func (e *Engine) userAndPassword(at int, signs string) bool {
	text := e.view.Text
	if at < len(text) && ascii.IsQuote(text[at]) {
		at++
	}
	sign, i := -1, at
	var quote byte
	for i < len(text) && text[i] > ' ' && (text[i] != quote || quote == 0) {
		if sign < 0 && bytes.IndexByte([]byte(signs), text[i]) >= 0 {
			sign = i
		}
		if ascii.IsQuote(text[i]) {
			if i != sign+1 || sign < 0 || quote != 0 {
				break
			}
			quote = text[i] // user:'password'
		}
		i++
	}
	e.work += 4 * (i - at)
	if sign < at || i-sign < 4 || sign == at && text[sign] == '/' {
		return false
	}
	user, pass := text[at:sign], text[sign+1:i]
	if quote != 0 {
		pass = pass[1:]
	}
	if m := looks.Inspect(pass); m.Digits == len(pass) || len(pass) < 3 || pass[0] == '/' || looks.IsDummy(pass) || looks.IsOneOf(pass, assign.NotPasswords) {
		return false
	}
	if len(user) > 0 && (user[0] == '+' || looks.IsDummy(user) || isPlaceholderPair(user, pass)) {
		return false
	}
	e.report(e.set.commandUser, at, i)
	return true
}

// isPlaceholderPair reports whether a user and a password are the words for
// them.
func isPlaceholderPair(user, pass []byte) bool {
	return pass[0] == '[' || pass[0] == '<' || looks.IsOneOf(pass, "test pass password pwd token changeme changeit secret admin xxx yyy key apikey api_key") ||
		looks.IsOneOf(user, "user username") && len(pass) < 6
}

// isAsked reports whether a text before what is sent to a program waits for it to ask for a
// password.
func isAsked(before []byte) bool { return looks.ContainsAny(before, "assword assphrase") }

// maxPiped bounds what stands before a command on its line and may write its input.
const maxPiped = 160

// fromStandardInput finds the password that a command reads: behind <<<, in a here-document, or
// what echo or printf writes into the pipe before the command. The command begins at start; end
// is an offset in it.
func (e *Engine) fromStandardInput(f *optionForm, start, end int) {
	text := e.view.Text
	for i := end; i < len(text) && i-end < maxPiped && !endsCommand(text[i]); i++ {
		if text[i] != '<' || !bytes.HasPrefix(text[i:], []byte("<<")) {
			continue
		}
		at := i + len("<<")
		if text[at-1] == '<' && at < len(text) && text[at] == '<' {
			e.passwordAt(f, assign.SkipSpace(text, at+1, false))
			return
		}
		for at < len(text) && text[at] != '\n' && at-i < maxPiped {
			at++
		}
		if next, _ := assign.NextLine(text, at); next >= 0 {
			e.passwordAt(f, next)
		}
		return
	}
	before := text[max(0, start-maxPiped):start]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	e.work += len(before) + maxPiped
	pipe := bytes.LastIndexByte(before, '|')
	if pipe < 0 {
		return
	}
	for _, w := range [...]string{"echo ", "printf ", "Write-Output "} {
		k := bytes.LastIndex(before[:pipe], []byte(w))
		if k < 0 {
			continue
		}
		written := -1
		args := e.arguments(start-len(before)+k+len(w)-1, false)
		for a, ok := args.next(); ok; a, ok = args.next() {
			if text[a.start] != '-' {
				written = a.start
			}
		}
		if written >= 0 {
			e.passwordAt(f, written)
		}
		return
	}
}
