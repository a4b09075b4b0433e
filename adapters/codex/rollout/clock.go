package rollout

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Clock reads a timestamp, and counts the milliseconds since 1970 until then; 0 where
// the time is not known.
func Clock(v jsondoc.Value) (t core.Time, ms int64) {
	if v.Kind() == jsondoc.String {
		t = core.ParseTimeBytes(v.Body())
	}
	return t, t.Milli()
}
