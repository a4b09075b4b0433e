package command

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// Judge decides about the arguments that may be passwords. The redactor implements it; this
// package only finds the arguments.
type Judge interface {
	// Named judges a value behind a name that promises a secret, and reports whether it is one.
	Named(p names.Promise, a assign.Value) bool
	// Password judges a value where the command takes a password, and reports whether it is one.
	Password(a assign.Value) bool
	// User is called for the name of a user and a password in one argument.
	User(start, end int)
	// Spend counts work.
	Spend(work int)
}

// Find shows a judge the arguments of the command that may be passwords. One of the command's
// words stands at [start, end) of the text; what precedes it decides for forms such as echo
// secret | sudo -S. At most 512 bytes and 32 arguments are looked at.
func (c *Command) Find(j Judge, text []byte, start, end int) {
	t := tried{judge: j, text: text, c: c, start: start}
	for i := range c.forms {
		switch f := &c.forms[i]; {
		case f.here:
			if !f.asked || isAsked(text[max(0, start-maxPiped):start]) {
				t.password(f, end)
			}
		case f.prints:
			t.printed(end)
		case f.stdin && f.lead == "":
			t.fromStandardInput(f, end)
		}
	}
	for args := argumentsOf(text, end, c.indented); ; {
		a, ok := args.next()
		if !ok {
			t.end()
			break
		}
		j.Spend(16 + a.end - a.start)
		t.argument(a, args.style == called)
	}
}

// printed judges the line behind that of a command, in which an offset lies, if it is one word.
func (t *tried) printed(at int) {
	n := bytes.IndexByte(t.text[at:min(len(t.text), at+maxCommand)], '\n')
	if n < 0 {
		return
	}
	next, _ := assign.NextLine(t.text, at+n)
	t.judge.Spend(n)
	if next < 0 {
		return
	}
	if t.text[next] == '-' { // of a diff
		next++
	}
	end := next
	for end < len(t.text) && t.text[end] > ' ' && t.text[end] != '"' && t.text[end] != '`' {
		end++
	}
	if assign.EndsLine(t.text, end) && end-next >= leastPrinted {
		t.judge.Password(assign.Value{Link: assign.Listed, At: next})
	}
}

// leastPrinted is the least length of a password that a command prints.
const leastPrinted = 8

// tried is a command whose arguments are tried, one after the other.
type tried struct {
	judge Judge
	text  []byte
	c     *Command
	start int           // of the command
	want  *form         // the argument before was its option
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
	v := t.text[a.start:a.end]
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
func (t *tried) option(f *form, a argument, v []byte) bool {
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
		t.fromStandardInput(f, a.end)
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

// isCluster reports whether some letters are short options without a value, so that the next
// one may be the password option: -sSu is -s -S -u. The listed letters take a value in the
// commands of the table (curl's -d, -H, -o and so on).
func isCluster(v []byte) bool {
	for _, c := range v {
		if !ascii.IsLetter(c) || bytes.IndexByte([]byte("dHoXxpuAbeTF"), c) >= 0 {
			return false
		}
	}
	return len(v) < 6
}

// value judges what stands at an offset if it is what the form is for, and reports whether it
// is a secret.
func (t *tried) value(f *form, at int) bool {
	switch {
	case at >= len(t.text) || t.text[at] == '-':
		return false
	case f.named:
		return t.judge.Named(t.named, t.open(at))
	case f.nth != 0 && f.parts == "":
		a := assign.Value{}.Open(t.text, quoteBefore(t.text, at))
		a.Link = assign.Argument
		return t.judge.Password(a)
	case isWord(f.lead) && !hasDigit(t.text[at:min(len(t.text), at+maxPlain)]):
		return false // of a sentence
	default:
		return t.password(f, at)
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

// open is the value that an argument at an offset is.
func (t *tried) open(at int) assign.Value {
	return assign.Value{Link: assign.Equals, Flag: true, Tight: true}.Open(t.text, quoteBefore(t.text, at))
}

// password judges the password, or the user and the password, that an argument at an offset is.
func (t *tried) password(f *form, at int) bool {
	if f.parts != "" {
		return t.userAndPassword(at, f.parts)
	}
	return t.judge.Password(t.open(at))
}

// userAndPassword reports what stands at an offset if it is the name of a user and a password,
// with one of some signs between them.
func (t *tried) userAndPassword(at int, signs string) bool {
	text := t.text
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
	t.judge.Spend(4 * (i - at))
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
	t.judge.User(at, i)
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
// what echo or printf writes into the pipe before the command; end is an offset in the command.
func (t *tried) fromStandardInput(f *form, end int) {
	text, start := t.text, t.start
	for i := end; i < len(text) && i-end < maxPiped && !endsCommand(text[i]); i++ {
		if text[i] != '<' || !bytes.HasPrefix(text[i:], []byte("<<")) {
			continue
		}
		at := i + len("<<")
		if text[at-1] == '<' && at < len(text) && text[at] == '<' {
			t.password(f, assign.SkipSpace(text, at+1, false))
			return
		}
		for at < len(text) && text[at] != '\n' && at-i < maxPiped {
			at++
		}
		if next, _ := assign.NextLine(text, at); next >= 0 {
			if text[next] == '-' { // of a diff
				next++
			}
			t.password(f, next)
		}
		return
	}
	before := text[max(0, start-maxPiped):start]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	t.judge.Spend(len(before) + maxPiped)
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
		args := argumentsOf(text, start-len(before)+k+len(w)-1, false)
		for a, ok := args.next(); ok; a, ok = args.next() {
			if text[a.start] != '-' {
				written = a.start
			}
		}
		if written >= 0 {
			t.password(f, written)
		}
		return
	}
}
