package tail

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How often everything is looked at, notified or not: the longer nothing is
// found, the less often, down to the slowest.
const (
	notifiedFirst, notifiedLast     = 30 * time.Second, 2 * time.Minute // notifications get lost
	unnotifiedFirst, unnotifiedLast = 500 * time.Millisecond, 30 * time.Second
)

// watcher says which files may have changed. A nil watcher knows nothing.
type watcher struct {
	notify *fsnotify.Watcher // nil: the system cannot
	log    *slog.Logger
	partly bool // some folders could not be added
	losses int  // notifications were lost so often
	quiet  int  // so many scans have found nothing
}

// newWatcher returns a watcher of no folder yet. Where the system has no notifications
// left, it gives none, and the clock alone finds what is new.
func newWatcher(log *slog.Logger) *watcher {
	w := &watcher{log: log}
	var err error
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		log.Warn("no notifications about files; looking every so often", slog.Any("error", err))
		w.notify = nil
	}
	return w
}

// close stops the notifications.
func (w *watcher) close() {
	if w.notify != nil {
		w.notify.Close()
	}
}

// scanned notes what a scan has found.
func (w *watcher) scanned(changed bool) {
	switch {
	case w == nil:
	case changed:
		w.quiet = 0
	default:
		w.quiet++
	}
}

// interval is how long to wait before everything is looked at all the same.
func (w *watcher) interval() time.Duration {
	first, last := notifiedFirst, notifiedLast
	if w.notify == nil || w.partly {
		first, last = unnotifiedFirst, unnotifiedLast
	}
	return min(first<<min(w.quiet, 8), last)
}

// lost notes that notifications were lost, and says so once.
func (w *watcher) lost(err error) {
	say := w.log.Debug
	if w.losses == 0 {
		say = w.log.Warn
	}
	w.losses++
	say("notifications were lost; looking at everything", slog.Any("error", err))
}

// events returns the channel of notifications; nil, which never receives, without
// any.
func (w *watcher) events() <-chan fsnotify.Event {
	if w == nil || w.notify == nil {
		return nil
	}
	return w.notify.Events
}

// errors returns the channel of errors; nil without notifications.
func (w *watcher) errors() <-chan error {
	if w == nil || w.notify == nil {
		return nil
	}
	return w.notify.Errors
}

// burst is how many notifications are taken at a time.
const burst = 4096

func sorted(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

// paths are those of a notification and of all that have come since, sorted and
// each once.
func (w *watcher) paths(e fsnotify.Event) []string {
	var paths []string
	for {
		if e.Op != fsnotify.Chmod {
			paths = append(paths, e.Name)
		}
		if len(paths) == burst {
			return sorted(paths)
		}
		select {
		case e = <-w.notify.Events:
		default:
			return sorted(paths)
		}
	}
}

// add asks for notifications about the files in a folder. The system forgets
// folders that are removed, so it is asked again each time.
func (w *watcher) add(dir string) {
	if w == nil || w.notify == nil {
		return
	}
	if err := w.notify.Add(dir); err != nil && !w.partly {
		w.partly = true
		w.log.Warn("no notifications about some folders; looking every so often",
			slog.String("folder", dir), slog.Any("error", err))
	}
}

// addExisting adds the folder around dir that exists, if dir does not: to hear
// of its making.
func (w *watcher) addExisting(dir string) {
	if w == nil {
		return
	}
	for {
		if _, err := os.Stat(dir); err == nil {
			w.add(dir)
			return
		}
		up := filepath.Dir(dir)
		if up == dir {
			return
		}
		dir = up
	}
}
