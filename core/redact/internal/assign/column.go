package assign

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// Column is a column of a table, whose values are read row by row. Three kinds of table have
// a head that names their columns:
//
//	INSERT INTO users (name, password) VALUES ('bob', 'X1'), ('eve', 'X2')
//
//	| name | password |      name,password
//	|------|----------|      bob,X1
//	| bob  | X1       |      eve,X2
type Column struct {
	text   []byte
	at     int // where the next row begins
	number int // of the column, from 0
	parts  byte
}

// Limits of a table, in bytes: of its head, and of a row.
const (
	maxHead = 256
	maxRow  = 1024
)

// sql is what parts the values of a Column in rows of an INSERT.
const sql = '('

// ColumnOf reads the head of a table of which the name at [from, to) is a column; ok is false if it
// is none. What stands behind the name decides quickly that most names are no heads.
func ColumnOf(text []byte, from, to int) (c Column, ok bool) {
	if to == len(text) {
		return Column{}, false
	}
	end := SkipClosers(text[:min(len(text), to+2)], to)
	switch i := SkipSpace(text, end, false); {
	case i == len(text):
	case text[i] == ',' || text[i] == ';' || text[i] == '\t' || text[i] == '\n' || text[i] == '|' || text[end-1] == ')':
		if c, ok = insert(text, from, to); !ok {
			c, ok = lines(text, from, to)
		}
	}
	return c, ok
}

// insert reads INSERT INTO t (a, b) VALUES, of which b stands at [from, to). The number of the
// column is the number of commas before the name.
func insert(text []byte, from, to int) (Column, bool) {
	open := bytes.LastIndexByte(text[max(0, from-maxHead):from], '(')
	if open < 0 {
		return Column{}, false
	}
	open += max(0, from-maxHead)
	n := bytes.IndexByte(text[to:min(len(text), to+maxHead)], ')')
	if n < 0 || !isColumns(text[open+1:to+n]) {
		return Column{}, false
	}
	const word = "values"
	i := SkipSpace(text, to+n+1, true)
	if len(text) < i+len(word) || !looks.EqualFold(text[i:i+len(word)], word) {
		return Column{}, false
	}
	return Column{text: text, at: i + len(word), number: bytes.Count(text[open:from], []byte(",")), parts: sql}, true
}

// isColumns reports whether a text is a list of names.
func isColumns(s []byte) bool {
	for _, c := range s {
		if !ascii.IsWord(c) && !ascii.IsQuote(c) && c != ',' && !isBlankOrBreak(c) && c != '.' && c != '+' {
			return false
		}
	}
	return true
}

func isBlankOrBreak(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// lines reads the line of heads that holds the name at [from, to): | a | b |, or a,b. Below a head with
// bars the line of dashes must stand; below one with commas, semicolons or tabs, a row with as many of them.
func lines(text []byte, from, to int) (Column, bool) {
	begin := max(0, from-maxHead)
	begin += bytes.LastIndexByte(text[begin:from], '\n') + 1
	n := bytes.IndexByte(text[to:min(len(text), to+maxHead)], '\n')
	if n < 0 {
		return Column{}, false
	}
	head := text[begin : to+n]
	next, _ := NextLine(text, to+n)
	if next < 0 {
		return Column{}, false
	}
	if bar := bytes.IndexByte(head, '|'); bar >= 0 {
		if text[next] != '|' || !bytes.Contains(text[next:min(len(text), next+8)], []byte("--")) || begin+bar > from {
			return Column{}, false
		}
		rule := bytes.IndexByte(text[next:min(len(text), next+maxRow)], '\n')
		if rule < 0 {
			return Column{}, false
		}
		return Column{text: text, at: next + rule, number: bytes.Count(text[begin:from], []byte("|")) - 1, parts: '|'}, true
	}
	for _, part := range [...]byte{',', ';', '\t'} {
		k := bytes.Count(head, []byte{part})
		row := text[next:min(len(text), next+maxRow)]
		if r := bytes.IndexByte(row, '\n'); r >= 0 {
			row = row[:r]
		}
		if k > 0 && isHeads(text[skipGutter(text, begin):begin+len(head)], part) && bytes.Count(row, []byte{part}) == k {
			return Column{text: text, at: to + n, number: bytes.Count(text[begin:from], []byte{part}), parts: part}, true
		}
	}
	return Column{}, false
}

// isHeads reports whether a line is names alone with a sign between them.
func isHeads(head []byte, part byte) bool {
	for _, c := range head {
		if !ascii.IsJoined(c) && !ascii.IsQuote(c) && c != part && c != '\r' {
			return false
		}
	}
	return true
}

// Next returns the value of the column in the next row: where it begins, and its quote. ok is false
// if there is none.
func (c *Column) Next() (v Value, end int, ok bool) {
	limit := min(len(c.text), c.at+maxRow)
	i := c.row(limit)
	if i < 0 {
		return Value{}, 0, false
	}
	part := c.parts
	if part == sql {
		part = ','
	}
	for n := 0; ; n++ {
		from, stop := field(c.text, i, limit, part)
		if n == c.number {
			v, end, ok = cellOf(c.text, from, stop)
		}
		if i = stop; i >= limit || c.text[i] != part {
			break
		}
		i++
	}
	if c.parts == sql {
		c.at = min(i+1, len(c.text))
		return v, end, ok
	}
	for i < limit && c.text[i] != '\n' {
		i++
	}
	c.at = i
	return v, end, ok
}

// row is where the values of the next row begin; -1 if there is none.
func (c *Column) row(limit int) int {
	i := c.at
	if c.parts != sql {
		if i, _ = NextLine(c.text, i); i < 0 || c.parts != '|' {
			return i
		}
		if c.text[i] != '|' {
			return -1
		}
		return i + 1
	}
	for i < limit && (isBlankOrBreak(c.text[i]) || c.text[i] == ',' || c.text[i] == '+') {
		i++
	}
	if i >= limit || c.text[i] != '(' {
		return -1
	}
	return i + 1
}

// field is the next field of a row, up to what parts it from the one behind it: from is its first
// byte that is no blank, stop the sign that ends it. Signs in quotes and in brackets part nothing.
func field(text []byte, at, limit int, part byte) (from, stop int) {
	i := SkipSpace(text, at, false)
	depth := 0
	for from = i; i < limit && text[i] != '\n'; i++ {
		switch c := text[i]; {
		case (c == '\'' || c == '"') && part != '|':
			end := bytes.IndexByte(text[i+1:limit], c)
			if end < 0 {
				return from, limit
			}
			i += 1 + end
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return from, i
			}
		case c == part && depth == 0:
			return from, i
		}
	}
	return from, i
}

// cellOf is the value that a field holds alone, without its quotes.
func cellOf(text []byte, from, stop int) (v Value, end int, ok bool) {
	for stop > from && isBlankOrBreak(text[stop-1]) {
		stop--
	}
	v = Value{Link: Listed, At: from}
	if stop-from > 2 && ascii.IsQuote(text[from]) && text[stop-1] == text[from] {
		v.Quote = text[from]
		v.At++
		stop--
	}
	return v, stop, true
}

// maxBefore bounds the text in which a value stands before its name.
const maxBefore = 160

// Before finds the value that stands before the name that begins at an offset, as in
// value: X, name: …; ok is false if there is none. Between the two nothing may stand but
// punctuation, ends of lines and the word "name" or "key".
func Before(text []byte, from int) (v Value, ok bool) {
	begin := max(0, from-maxBefore)
	window := text[begin:from]
	if !looks.ContainsAny(window[max(0, len(window)-len(`"name": "`)):], "name key") {
		return Value{}, false
	}
	k := bytes.LastIndex(window, []byte("alue"))
	if k < 1 {
		return Value{}, false
	}
	v = Read(text, begin+k+len("alue"))
	if v.Link != Colon && v.Link != Equals || v.Below {
		return Value{}, false
	}
	end := v.At
	for end < from && text[end] != '\n' && (v.Quote != 0 && text[end] != v.Quote || v.Quote == 0 && !EndsValue(text[end])) {
		end++
	}
	between := bytes.Trim(text[end:from], " \n\t\r\"',+-0123456789→|{=:")
	return v, looks.EqualFold(between, "name") || looks.EqualFold(between, "key")
}
