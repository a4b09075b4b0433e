package capture

import (
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/core"
)

// session names a session of a tool.
type session struct {
	tool core.Tool
	id   string
}

// early is an event that is encoded and waits for its project to be known.
type early struct {
	echoOf session // the zero value: it is no echo
	line   []byte
}

// aside is an echo that waits on the shelf.
type aside struct {
	of   session
	at   int64
	size int
}

// event writes an event.
func (s *Stream) event(ev *core.Event) {
	c := s.capture
	if c.failed != nil || s.isStopped() {
		return
	}
	out, err := c.options.Encoder.Event(c.event[:0], ev)
	if err != nil {
		c.stop(s.name, ev.Seq, []core.Location{ev.At}, fmt.Errorf("redact: %w", err))
		return
	}
	c.event = append(out, '\n')
	of := c.echoOf(ev)
	if s.waits(ev) {
		s.early = append(s.early, early{of, slices.Clone(c.event)})
		s.waiting += len(c.event)
		return
	}
	s.writeEarly()
	c.write(of, c.event)
}

// echoOf is the session of an echo that has to wait. Of other events it notes that
// their session's own transcript told of it, if they are turns: what else stands in
// a store may outlive the transcript.
func (c *Capture) echoOf(ev *core.Event) session {
	of := session{ev.Source, ev.Session}
	switch {
	case c.options.Echoes == nil:
		return session{}
	case ev.Echo:
		return of
	}
	switch ev.Body.(type) {
	case *core.UserTurn, *core.AssistantTurn:
		c.told[of] = true
	}
	return session{}
}

// waits reports whether it is not known yet if an event is left out: what stands
// before the first word of a session need not name the project.
func (s *Stream) waits(ev *core.Event) bool {
	switch ev.Body.(type) {
	case *core.SessionStart, *core.Unknown:
		_, known := s.stream.IsExcluded()
		return !known && s.waiting < maxEarly
	}
	return false
}

func (s *Stream) writeEarly() {
	for _, e := range s.early {
		s.capture.write(e.echoOf, e.line)
	}
	s.early, s.waiting = nil, 0
}

// write writes an encoded event, or puts it aside.
func (c *Capture) write(echoOf session, line []byte) {
	if c.failed != nil {
		return
	}
	if echoOf != (session{}) {
		at, err := c.options.Echoes.Put(string(line))
		if err != nil {
			c.failed = fmt.Errorf("keep events: %w", err)
		}
		c.asides = append(c.asides, aside{echoOf, at, len(line)})
		return
	}
	if _, err := c.options.Events.Write(line); err != nil {
		c.failed = fmt.Errorf("write events: %w", err)
	}
}

// writeAsides writes the echoes that were put aside, but those of sessions whose
// own transcripts told the same.
func (c *Capture) writeAsides() {
	for _, a := range c.asides {
		if c.told[a.of] || c.failed != nil {
			continue
		}
		line, err := c.options.Echoes.Get(a.at, a.size)
		if err != nil {
			c.failed = fmt.Errorf("keep events: %w", err)
			return
		}
		c.write(session{}, []byte(line))
	}
	c.asides = nil
}
