package pipeline

import "github.com/memscribe/memscribe/core"

// Subject is something that can be excluded from a capture.
type Subject struct {
	Tool    core.Tool
	Project *core.Project // nil if unknown
	// of an edited file or, without a project, of a transcript; "" is the session itself
	Path string
}

// exclusion decides which events of a stream are excluded. A session that begins in an
// excluded project is excluded completely; otherwise each event is judged by itself.
type exclusion struct {
	isExcluded      func(Subject) bool // nil if nothing is
	project         *core.Project      // the last one that was judged
	excludesProject bool               // the last project is excluded
	isJudged        bool               // a project was judged
	excludesAll     bool               // the first project is excluded
}

// open judges a transcript by its path.
func (l *exclusion) open(tool core.Tool, file string) {
	if l.isExcluded != nil && file != "" && l.isExcluded(Subject{Tool: tool, Path: file}) {
		l.excludesAll, l.isJudged = true, true
	}
}

// excludes reports whether an event is excluded.
func (l *exclusion) excludes(ev *core.Event) bool {
	if l.isExcluded == nil || l.excludesAll {
		return l.excludesAll
	}
	if p := ev.Project; p != nil && p != l.project {
		l.project = p
		l.excludesProject = l.isExcluded(Subject{Tool: ev.Source, Project: p})
		l.excludesAll = l.excludesProject && !l.isJudged
		l.isJudged = true
	}
	if l.excludesProject {
		return true
	}
	edit, ok := ev.Body.(*core.FileEdit)
	return ok && l.isExcluded(Subject{Tool: ev.Source, Project: ev.Project, Path: edit.Diff.Path})
}

// IsExcluded reports whether the whole session is excluded, and whether that is known yet.
func (s *Stream) IsExcluded() (out, known bool) {
	return s.exclusion.excludesAll, s.exclusion.isJudged || s.exclusion.isExcluded == nil
}
