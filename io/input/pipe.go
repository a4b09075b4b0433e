package input

import (
	"io/fs"
	"os"
	"sync"
)

// pipe is a file that is opened when it is first read. Opening a named pipe waits for a writer,
// and only a read can be interrupted.
type pipe struct {
	path string

	mu     sync.Mutex
	file   *os.File
	err    error
	closed bool
}

// Read opens the file first, if necessary. It must not be called concurrently.
func (p *pipe) Read(b []byte) (int, error) {
	f, err := p.opened()
	if err != nil {
		return 0, err
	}
	return f.Read(b)
}

// opened returns the open file.
func (p *pipe) opened() (*os.File, error) {
	p.mu.Lock()
	f, err := p.file, p.err
	p.mu.Unlock()
	if f != nil || err != nil {
		return f, err
	}
	f, err = os.Open(p.path) // may wait forever
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && p.closed {
		f.Close()
		f, err = nil, fs.ErrClosed
	}
	p.file, p.err = f, err
	return f, err
}

// Close closes the file. A waiting Read then fails.
func (p *pipe) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.file == nil {
		return nil
	}
	return p.file.Close()
}
