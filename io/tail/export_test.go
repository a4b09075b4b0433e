package tail

import (
	"time"

	"github.com/fsnotify/fsnotify"
)

// Queue is a queue of files by their names.
type Queue struct {
	queue queue
	files map[string]*file
}

// Push adds a file.
func (q *Queue) Push(name string, urgent bool) {
	if q.files == nil {
		q.files = map[string]*file{}
	}
	if q.files[name] == nil {
		q.files[name] = &file{path: name}
	}
	q.queue.push(q.files[name], urgent)
}

// Pop removes the next file; "" is none.
func (q *Queue) Pop() string {
	if f, _ := q.queue.pop(); f != nil {
		return f.path
	}
	return ""
}

// Interval is the time between scans after so many that found nothing, the last of which
// took so long; notified says whether the system sends notifications.
func Interval(notified bool, unchanged int, took time.Duration) time.Duration {
	w := &watcher{isPartial: !notified, notify: &fsnotify.Watcher{}}
	for range unchanged {
		w.scanned(false, took)
	}
	return w.interval()
}
