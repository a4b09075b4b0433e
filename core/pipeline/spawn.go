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

// pendingEdit is an edit of a subagent. Its decisions are found from the call that started
// the subagent, which may be in another stream; the edit waits until that is read.
type pendingEdit struct {
	stream *Stream
	edit   *segment.Edit
}

// spawn is a call that started a subagent. The subagent's edits are bound from there.
type spawn struct {
	bind.Context
	parent string // thread of the call
	file   string
}

// bind binds an edit, or registers it until the call that started its subagent is known.
func (s *Set) bind(w pendingEdit) {
	e := w.edit
	if e.Arc != nil || e.Thread.Name == "" {
		made := s.link(w, bind.Context{Index: w.stream.index[e.Thread], Arc: e.Arc, Nth: nthOf(e.Arc), Seq: e.CallSeq, Known: e.Head.Seq})
		s.bindBeforeFork(forkEdit{pendingEdit: w, base: w.stream, isProduced: made, nth: nthOf(e.Arc)})
		return
	}
	ss := s.session(w.stream, sessionKey{e.Head.Source, e.Thread.Session})
	s.bindSubagentEdit(ss, w)
}

// bindSubagentEdit binds an edit of a subagent from the call that started it, or registers
// it until that call is known.
func (s *Set) bindSubagentEdit(ss *session, w pendingEdit) {
	from, missing := ss.origin(w.edit.Thread.Name)
	if missing == "" {
		s.link(w, from)
		return
	}
	ss.waiting[missing] = append(ss.waiting[missing], w)
}

// link adds the bindings of an edit, and reports whether it carries out a decision.
func (s *Set) link(w pendingEdit, from bind.Context) (made bool) {
	for _, l := range bind.Links(w.edit, from) {
		s.put(w.stream, nodeprep.Binding(w.edit, l), w.edit.Copied)
		made = made || l.Relation == core.Produced
	}
	return made
}

// addSpawn records the call that started a thread, and binds the edits that wait for it.
func (s *Set) addSpawn(st *Stream, sp *segment.Spawn) {
	ss := s.session(st, sessionKey{st.tool, sp.Thread.Session})
	old, known := ss.spawns[sp.Child]
	now := spawn{
		Context: bind.Context{Index: st.index[sp.Thread], Arc: sp.Arc, Nth: nthOf(sp.Arc), Seq: sp.CallSeq, Known: sp.CallSeq},
		parent:  sp.Thread.Name, file: st.at.File,
	}
	if known && cmp.Or(cmp.Compare(old.file, now.file), cmp.Compare(old.Seq, now.Seq)) <= 0 {
		return
	}
	ss.spawns[sp.Child], st.isReferenced = now, true
	if known { // edits that wait for another thread may have been traced through the old call
		waiting := ss.waiting
		ss.waiting = map[string][]pendingEdit{}
		for _, name := range slices.Sorted(maps.Keys(waiting)) {
			s.bindSubagentEdits(ss, waiting[name])
		}
		return
	}
	waiting := ss.waiting[sp.Child]
	delete(ss.waiting, sp.Child)
	s.bindSubagentEdits(ss, waiting)
}

// nthOf returns the Nth of an arc, 0 before the first human turn.
func nthOf(arc *segment.Arc) int {
	if arc == nil {
		return 0
	}
	return arc.Nth
}

// bindSubagentEdits binds edits that waited for a call.
func (s *Set) bindSubagentEdits(ss *session, waiting []pendingEdit) {
	for _, w := range waiting {
		s.bindSubagentEdit(ss, w)
	}
}

const (
	// maxDepth is how many levels of subagents are followed.
	maxDepth = 64
	// nowhere is not the name of any thread. Edits of subagents that are deeper, or that
	// started each other in a cycle, wait for it for ever.
	nowhere = "\x00"
)

// origin returns the point from which a subagent's edits are bound: the call that started
// it or, if another subagent made that call, the call that started that one. If it is not
// known, missing is the thread whose start is needed next.
func (ss *session) origin(thread string) (from bind.Context, missing string) {
	for range maxDepth {
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
