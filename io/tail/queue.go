package tail

// queue is the files to be read: first the urgent ones, which have a notification, then the
// others, each first in, first out. After eight urgent files comes one of the others, since
// some files are always being written.
type queue struct {
	urgent, others []*file
	urgentInRow    int // urgent files since the last of the others
}

// maxRow is how many urgent files are read in a row while others wait.
const maxUrgentInRow = 8

// push adds a file unless it is queued.
func (q *queue) push(f *file, urgent bool) {
	if f.isQueued {
		if urgent { // it may be in both lists: the first position counts
			q.urgent = append(q.urgent, f)
		}
		return
	}
	f.isQueued = true
	if urgent {
		q.urgent = append(q.urgent, f)
		return
	}
	q.others = append(q.others, f)
}

// pop removes the next file, or returns nil. Last says that it was the last urgent one.
func (q *queue) pop() (f *file, last bool) {
	for q.urgentInRow < maxUrgentInRow && f == nil && len(q.urgent) > 0 {
		f, last = popFirst(&q.urgent), len(q.urgent) == 0
	}
	if f != nil {
		q.urgentInRow++
		return f, last
	}
	q.urgentInRow = 0
	for f == nil && len(q.others) > 0 {
		f = popFirst(&q.others)
	}
	if f == nil && len(q.urgent) > 0 {
		return q.pop()
	}
	return f, false
}

// isEmpty reports whether no file waits.
func (q *queue) isEmpty() bool { return len(q.urgent)+len(q.others) == 0 }

// popFirst removes the first file. It returns nil if the file was read since it was added.
func popFirst(files *[]*file) *file {
	f := (*files)[0]
	(*files)[0] = nil
	if *files = (*files)[1:]; len(*files) == 0 {
		*files = nil
	}
	if !f.isQueued {
		return nil
	}
	f.isQueued = false
	return f
}
