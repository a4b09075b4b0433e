package opencode

import (
	"strconv"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// A fork copies messages and their parts under new ids and keeps the moments at
// which the messages were made (recorded 1.0.0, 1.1.34, 1.2.27, 1.18.33). An id
// begins with the moment at which it was made itself: 36 bits of milliseconds
// and 12 of a counter. A message takes its id before its moment or with it
// (recorded, all versions), so that one whose id is later is a copy.
const (
	idStart  = len("msg_")
	idDigits = 9
	idBits   = 36
)

// copyMark is what the copy of a message keeps of it; and whether it is one.
func copyMark(key string, document []byte) (string, bool) {
	var doc jsondoc.Doc
	if n, err := doc.Parse(document); err != nil || n == 0 {
		return "", false
	}
	v := doc.Root()
	made, ok := v.Path("time", "created").Int()
	if !ok {
		return "", false
	}
	role := v.Get("role").Str()
	return role + " " + strconv.FormatInt(made, 10), isLater(key, made)
}

// isLater reports whether an id was made after a moment.
func isLater(id string, ms int64) bool {
	gap, ok := since(id, ms)
	return ok && gap > 0 && gap < 1<<(idBits-1)
}

// since is how long after a moment an id was made, less whole rounds of its
// clock.
func since(id string, ms int64) (gap int64, ok bool) {
	if len(id) < idStart+idDigits || id[idStart-1] != '_' {
		return 0, false
	}
	at, err := strconv.ParseInt(id[idStart:idStart+idDigits], 16, 64)
	if err != nil {
		return 0, false
	}
	const whole = int64(1) << idBits
	return (at - ms%whole + whole) % whole, true
}
