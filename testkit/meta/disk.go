package meta

import (
	"context"
	"errors"
	"maps"
	"strconv"

	"github.com/memscribe/memscribe/internal/sink"
)

// errRefused is what a sink says now and then.
var errRefused = errors.New("no space left on device")

// disk is a sink whose store loses what was not flushed when the program is
// killed.
type disk struct {
	durable, written map[string]string
	marks            int
	mark             int // at the last Flush
	refuse           func() bool
}

func newDisk() *disk {
	return &disk{durable: map[string]string{}, written: map[string]string{}, refuse: func() bool { return false }}
}

// crash is what a loss of power leaves.
func (d *disk) crash() { d.written = maps.Clone(d.durable) }

// Apply implements [sink.Sink].
func (d *disk) Apply(_ context.Context, lines []sink.Line) error {
	if d.refuse() {
		return errRefused
	}
	for i := range lines {
		d.written[lines[i].ID] = string(lines[i].JSON)
	}
	return nil
}

// Flush implements [sink.Sink].
func (d *disk) Flush(context.Context) error {
	if d.refuse() {
		return errRefused
	}
	d.durable = maps.Clone(d.written)
	d.marks++
	d.mark = d.marks
	return nil
}

// Close implements [sink.Sink].
func (d *disk) Close() error { return nil }

// Mark implements [sink.Marker].
func (d *disk) Mark() string { return strconv.Itoa(d.mark) }

// Holds implements [sink.Marker].
func (d *disk) Holds(mark string) bool {
	n, err := strconv.Atoi(mark)
	return err == nil && n <= d.marks
}
