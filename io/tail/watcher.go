package tail

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How often everything is scanned, with and without notifications. The interval doubles
// while scans find nothing, up to the last. With notifications it is at least 5,000 times
// what a scan took, up to the longest: scans of 20,000 files take a fiftieth of a percent of
// a processor.
const (
	// in case notifications are lost
	notifiedFirst, notifiedLast     = 30 * time.Second, 2 * time.Minute
	notifiedLongest, notifiedShare  = 10 * time.Minute, 5000
	unnotifiedFirst, unnotifiedLast = 500 * time.Millisecond, 30 * time.Second
)

// watcher receives notifications of changed files. A nil watcher receives none.
type watcher struct {
	notify         *fsnotify.Watcher // nil if the system has none
	log            *slog.Logger
	isPartial      bool // some folders could not be added
	losses         int  // how often notifications were lost
	unchangedScans int  // scans in a row that found nothing

	lastScan time.Duration // how long it took
}

// newWatcher returns a watcher without folders. If the system has no notifications left, only
// the clock triggers scans.
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

// scanned records whether a scan has found changes, and how long it took.
func (w *watcher) scanned(changed bool, took time.Duration) {
	if w == nil {
		return
	}
	if w.lastScan = took; changed {
		w.unchangedScans = 0
	} else {
		w.unchangedScans++
	}
}

// interval returns the time until the next scan.
func (w *watcher) interval() time.Duration {
	if w.notify == nil || w.isPartial {
		return min(unnotifiedFirst<<min(w.unchangedScans, 8), unnotifiedLast)
	}
	often := min(notifiedFirst<<min(w.unchangedScans, 8), notifiedLast)
	return max(often, min(w.lastScan*notifiedShare, notifiedLongest))
}

// lost records that notifications were lost, and warns once.
func (w *watcher) lost(err error) {
	say := w.log.Debug
	if w.losses == 0 {
		say = w.log.Warn
	}
	w.losses++
	say("notifications were lost; looking at everything", slog.Any("error", err))
}

// events returns the channel of notifications, or nil, which never receives.
func (w *watcher) events() <-chan fsnotify.Event {
	if w == nil || w.notify == nil {
		return nil
	}
	return w.notify.Events
}

// errors returns the channel of errors, or nil.
func (w *watcher) errors() <-chan error {
	if w == nil || w.notify == nil {
		return nil
	}
	return w.notify.Errors
}

// burst is how many notifications are handled at a time; what comes beyond waits in the channel.
const burst = 4096

// sorted sorts paths and drops those that are there twice.
func sorted(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

// paths returns the paths of a notification and of those that follow it, sorted and unique.
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

// add requests notifications for a folder. Each scan repeats it, since the system forgets
// folders that are removed.
func (w *watcher) add(dir string) {
	if w == nil || w.notify == nil {
		return
	}
	if err := w.notify.Add(dir); err != nil && !w.isPartial {
		w.isPartial = true
		w.log.Warn("no notifications about some folders; looking every so often",
			slog.String("folder", dir), slog.Any("error", err))
	}
}

// addExisting adds dir or, if it does not exist, its nearest existing parent, to be notified
// when dir is created.
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
