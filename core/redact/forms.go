package redact

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/address"
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/encoded"
	"github.com/memscribe/memscribe/core/redact/internal/jwt"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/object"
	"github.com/memscribe/memscribe/core/redact/internal/pem"
)

// The rules below find what has a form of its own. Packages of internal read the forms; here
// they are called where their words stand, and what they find is reported.

// urlCredentials finds the credentials in a URL whose "://" stands at [start, end), or in a connection
// string of Go.
func (e *Engine) urlCredentials(rule int32, start, end int) {
	var f address.Found
	if e.view.Text[start] == '@' {
		f = address.OfGo(e.view.Text, start)
	} else {
		f = address.Credentials(&e.view, start, end)
	}
	if e.work += f.Work; f.Ok {
		e.report(rule, f.Start, f.End)
	}
}

// encodedToken finds base64 in which a token is encoded.
func (e *Engine) encodedToken(rule int32, start, end int) {
	if start < e.tokenEnd {
		return
	}
	from, to, ok := encoded.Token(e.view.Text, start, end)
	e.work += encoded.Cost + to - from
	if ok {
		e.tokenEnd = to
		e.report(rule, from, to)
	}
}

// jwt finds the JSON Web Token that begins at start.
func (e *Engine) jwt(rule int32, start, _ int) {
	if start < e.tokenEnd {
		return
	}
	end, work, ok := jwt.End(e.view.Text, start)
	e.work += work
	e.tokenEnd = max(e.tokenEnd, end)
	if ok {
		e.report(rule, start, end)
	}
}

// privateKey finds the private key whose "-----BEGIN" ends at end, whether it is
// whole or cut off, in a diff, numbered, quoted line by line or on one line.
func (e *Engine) privateKey(rule int32, start, end int) {
	text := e.view.Text
	label := text[end:min(len(text), end+pem.MaxLabel)]
	n := bytes.Index(label, []byte(pem.Dashes))
	e.work += 8
	if n >= 0 && looks.IndexFold(label[:n], "private key") >= 0 {
		e.keyMaterial(rule, start, end+n+len(pem.Dashes))
	}
}

// puttyKey finds the private lines of a PuTTY key file.
func (e *Engine) puttyKey(rule int32, start, end int) {
	text := e.view.Text
	i := end
	for i < len(text) && i-end < 8 && (text[i] == ' ' || ascii.IsDigit(text[i])) {
		i++
	}
	if i > end && i < len(text) && (text[i] == '\n' || text[i] == '\r') {
		e.keyMaterial(rule, start, i+1)
	}
}

// keyMaterial reports a key from its start on, if there is key material at an offset.
func (e *Engine) keyMaterial(rule int32, start, at int) {
	stop, work := pem.Material(e.view.Text, at)
	e.work += work
	e.report(rule, start, stop)
}

// manifest finds the values of a Secret of Kubernetes.
func (e *Engine) manifest(rule int32, start, end int) {
	if e.prose() {
		e.work += object.Secret(e.view.Text, start, end, func(from, to int) { e.report(rule, from, to) })
	}
}

// keyObject finds the private members of a key that is written as an object.
func (e *Engine) keyObject(rule int32, start, end int) {
	e.work += object.Key(e.view.Text, start, end, func(from, to int) { e.report(rule, from, to) })
}

// phrase finds the words from which a wallet is restored.
func (e *Engine) phrase(rule int32, _, end int) {
	if e.prose() {
		e.work += object.Phrase(e.view.Text, end, func(from, to int) { e.report(rule, from, to) })
	}
}
