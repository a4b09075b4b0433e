package redact

import (
	"strings"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/rules"
)

// A lead is the text between the name of a service and a value behind it. It is read when the first
// value of the right form is found, since most names have none.
type lead struct {
	start, end int  // the name
	bound      bool // it begins a word
	read       bool
	until      int  // no value of it begins from here on
	keyed      int  // from here on there is "key" or the like before the value; -1: never
	exact      bool // what is assigned to is the name itself
	direct     int  // where the value begins that is assigned to the name, or -1
}

// readLead looks for words between a name and its value that say what the value is: "key" makes it a
// secret, "sha256" makes it none. It is called once for each lead.
func (e *Engine) readLead(l *lead) {
	text := e.view.Text
	gap := text[l.end:min(len(text), l.end+reach)]
	l.read, l.keyed, l.direct, l.until = true, -1, -1, l.end+len(gap)
	for i, c := range gap {
		if !ascii.IsLetter(c) || strings.IndexByte(leadFirst, c|0x20) < 0 {
			continue
		}
		if l.keyed < 0 {
			if n := prefixOf(gap[i:], keyWords); n > 0 {
				l.keyed = l.end + i + n
			}
		}
		if prefixOf(gap[i:], otherWords) > 0 {
			l.until = l.end + i
			break
		}
	}
	tail := e.tail(l.end)
	if a := assign.Read(e.view.Text, tail); a.Link != assign.None {
		l.direct = a.At
		l.exact = assign.SkipClosers(text, tail) == assign.SkipClosers(text, l.end)
	}
	e.work += len(gap)
}

const (
	// keyWords say that a secret follows.
	keyWords = "access auth api key secret token private pass pwd cred login license"
	// otherWords say that what follows is a digest, or a number, and no secret.
	otherWords = "commit checksum sha1 sha256 sha512 sha- digest revision md5"
	// leadFirst are the letters with which they begin.
	leadFirst = "acdklmprst"
)

// prefixOf returns the length of the word that s begins with, of a list of words; 0 if it begins with none.
func prefixOf(s []byte, words string) int {
	for words != "" {
		var w string
		if w, words = looks.CutWord(words); len(s) >= len(w) && looks.EqualFold(s[:len(w)], w) {
			return len(w)
		}
	}
	return 0
}

// leadsTo reports whether a name leads to the value at an offset in the way
// that a rule demands.
func (l *lead) leadsTo(text []byte, r *rules.Rule, at int) bool {
	if at == l.direct {
		return true
	}
	if at > l.end && ascii.IsAlnum(text[at]) && text[at-1] == '_' && l.keyed != at-1 {
		return false // a part of an identifier
	}
	if r.Near > 0 && at-l.end <= r.Near {
		return true
	}
	return r.Keyed && !r.Close && l.keyed >= 0 && at >= l.keyed
}

// shortName is the length up to which a name also turns up by chance.
const shortName = 4

// startsName reports whether a name begins a word; a short one must not be in
// a run of base64.
func startsName(text []byte, start, end int) bool {
	if start == 0 {
		return true
	}
	c := text[start-1]
	if end-start > shortName {
		return !ascii.IsLetter(c) || ascii.IsLower(c) && ascii.IsUpper(text[start])
	}
	if c == '+' || c == '/' {
		return start == 1 || text[start-2] == '\n' // of a diff
	}
	return !ascii.IsAlnum(c)
}

// isWholeName reports whether the letters that matched a name are one. They are not if two words of
// camel case share them ("isBox" for "sbox"), or if a short name begins a longer word ("box" in "boxes").
func isWholeName(text []byte, start, end int) bool {
	for i := start + 1; i < end; i++ {
		if ascii.IsUpper(text[i]) && ascii.IsLower(text[i-1]) && end-start <= shortName+1 {
			return false
		}
	}
	if end-start > shortName || end == len(text) || !ascii.IsAlnum(text[end]) || !ascii.IsAlnum(text[end-1]) {
		return true
	}
	return ascii.IsLower(text[end-1]) && ascii.IsUpper(text[end]) || prefixOf(text[end:], keyWords) > 0
}

// maxTail bounds what stands between the word of a name that matters and its end.
const maxTail = 24

// tail skips what may stand between the name of a service and what assigns.
func (e *Engine) tail(at int) int {
	text := e.view.Text
	for n := 0; n < maxTail && at < len(text); n++ {
		c := text[at]
		if !ascii.IsWord(c) && c != '.' && c != '-' && c != ' ' && c != '\t' {
			break
		}
		at++
	}
	return at
}
