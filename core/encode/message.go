package encode

import "github.com/memscribe/memscribe/core"

// Message appends the message's JSON to dst, without a line end. After an error
// nothing of the message may be written anywhere.
func (e *Encoder) Message(dst []byte, m *core.Message) ([]byte, error) {
	e.begin()
	start := len(dst)
	dst = e.message(dst, m)
	if e.repeat() {
		dst = e.message(dst[:start], m)
	}
	e.end()
	return dst, e.err
}

// message appends a message as one JSON object.
func (e *Encoder) message(dst []byte, m *core.Message) []byte {
	dst = append(dst, `{"schema":"`+core.MessageSchema+`","kind":"`...)
	dst = append(append(dst, m.Kind...), '"')
	dst = e.str(dst, "id", core.IDField, m.ID)
	dst = e.str(dst, "source", core.NameField, string(m.Source))
	dst = e.str(dst, "session_id", core.IDField, m.Session)
	dst = e.optional(dst, "thread_id", core.IDField, m.Thread)
	dst = appendUint(dst, "seq", m.Seq)
	dst = appendTime(dst, "timestamp", m.Time)
	dst = e.project(dst, m.Project)
	if m.Copied {
		dst = appendBool(dst, "copied", true)
	}
	dst = e.str(dst, "file", core.PathField, m.File)
	dst = e.str(dst, "text", core.TextField, m.Text)
	dst = e.optional(dst, "model", core.NameField, m.Model)
	if m.Usage != nil {
		dst = e.optional(dst, "response_id", core.IDField, m.Response)
		dst = appendUsage(dst, m.Usage)
	}
	return append(dst, '}')
}
