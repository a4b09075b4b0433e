package api

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
)

// Flaw is one mistake in a value: its place as a JSON pointer, and what is wrong.
//
//	{"pointer":"/memories/3/content","detail":"…"}
type Flaw struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// Invalid is the error of a value that violates the contract. It has up to 16 flaws.
type Invalid struct{ Flaws []Flaw }

// Error returns the flaws on one line.
func (e *Invalid) Error() string {
	texts := make([]string, len(e.Flaws))
	for i, f := range e.Flaws {
		texts[i] = strings.TrimPrefix(f.Pointer+": "+f.Detail, ": ")
	}
	return strings.Join(texts, "; ")
}

// invalid returns an error with one flaw at a JSON pointer.
func invalid(pointer, format string, args ...any) *Invalid {
	return &Invalid{[]Flaw{{pointer, fmt.Sprintf(format, args...)}}}
}

// check collects flaws. Every check below adds at most one and returns nothing, so all flaws of
// a value are found in one pass.
type check struct {
	at    string
	flaws []Flaw
}

// add adds a flaw, up to 16 in all.
func (c *check) add(pointer, format string, args ...any) {
	if len(c.flaws) < 16 {
		c.flaws = append(c.flaws, Flaw{c.at + pointer, fmt.Sprintf(format, args...)})
	}
}

// err returns the flaws as an error; nil if there are none.
func (c *check) err() error {
	if len(c.flaws) == 0 {
		return nil
	}
	return &Invalid{c.flaws}
}

// text checks a string's length in bytes and that it is text.
func (c *check) text(pointer, s string, least, most int) {
	switch {
	case len(s) < least:
		c.add(pointer, "is missing")
	case len(s) > most:
		c.add(pointer, "is longer than %d bytes", most)
	case !utf8.ValidString(s):
		c.add(pointer, "is not UTF-8")
	case most <= maxText && strings.ContainsFunc(s, isControl):
		c.add(pointer, "has control characters")
	}
}

// isControl reports whether r is a control character of ASCII.
func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

// texts checks a list of texts: its length, each text, and that none occurs twice.
func (c *check) texts(pointer string, list []string, most int) {
	if len(list) > maxList {
		c.add(pointer, "has more than %d elements", maxList)
		return
	}
	seen := make(map[string]bool, len(list))
	for i, s := range list {
		c.text(fmt.Sprintf("%s/%d", pointer, i), s, 1, most)
		if seen[s] {
			c.add(fmt.Sprintf("%s/%d", pointer, i), "stands twice")
		}
		seen[s] = true
	}
}

// time checks an optional date and time of RFC 3339.
func (c *check) time(pointer, s string) {
	if s != "" && core.ParseTime(s).IsZero() {
		c.add(pointer, "is not a date and time of RFC 3339")
	}
}

// word checks a name out of lower case letters, digits and underscores.
func (c *check) word(pointer, s string) {
	ok := s != "" && len(s) <= 64 && s[0] >= 'a' && s[0] <= 'z'
	for i := range len(s) {
		b := s[i]
		ok = ok && (b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_')
	}
	if !ok {
		c.add(pointer, "is not a name of lower case letters, digits and _ that begins with a letter")
	}
}

// CheckNamespaceName returns an error if a namespace cannot have this name.
func CheckNamespaceName(name string) error {
	var c check
	c.namespace("/name", name)
	return c.err()
}

// CheckMemory returns an error if a memory cannot have this namespace or id.
func CheckMemory(namespace, id string) error {
	var c check
	c.namespace("/namespace", namespace)
	c.text("/id", id, 1, maxID)
	return c.err()
}

// namespace checks a name of a namespace: letters, digits, ".", "_" and "-", not
// beginning with ".".
func (c *check) namespace(pointer, s string) {
	ok := s != "" && len(s) <= maxName && s[0] != '.'
	for i := range len(s) {
		b := s[i]
		ok = ok && (b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("._-", b) >= 0)
	}
	if !ok {
		c.add(pointer, "is not a name of letters, digits and . _ - that does not begin with a point")
	}
}

// sum checks a SHA-256 in lower-case hex.
func (c *check) sum(pointer, s string) {
	ok := len(s) == 64
	for i := range len(s) {
		ok = ok && (s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'f')
	}
	if !ok {
		c.add(pointer, "is not a SHA-256 in 64 hexadecimal digits")
	}
}
