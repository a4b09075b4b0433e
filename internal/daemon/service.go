package daemon

import "context"

// State is what the service manager says about the service.
type State string

// The states of a service.
const (
	Running State = "running"
	Stopped State = "stopped"
	Absent  State = "not installed"
)

// worker runs work in a goroutine between a service manager's calls of start and stop. Each is
// called once, start first; err is set when done is closed.
type worker struct {
	ctx    context.Context //nolint:containedctx // what a service manager calls has no context
	work   func(context.Context) error
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// start runs the work in a goroutine. It returns at once, as service managers want.
func (w *worker) start() {
	ctx, cancel := context.WithCancel(w.ctx)
	w.cancel, w.done = cancel, make(chan struct{})
	go func() {
		defer close(w.done)
		w.err = w.work(ctx)
	}()
}

// stop ends the work and waits for it.
func (w *worker) stop() {
	w.cancel()
	<-w.done
}
