package claudecode

import (
	"bytes"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// copies tells the records that a resume wrote again. Since 1.0.88 they keep their
// uuids, and so their names; before, they get uuids of their own and all the time
// of the resume (recorded 1.0.60, 1.0.81, 1.0.88).
//
// Such a copy is as old as the record before it, and lacks something: a result its
// toolUseResult, which every other one has (recorded 1.0.60: 107 of 107, wild
// 1.0.17 and 1.0.24: 40 of 40), and a prompt its form, for it is a list of one
// text. The first record has none before it: it is known by the title of what is
// resumed, which mostly stands in the line above.
type copies struct {
	titled bool   // the transcript begins with a title
	before []byte // the time of the latest record of a turn; nil is none
}

// see takes in a record after it was read.
func (c *copies) see(r *record) {
	switch {
	case r.kind.Is("summary"):
		c.titled = c.titled || c.before == nil
	case r.kind.Is("user"), r.kind.Is("assistant"):
		c.before = append(c.before[:0], r.time.Body()...)
	}
}

// result reports whether a record with results is a copy.
func (c *copies) result(r *record, v *version) bool {
	return v.renamesCopies() && !r.result.Exists() && c.asOldAsTheLast(r)
}

// prompt reports whether a record with a prompt is a copy.
func (c *copies) prompt(r *record, content jsondoc.Value, v *version) bool {
	if !v.renamesCopies() || content.Kind() != jsondoc.Array {
		return false
	}
	if c.before == nil {
		return c.titled
	}
	return c.asOldAsTheLast(r)
}

func (c *copies) asOldAsTheLast(r *record) bool {
	return len(c.before) > 0 && bytes.Equal(c.before, r.time.Body())
}

// renamesCopies reports whether the version is one that gives copies new ids.
func (v *version) renamesCopies() bool { return v.text != "" && !v.atLeast(1, 0, 88) }
