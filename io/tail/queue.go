package tail

// queue is the files that have to be looked at: first those for which a
// notification has come, then the others, each in the order in which they came. A
// file that is written to without end is always urgent: after every eight of these
// it is the turn of another.
type queue struct {
	urgent, others []*file
	row            int // urgent ones since the last of the others
}

// maxRow is how many urgent files are read in a row while others wait.
const maxRow = 8

// push adds a file, unless it waits already.
func (q *queue) push(f *file, urgent bool) {
	if f.queued {
		if urgent { // it may stand in both: the first time counts
			q.urgent = append(q.urgent, f)
		}
		return
	}
	f.queued = true
	if urgent {
		q.urgent = append(q.urgent, f)
		return
	}
	q.others = append(q.others, f)
}

// pop removes the next file; nil is none. Last says that it was the last urgent
// one.
func (q *queue) pop() (f *file, last bool) {
	for q.row < maxRow && f == nil && len(q.urgent) > 0 {
		f, last = popFirst(&q.urgent), len(q.urgent) == 0
	}
	if f != nil {
		q.row++
		return f, last
	}
	q.row = 0
	for f == nil && len(q.others) > 0 {
		f = popFirst(&q.others)
	}
	if f == nil && len(q.urgent) > 0 {
		return q.pop()
	}
	return f, false
}

func (q *queue) isEmpty() bool { return len(q.urgent)+len(q.others) == 0 }

// popFirst removes the first file, which is nil if it has been looked at since
// it was added.
func popFirst(files *[]*file) *file {
	f := (*files)[0]
	(*files)[0] = nil
	if *files = (*files)[1:]; len(*files) == 0 {
		*files = nil
	}
	if !f.queued {
		return nil
	}
	f.queued = false
	return f
}
