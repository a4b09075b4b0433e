package pipeline

import (
	"cmp"
	"maps"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/core/segment"
)

// Subagents: an edit of one looks back from the call that started the agent, which may
// stand in another stream. It waits until that call is read.

// waiter is an edit whose stream does not say what it hangs on.
type waiter struct {
	stream *Stream
	edit   *segment.Edit
}

// spawn is a call that started a subagent: the point from which its edits look back.
type spawn struct {
	bind.Context
	parent string // thread of the call
	file   string
}

// bind ties an edit to what it hangs on, at once or when that becomes known.
func (s *Set) bind(w waiter) {
	e := w.edit
	if e.Arc != nil || e.Thread.Name == "" {
		made := s.link(w, bind.Context{Index: w.stream.index[e.Thread], Arc: e.Arc, Nth: nthOf(e.Arc), Seq: e.CallSeq, Known: e.Head.Seq})
		s.inherit(heir{waiter: w, of: w.stream, made: made, nth: nthOf(e.Arc)})
		return
	}
	ss := s.session(w.stream, sessionKey{e.Head.Source, e.Thread.Session})
	s.trace(ss, w)
}

// trace ties a subagent's edit to what it hangs on, seen from the call that started the
// agent, or has it wait for that call.
func (s *Set) trace(ss *session, w waiter) {
	from, missing := ss.origin(w.edit.Thread.Name)
	if missing == "" {
		s.link(w, from)
		return
	}
	ss.waiting[missing] = append(ss.waiting[missing], w)
}

// link ties an edit to what it hangs on, and reports whether that is a decision
// which it carries out.
func (s *Set) link(w waiter, from bind.Context) (made bool) {
	for _, l := range bind.Links(w.edit, from) {
		s.put(w.stream, nodeprep.Binding(w.edit, l), w.edit.Copied)
		made = made || l.Relation == core.Produced
	}
	return made
}

// spawned records which call started a thread, and binds the edits that have
// waited for it.
func (s *Set) spawned(st *Stream, sp *segment.Spawn) {
	ss := s.session(st, sessionKey{st.tool, sp.Thread.Session})
	old, known := ss.spawns[sp.Child]
	now := spawn{
		Context: bind.Context{Index: st.index[sp.Thread], Arc: sp.Arc, Nth: nthOf(sp.Arc), Seq: sp.CallSeq, Known: sp.CallSeq},
		parent:  sp.Thread.Name, file: st.at.File,
	}
	if known && cmp.Or(cmp.Compare(old.file, now.file), cmp.Compare(old.Seq, now.Seq)) <= 0 {
		return
	}
	ss.spawns[sp.Child], st.asked = now, true
	if known { // what waits for another thread may have found its way by the old one
		waiting := ss.waiting
		ss.waiting = map[string][]waiter{}
		for _, name := range slices.Sorted(maps.Keys(waiting)) {
			s.traceAll(ss, waiting[name])
		}
		return
	}
	waiting := ss.waiting[sp.Child]
	delete(ss.waiting, sp.Child)
	s.traceAll(ss, waiting)
}

// nthOf is the Nth of an arc; before the first human turn there is none.
func nthOf(arc *segment.Arc) int {
	if arc == nil {
		return 0
	}
	return arc.Nth
}

// traceAll looks once more for the calls above edits that waited for one.
func (s *Set) traceAll(ss *session, waiting []waiter) {
	for _, w := range waiting {
		s.trace(ss, w)
	}
}

const (
	// maxDeep is how many agents started each other, one the next.
	maxDeep = 64
	// nowhere is no name of a thread: edits of agents that are deeper, or started each
	// other in a circle, look back from nowhere.
	nowhere = "\x00"
)

// origin is the point from which a subagent's edits look back: the call that
// started it, or, if an agent without a human turn made that call, the call
// that started the agent. Where that is not known, missing is the thread whose start
// has to become known next.
func (ss *session) origin(thread string) (from bind.Context, missing string) {
	for range maxDeep {
		sp, ok := ss.spawns[thread]
		if !ok {
			return bind.Context{}, thread
		}
		if sp.Arc != nil || sp.parent == "" {
			return sp.Context, ""
		}
		thread = sp.parent
	}
	return bind.Context{}, nowhere
}
