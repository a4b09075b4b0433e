package segment

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/topic"
)

// announced are the latest messages of the assistant to one turn of a person: an agent
// says what it is about to do, and then does it. Binding takes words from there for an
// edit that touches a file that was not named: "Now the migration." before an edit of
// 0003.sql.
//
// Only the ends of messages are kept, as they stand in the transcript; they are decoded
// for an edit, which few messages precede.
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
	// maxAnnounced is how many messages are remembered. An edit becomes known at most a few
	// messages after its call.
	maxAnnounced = 4
	// maxAnnouncement is how many bytes of a message are: what is done next stands at its end.
	maxAnnouncement = 320
)

// announce takes in a message.
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

// before lists the words of the last message before a call, nil if none is known.
func (a *announced) before(call uint64) topic.Words {
	if a == nil {
		return nil
	}
	var last *announcement
	for i := range a.latest {
		if m := &a.latest[i]; len(m.stored) > 0 && m.seq < call && (last == nil || m.seq > last.seq) {
			last = m
		}
	}
	if last == nil {
		return nil
	}
	text := last.stored
	if last.quoted {
		text = jsondoc.Unquote(nil, text)
	}
	return topic.Of(string(text[max(0, len(text)-maxAnnouncement):]))
}

// over forgets the messages: a person has spoken again.
func (a *announced) over() {
	if a == nil {
		return
	}
	for i := range a.latest {
		a.latest[i].stored = a.latest[i].stored[:0]
	}
}
