package interrupt

import (
	"context"
	"io"
)

// Reader returns a reader of r whose Read returns the error of ctx when ctx ends. Reading
// a pipe can take forever, and the system cannot be asked to break it off; what such a
// Read returns after ctx has ended is lost.
func Reader(ctx context.Context, r io.Reader) io.Reader { return &reader{ctx, r} }

// reader is a reader whose reads end with a context. A terminal or a pipe can block a read for
// ever, and the read itself cannot be cancelled.
type reader struct {
	ctx context.Context //nolint:containedctx // an io.Reader has no other way to learn of it
	r   io.Reader
}

// Read reads in a goroutine of its own and returns as soon as either the data or the
// end of the context is there. A read that never returns keeps its goroutine and its
// buffer, which no one else uses.
func (i *reader) Read(p []byte) (int, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		buf := make([]byte, len(p))
		n, err := i.r.Read(buf)
		done <- result{buf[:n], err}
	}()
	select {
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	case r := <-done:
		return copy(p, r.data), r.err
	}
}
