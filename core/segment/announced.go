package segment

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// announced holds the latest messages of the assistant since the person's last turn. An
// agent announces what it does next: "Now the migration." before an edit of 0003.sql.
// Binding uses these words for an edit of a file that was not named.
//
// Only the ends of messages are kept, as they are in the transcript, and decoded when an
// edit needs them.
type announced struct {
	latest [maxAnnounced]announcement
	next   int
}

// announcement is the end of one message.
type announcement struct {
	seq    uint64
	stored []byte
	quoted bool
}

const (
	// maxAnnounced is how many messages are kept. The event of an edit comes at most a few
	// messages after that of its call.
	maxAnnounced = 4
	// maxAnnouncement is how many bytes of a message are kept: the end says what is done next.
	maxAnnouncement = 320
)

// announce adds a message.
func (t *Thread) announce(ev *core.Event, text core.Text) {
	if text.IsEmpty() {
		return
	}
	if t.announced == nil {
		t.announced = new(announced)
	}
	a := t.announced
	at := &a.latest[a.next]
	a.next = (a.next + 1) % maxAnnounced
	at.seq = ev.Seq
	at.stored, at.quoted = text.Ending(maxAnnouncement).AppendStored(at.stored[:0])
}

// before returns the end of the last message before a call.
func (a *announced) before(call uint64) string {
	if a == nil {
		return ""
	}
	var last *announcement
	for i := range a.latest {
		if m := &a.latest[i]; len(m.stored) > 0 && m.seq < call && (last == nil || m.seq > last.seq) {
			last = m
		}
	}
	if last == nil {
		return ""
	}
	text := last.stored
	if last.quoted {
		text = jsondoc.Unquote(nil, text)
	}
	return string(text[max(0, len(text)-maxAnnouncement):])
}

// reset forgets the messages.
func (a *announced) reset() {
	if a == nil {
		return
	}
	for i := range a.latest {
		a.latest[i].stored = a.latest[i].stored[:0]
	}
}
