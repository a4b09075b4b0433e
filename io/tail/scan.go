package tail

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
)

// scan looks at everything: it notes what has changed, and ends what is gone
// before it reads what has come, so that a file that was moved is one file.
func (s *Source) scan(ctx context.Context, c Consumer) error {
	if s.files == nil {
		s.files = map[string]*file{}
	}
	s.dirs, s.added = map[string]struct{}{}, false
	for _, f := range s.files {
		f.seen = false
	}
	w := &discover.Walk{Follow: s.FollowLinks, Store: s.IsStore, Left: s.leave}
	for _, r := range s.Roots {
		w.Roots = append(w.Roots, r.Dir)
	}
	s.walk = w
	changed := false
	for i := range s.Roots {
		if err := ctx.Err(); err != nil {
			return err
		}
		changed = s.scanRoot(w, &s.Roots[i]) || changed
	}
	s.watcher.scanned(changed)
	return s.gone(ctx, c)
}

// leave notes a link that is not followed.
func (s *Source) leave(path string) {
	if _, known := s.left[path]; known || s.Left == nil {
		return
	}
	if s.left == nil {
		s.left = map[string]struct{}{}
	}
	s.left[path] = struct{}{}
	s.Left(path)
}

// scanRoot looks at what is below a root and reports whether anything has
// changed.
func (s *Source) scanRoot(w *discover.Walk, r *discover.Root) (changed bool) {
	s.watcher.addExisting(r.Dir)
	w.Enter = func(path, rel string) bool {
		if !r.Enter(rel) {
			return false
		}
		s.dirs[path] = struct{}{}
		s.watcher.add(path) // before it is read, so that nothing is missed
		return true
	}
	w.Holds = r.Holds
	for f, err := range w.Files(r.Dir) {
		switch {
		case err != nil:
			s.unreadable(f, err)
		case s.keptBy(f.Path) == nil:
			changed = s.look(f, r.Adapter, false) || changed
		}
	}
	return changed
}

// unreadable notes a file or folder that cannot be looked at. It counts as seen: what
// cannot be read is not taken for gone.
func (s *Source) unreadable(f discover.File, err error) {
	if f.Rel == "." && errors.Is(err, fs.ErrNotExist) {
		return // the tool is not used here, or not yet
	}
	x := s.file(f.Path, nil)
	x.seen = true
	s.failed(x, err)
}

// look notes a file that has to be read.
func (s *Source) look(found discover.File, place core.Adapter, urgent bool) (changed bool) {
	f := s.file(found.Path, place)
	f.seen, f.linked = true, !discover.HasOneName(found.Info)
	stamp, ok := discover.StampOf(found)
	switch {
	case f.kept && !urgent && !s.Keeper.HasMoved(f.path):
		return false
	case !f.kept && ok && f.done && stamp == f.stamp:
		return false
	}
	s.queue.push(f, urgent)
	return true
}

// gone ends files that are no longer there.
func (s *Source) gone(ctx context.Context, c Consumer) error {
	for _, f := range s.sorted() {
		if f.seen {
			continue
		}
		if err := s.vanish(ctx, f, c); err != nil {
			return err
		}
	}
	return nil
}

// vanish tells the consumer that a file is gone.
func (s *Source) vanish(ctx context.Context, f *file, c Consumer) error {
	delete(s.files, f.path)
	f.queued = false
	f.packed.close()
	f.packed = nil
	if f.kept {
		return s.Keeper.End(f.path, true)
	}
	return c.Take(ctx, f.chunk(Chunk{End: true, Gone: true}))
}

// changed looks at the files for which notifications have come.
func (s *Source) changed(ctx context.Context, c Consumer, first fsnotify.Event) error {
	var come []discover.File
	for _, path := range s.watcher.paths(first) {
		if kept := s.keptBy(path); kept != nil {
			s.queue.push(kept, true)
			continue
		}
		f := s.files[path]
		if f == nil && !s.concerns(path) {
			continue
		}
		info, err := os.Lstat(path)
		_, wasFolder := s.dirs[path]
		switch {
		case err != nil && f != nil && !wasFolder && s.isAlone(f):
			if err = s.vanish(ctx, f, c); err != nil {
				return err
			}
		case err != nil && f == nil && !wasFolder: // it came and went
		case err == nil && info.Mode().IsRegular() && (f != nil || discover.HasOneName(info)):
			come = append(come, discover.File{Path: path, Info: info})
		default: // anything may have come or gone with it
			return s.scan(ctx, c)
		}
	}
	for _, f := range come {
		if r, ok := s.rootOf(f.Path); ok {
			s.look(f, r.Adapter, true)
		}
	}
	return nil
}

// isAlone reports whether no other name of a file can come to light when this
// one is gone. That a file has several, a scan finds out.
func (s *Source) isAlone(f *file) bool { return !f.linked }

// rootOf finds the root to which a file belongs.
func (s *Source) rootOf(path string) (*discover.Root, bool) {
	for i := range s.Roots {
		r := &s.Roots[i]
		rel, err := filepath.Rel(r.Dir, path)
		if err == nil && filepath.IsLocal(rel) && r.Holds(filepath.ToSlash(rel)) {
			return r, true
		}
	}
	return nil, false
}

// concerns reports whether a path that is not known may lead to a transcript.
func (s *Source) concerns(path string) bool {
	for i := range s.Roots {
		r := &s.Roots[i]
		if within(path, r.Dir) {
			return true // a root, or what lies above one
		}
		rel, err := filepath.Rel(r.Dir, path)
		if rel = filepath.ToSlash(rel); err == nil && (r.Holds(rel) || r.Enter(rel)) {
			return true
		}
	}
	return false
}

// within reports whether path is dir or lies below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
