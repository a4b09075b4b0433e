package capture

import (
	"maps"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/tail"
)

// companions are the files of the same work as a transcript that its parser was
// shown, as they looked then.
type companions struct {
	adapter core.Adapter
	path    string // of the transcript
	file    string
	work    string // "" if it stands alone
	shown   map[string]discover.Stamp
}

func companionsOf(a core.Adapter, c tail.Chunk) companions {
	n, ok := a.(core.Companion)
	if !ok {
		return companions{}
	}
	work, _ := n.Companions(c.Path)
	if work == "" {
		return companions{}
	}
	return companions{a, c.Path, c.File, work, discover.Companions(a, c.Path, c.File)}
}

// areStale reports whether they look different now.
func (c companions) areStale() bool {
	return c.work != "" && !maps.Equal(c.shown, discover.Companions(c.adapter, c.path, c.file))
}

// isMissed reports whether a file that has just been opened was not there, or
// another one, when a transcript of the same work was: a replay would have shown
// it to that one's parser. A file that changes after it was opened is another
// matter: then all of its group is read again.
func (f *Follower) isMissed(x *followed) bool {
	for _, st := range x.stream.stream.Group().Streams() {
		other := f.files[st.File()]
		if other != nil && other != x && other.companions.work == x.companions.work && other.companions.areStale() {
			return true
		}
	}
	return false
}
