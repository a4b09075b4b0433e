package tail

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
