package rollout

import (
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Lineage tells which records of a file are copies of another thread's.
//
// A fork of a thread that is not paginated begins with the header of its own,
// followed by everything that the thread had recorded, its header first, which
// in turn may be that of a fork (source; the headers recorded with 0.169):
//
//	own header · parent's header · grandparent's header · grandparent's records · parent's records · own records
//
// Nothing marks where one's records end. But the ids of turns tell when these began, and ids of
// threads when those did: a turn belongs to the youngest thread that is older than it. Where there
// are no such ids, a copy ends where the writing pauses: it is written in one go.
type Lineage struct {
	own       string
	ownTime   int64 // ms; 0 is not known
	ancestors []ancestor
	start     int64 // ordinal of the first own record, where the tool says so
	Copying   bool
	Unmarked  bool   // forks of this version do not say what they copy
	Origin    string // thread of the current record
	last      int64  // moment of the record before, ms
}

type ancestor struct {
	id   string
	time int64
}

// maxAncestors bounds the chain of forks that are distinguished.
const maxAncestors = 64

// pause is how long, in ms, nothing is written between a copy and what follows.
const pause = 500

// Open begins the file of a thread, by its header.
func (l *Lineage) Open(id string, m Meta) {
	l.own, l.Origin, l.start = id, id, m.start
	l.ownTime, _ = uuidTime(id)
	// A paginated fork refers to its parent's records; the others copy them.
	if m.forkedFrom != "" && !m.Paginated && m.BaseThread == "" {
		l.Ancestor(m.forkedFrom)
	}
	if l.start > 0 {
		l.Copying = true
	}
}

// Ancestor says that the history of another thread follows.
func (l *Lineage) Ancestor(id string) {
	for _, a := range l.ancestors {
		if a.id == id {
			l.Copying, l.Origin = true, id
			return
		}
	}
	if len(l.ancestors) == maxAncestors {
		return
	}
	ms, _ := uuidTime(id)
	l.ancestors = append(l.ancestors, ancestor{id, ms})
	l.Copying, l.Origin = true, id
}

// Nameless says that the history of a thread is copied which the file does not
// name: so did versions that had no events in their copies (0.34, recorded).
func (l *Lineage) Nameless() {
	if l.Unmarked && len(l.ancestors) == 0 && !l.Copying {
		l.Copying, l.Origin = true, ""
	}
}

// Told takes in that an event was told: a copy without names has none.
func (l *Lineage) Told() {
	if l.Copying && l.Origin == "" {
		l.Copying, l.Origin = false, l.own
	}
}

// Line takes in the time and the ordinal of a record, before it is read.
func (l *Lineage) Line(ms, ordinal int64) {
	if !l.Copying {
		l.last = ms
		return
	}
	switch {
	case l.start > 0:
		l.Copying = ordinal >= 0 && ordinal < l.start
	case ms != 0 && l.last != 0 && ms-l.last >= pause:
		l.Copying = false
	}
	if !l.Copying {
		l.Origin = l.own
	}
	l.last = ms
}

// Turn takes in the id of the turn that the next records belong to.
func (l *Lineage) Turn(id jsondoc.Value) {
	if len(l.ancestors) == 0 && l.start == 0 || l.ownTime == 0 {
		return
	}
	began, ok := uuidTime(id.Str())
	if !ok {
		return
	}
	if began >= l.ownTime {
		// migrate-rollouts says of all that a subagent has done that it is
		// inherited (0.169, recorded).
		l.start, l.Copying, l.Origin = 0, false, l.own
		return
	}
	if l.start > 0 {
		return
	}
	best := ancestor{}
	for _, a := range l.ancestors {
		if a.time <= began && a.time >= best.time {
			best = a
		}
	}
	if best.id != "" {
		l.Copying, l.Origin = true, best.id
	}
}
