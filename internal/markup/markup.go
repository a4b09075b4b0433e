// Package markup writes HTML with every text escaped.
//
// It takes the place of html/template, which finds methods by their names as it runs. A
// program that does so keeps every exported method of every type that it has: three
// megabytes in this one.
package markup

import (
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Text is markup: of the program's own, or escaped already.
type Text string

// Page is HTML that is being written. The zero value is empty.
type Page struct {
	b   strings.Builder
	err error
}

// Put appends a format. It is a constant of the program's: markup, in which each %s
// stands for an argument, between tags or in an attribute with quotes, and nowhere else.
//
//	p.Put(`<a href="%s">%s</a>`, link, title)
//
// Strings, and what has a String method, are escaped; a [Text] is not. An address has to
// be one of the program's own: what "javascript:" begins is not refused.
func (p *Page) Put(format string, args ...any) {
	for _, arg := range args {
		before, rest, found := strings.Cut(format, "%s")
		if !found {
			p.err = errors.Join(p.err, fmt.Errorf("write HTML: there are %d arguments for fewer places, the last before %q", len(args), before))
			return
		}
		p.b.WriteString(before)
		p.b.WriteString(p.text(arg))
		format = rest
	}
	if strings.Contains(format, "%s") {
		p.err = errors.Join(p.err, fmt.Errorf("write HTML: an argument is missing for %q", format))
	}
	p.b.WriteString(format)
}

// text returns an argument as markup.
func (p *Page) text(arg any) string {
	switch v := arg.(type) {
	case Text:
		return string(v)
	case string:
		return Escape(v)
	case fmt.Stringer:
		return Escape(v.String())
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	}
	p.err = errors.Join(p.err, fmt.Errorf("write HTML: a %T is no text", arg))
	return ""
}

// Bytes returns what was written, or what was wrong with a call of [Page.Put].
func (p *Page) Bytes() ([]byte, error) { return []byte(p.b.String()), p.err }

// Escape writes a text so that it is that text between tags and in an attribute with
// quotes. NUL, which HTML does not have, becomes U+FFFD.
func Escape(s string) string { return html.EscapeString(strings.ReplaceAll(s, "\x00", "\uFFFD")) }
