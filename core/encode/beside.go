package encode

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/cut"
)

// What stands beside a string in a list or an object may be what gives it away:
// ["login", "--password", "x"], {"name": "DB_PASSWORD", "value": "x"}. The strings of a value
// are therefore scrubbed one by one, and then the value again as one text.

// beside takes out of the JSON that begins at an offset of dst, and has been scrubbed string
// by string, what is secret in it as one text.
func (e *Encoder) beside(dst []byte, from int) []byte {
	if e.err != nil || len(dst) == from || dst[from] != '[' && dst[from] != '{' {
		return dst
	}
	clean, cuts, err := e.Scrubber.Scrub(core.TextField, dst[from:])
	if err != nil {
		e.fail(err)
		return dst[:from]
	}
	if len(cuts) == 0 {
		return dst
	}
	if !e.again {
		e.echoes.Learn(dst[from:], clean, cuts)
	}
	return cut.FromJSON(dst[:from:from], dst[from:], clean, cuts)
}
