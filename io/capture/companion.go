package capture

import (
	"context"
	"maps"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

// companions are the sidecars that the parser of a transcript has read, in their state at
// that time. In Cline, api_conversation_history.json is the transcript; ui_messages.json
// beside it has the times of turns and the costs of answers. Both grow.
//
// They are compared by [discover.Stamp] (size and time of change), not by content.
type companions struct {
	adapter core.Adapter
	path    string // of the transcript
	file    string
	work    string // "" if there are none
	shown   map[string]discover.Stamp
}

// companionsOf returns what lies beside a file by its adapter; nothing, if the adapter reads no sidecars.
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

// isRefreshed passes changed companions to a transcript's parser, and reports whether the
// events so far are still right. If not, the transcript must be read again. It takes one
// stat per companion if nothing has changed.
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

// isStale reports whether a companion with a fixed name, such as an index of the others, has
// changed since the parser read it.
func (c *companions) isStale() bool {
	return c.work != "" && discover.Differs(c.adapter, c.path, c.file, c.shown)
}

// hasStaleCompanions reports whether another transcript of the same work was opened before
// this file was there or as it is now, so that its parser has not read it. For a file that
// changes after it was opened, see prepareRewrite.
func (f *Follower) hasStaleCompanions(x *followed) bool {
	for _, st := range x.stream.stream.Group().Streams() {
		other := f.files[st.File()]
		if other != nil && other != x && other.companions.work == x.companions.work && !other.isRefreshed() {
			return true
		}
	}
	return false
}

// prepareRewrite prepares for a rewritten document that is only a sidecar of other
// transcripts. If their parsers accept the new content, they need not be read again. It
// reports whether that is so.
func (f *Follower) prepareRewrite(ctx context.Context, x *followed) (bool, error) {
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

// isAlone reports whether the parser of a file reads no companions.
func (x *followed) isAlone() bool {
	_, files := x.companions.adapter.(core.SidecarWatcher).Companions(x.companions.path)
	return len(files) == 0
}

// resume continues the stream of a resumable file with the rewritten document, and reports
// whether that is possible.
func (x *followed) resume(t Transcript) bool {
	return x.tool == t.Adapter.Tool() && t.Framing == core.Document && x.stream.restart(t)
}
