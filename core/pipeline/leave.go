package pipeline

import "github.com/memscribe/memscribe/core"

// Subject is what may be left out of a capture.
type Subject struct {
	Tool    core.Tool
	Project *core.Project // nil: of no project that is known
	Path    string        // of an edited file, or, without a project, of a transcript; "" is the session itself
}

// leaving says what of a stream is left out. A session that begins in a project
// that is left out is left out whole; later, each event is judged by itself.
type leaving struct {
	judge   func(Subject) bool // nil: nothing is
	project *core.Project      // the last one that was judged
	here    bool               // it is left out
	begun   bool               // a project was judged
	all     bool               // the first one is left out
}

// open judges a transcript by its own place.
func (l *leaving) open(tool core.Tool, file string) {
	if l.judge != nil && file != "" && l.judge(Subject{Tool: tool, Path: file}) {
		l.all, l.begun = true, true
	}
}

// out reports whether an event is left out.
func (l *leaving) out(ev *core.Event) bool {
	if l.judge == nil || l.all {
		return l.all
	}
	if p := ev.Project; p != nil && p != l.project {
		l.project = p
		l.here = l.judge(Subject{Tool: ev.Source, Project: p})
		l.all = l.here && !l.begun
		l.begun = true
	}
	if l.here {
		return true
	}
	edit, ok := ev.Body.(*core.FileEdit)
	return ok && l.judge(Subject{Tool: ev.Source, Project: ev.Project, Path: edit.Diff.Path})
}

// IsLeftOut reports whether the stream's session is left out, as far as it has
// been read, and whether that is known by now.
func (s *Stream) IsLeftOut() (out, known bool) {
	return s.leaving.all, s.leaving.begun || s.leaving.judge == nil
}
