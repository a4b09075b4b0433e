package tail

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
)

// scan walks all roots and queues what has changed. Deleted files are ended before new ones
// are read, so that a moved file is not two files at a time.
func (s *Source) scan(ctx context.Context, c Consumer) error {
	began := s.now()
	if s.files == nil {
		s.files = map[string]*file{}
	}
	s.dirs, s.added = map[string]struct{}{}, false
	for _, f := range s.files {
		f.isSeen = false
	}
	w := &discover.Walk{Follow: s.FollowLinks, Store: s.IsStore, Left: s.reportLink}
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
	w.Forget()
	s.watcher.scanned(changed, s.now().Sub(began))
	return s.endMissing(ctx, c)
}

// now returns the time, always the same without a clock.
func (s *Source) now() time.Time {
	if s.Clock == nil {
		return time.Time{}
	}
	return s.Clock()
}

// reportLink reports a link that is not followed, once.
func (s *Source) reportLink(path string) {
	if _, known := s.reportedLinks[path]; known || s.Left == nil {
		return
	}
	if s.reportedLinks == nil {
		s.reportedLinks = map[string]struct{}{}
	}
	s.reportedLinks[path] = struct{}{}
	s.Left(path)
}

// scanRoot walks a root and reports whether anything has changed.
func (s *Source) scanRoot(w *discover.Walk, r *discover.Root) (changed bool) {
	s.watcher.addExisting(r.Dir)
	w.Enter = func(path, rel string) bool {
		if !r.Enter(rel) {
			return false
		}
		s.dirs[path] = struct{}{}
		s.watcher.add(path) // before it is read, so that no change is missed
		return true
	}
	w.Holds = r.Holds
	for f, err := range w.Files(r.Dir) {
		switch {
		case err != nil:
			s.unreadable(f, err)
		case s.keptBy(f.Path) == nil:
			changed = s.enqueueIfChanged(f, r.Adapter, false) || changed
		}
	}
	return changed
}

// unreadable reports a file or folder that cannot be read. It counts as seen, not as deleted.
func (s *Source) unreadable(f discover.File, err error) {
	if f.Rel == "." && errors.Is(err, fs.ErrNotExist) {
		return // the tool is not used here, or not yet
	}
	x := s.file(f.Path, nil)
	x.isSeen = true
	s.failed(x, err)
}

// enqueueIfChanged queues a file that may have changed.
func (s *Source) enqueueIfChanged(found discover.File, place core.Adapter, urgent bool) (changed bool) {
	f := s.file(found.Path, place)
	f.isSeen, f.isLinked = true, !discover.HasOneName(found.Info)
	stamp, ok := discover.StampOf(found)
	switch {
	case f.isKept && !urgent && !s.Keeper.HasMoved(f.path):
		return false
	case !f.isKept && ok && f.isDone && stamp == f.stamp:
		return false
	}
	s.queue.push(f, urgent)
	return true
}

// endMissing ends files that were deleted.
func (s *Source) endMissing(ctx context.Context, c Consumer) error {
	for _, f := range s.sorted() {
		if f.isSeen {
			continue
		}
		if err := s.endFile(ctx, f, c); err != nil {
			return err
		}
	}
	return nil
}

// endFile ends a deleted file.
func (s *Source) endFile(ctx context.Context, f *file, c Consumer) error {
	delete(s.files, f.path)
	f.isQueued = false
	f.packed.close()
	f.packed = nil
	if f.isKept {
		return s.Keeper.End(f.path, true)
	}
	return c.Take(ctx, f.chunk(Chunk{End: true, Gone: true}))
}

// changed queues the files of a notification and those after it.
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
			if err = s.endFile(ctx, f, c); err != nil {
				return err
			}
		case err != nil && f == nil && !wasFolder: // created and deleted
		case err == nil && info.Mode().IsRegular() && (f != nil || discover.HasOneName(info)):
			come = append(come, discover.File{Path: path, Info: info})
		default: // other files may have changed with it
			return s.scan(ctx, c)
		}
	}
	for _, f := range come {
		if r, ok := s.rootOf(f.Path); ok {
			s.enqueueIfChanged(f, r.Adapter, true)
		}
	}
	return nil
}

// isAlone reports whether a file has no other names. Otherwise a scan must find them when
// this one is deleted.
func (s *Source) isAlone(f *file) bool { return !f.isLinked }

// rootOf returns the root of a file.
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

// concerns reports whether an unknown path may lead to a transcript.
func (s *Source) concerns(path string) bool {
	for i := range s.Roots {
		r := &s.Roots[i]
		if within(path, r.Dir) {
			return true // a root or its parent
		}
		rel, err := filepath.Rel(r.Dir, path)
		if rel = filepath.ToSlash(rel); err == nil && (r.Holds(rel) || r.Enter(rel)) {
			return true
		}
	}
	return false
}

// within reports whether path is dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
