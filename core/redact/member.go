package redact

import (
	"bytes"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/names"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
)

// maxMember bounds the values that are judged by their names too. What is longer
// is no password; it is judged if it is one run of the letters of tokens.
const maxMember = pattern.Window / 2

// ScrubMember implements [core.MemberScrubber]. A name that promises a secret is
// put before its value again, so that the rules of assignments see both.
func (e *Engine) ScrubMember(name, value []byte) ([]byte, error) {
	clean, _, err := e.Scrub(core.TextField, value)
	if err != nil || len(value) == 0 || len(name) > names.MaxLen || names.Judge(name) == names.Nothing || bytes.IndexByte(value, '\n') >= 0 ||
		len(value) > maxMember && ascii.TokenEnd(value, 0) < len(value) {
		return clean, err
	}
	value = bytes.Clone(clean) // clean is gone with the next text
	pair := append(jsondoc.AppendQuote(nil, name), `: "`...)
	lead := len(pair)
	pair = append(append(pair, bytes.Map(unquotable, value)...), '"')
	judged, cuts, err := e.Scrub(core.TextField, pair)
	switch {
	case err != nil:
		return nil, err
	case !slices.ContainsFunc(cuts, func(c core.Cut) bool { return c.At+c.Len > lead }):
		return value, nil
	case bytes.HasPrefix(judged, pair[:lead]) && judged[len(judged)-1] == '"' && bytes.Equal(pair[lead:len(pair)-1], value):
		return judged[lead : len(judged)-1], nil
	default:
		return []byte("[REDACTED:secret]"), nil
	}
}

// unquotable puts something else for what would have to be escaped in quotes: it
// hides where a value ends.
func unquotable(r rune) rune {
	if r == '"' || r == '\\' {
		return '!'
	}
	return r
}
