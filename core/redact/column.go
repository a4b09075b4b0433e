package redact

import (
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// columns reports the secrets in a column whose head is the name at [from, to): of the rows of an
// INSERT, of a table in Markdown, of lines whose values are parted by commas.
func (e *Engine) columns(p names.Promise, from, to int) (found bool) {
	text := e.view.Text
	column, ok := assign.ColumnOf(text, from, to)
	if !ok {
		return false
	}
	for range maxItems {
		a, end, ok := column.Next()
		if !ok {
			break
		}
		e.work += 64
		found = end > a.At && e.judgeValue(p, a, end) || found
	}
	return found
}

// valueBefore reports the secret that stands before its name: value: X, name: DB_PASSWORD.
func (e *Engine) valueBefore(p names.Promise, from int) bool {
	a, ok := assign.Before(e.view.Text, from)
	return ok && e.judgeValue(p, a, e.valueEnd(a))
}
