package capture

import (
	"context"
	"maps"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

// companions are the files of the same work as a transcript that its parser was
// shown, as they looked then. An example is Cline: api_conversation_history.json is the
// transcript, ui_messages.json beside it tells when the person spoke and what an answer
// cost, and both grow.
//
// They are compared by [discover.Stamp], not by content: size and time of change.
type companions struct {
	adapter core.Adapter
	path    string // of the transcript
	file    string
	work    string // "" if it stands alone
	shown   map[string]discover.Stamp
}

func companionsOf(a core.Adapter, c tail.Chunk) companions {
	n, ok := a.(core.SidecarWatcher)
	if !ok {
		return companions{}
	}
	work, _ := n.Companions(c.Path)
	if work == "" {
		return companions{}
	}
	return companions{a, c.Path, c.File, work, discover.Companions(a, c.Path, c.File)}
}

// isRefreshed shows a transcript's parser what its companions hold now, and reports
// whether what it has said stands: else the transcript has to be read again.
// It is cheap if nothing has changed: one stat per companion.
func (x *followed) isRefreshed() bool {
	c := &x.companions
	if c.work == "" {
		return true
	}
	now := discover.Companions(c.adapter, c.path, c.file)
	if maps.Equal(c.shown, now) {
		return true
	}
	if x.state != fed {
		return false
	}
	changed, gone, ok := discover.Changes(c.file, c.shown, now)
	if !ok || !x.stream.stream.Renew(changed, gone) {
		return false
	}
	c.shown = now
	return true
}

// seemsStale reports whether a companion that has a name of its own looks different
// from when the parser was shown it. Where that is an index, it says of all others.
func (c *companions) seemsStale() bool {
	return c.work != "" && discover.Differs(c.adapter, c.path, c.file, c.shown)
}

// isMissed reports whether a file that has just been opened was not there, or
// another one, when a transcript of the same work was: a replay would have shown
// it to that one's parser. A file that changes after it was opened is another
// matter: see quieten.
func (f *Follower) isMissed(x *followed) bool {
	for _, st := range x.stream.stream.Group().Streams() {
		other := f.files[st.File()]
		if other != nil && other != x && other.companions.work == x.companions.work && !other.isRefreshed() {
			return true
		}
	}
	return false
}

// quieten makes ready for the new state of a document that does nothing but say more
// of other transcripts, if their parsers have taken in what is new: then these need
// not be read again. It reports whether that is so.
func (f *Follower) quieten(ctx context.Context, x *followed) (bool, error) {
	if x == nil || x.framing != core.Document || x.companions.work == "" || !x.hasFacts() && x.state != resumable || !x.isAlone() {
		return false, nil
	}
	if err := f.close(ctx, x); err != nil {
		return false, err
	}
	x.state = resumable
	for _, st := range x.stream.stream.Group().Streams() {
		other := f.files[st.File()]
		if other != nil && other != x && other.companions.work == x.companions.work && !other.isRefreshed() {
			return false, nil
		}
	}
	*x = followed{state: resumable, stream: x.stream, tool: x.tool, framing: x.framing, companions: x.companions}
	return true, nil
}

// isAlone reports whether the parser of a file is shown no other.
func (x *followed) isAlone() bool {
	_, files := x.companions.adapter.(core.SidecarWatcher).Companions(x.companions.path)
	return len(files) == 0
}

// resume continues the stream of a resumable file with the new content of its document.
// It reports whether that is possible.
func (x *followed) resume(t Transcript) bool {
	return x.tool == t.Adapter.Tool() && t.Framing == core.Document && x.stream.begin(t)
}
