package capture

import (
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/core"
)

// session identifies a session of a tool.
type session struct {
	tool core.Tool
	id   string
}

// early is an encoded event that waits until the project is known.
type early struct {
	echoOf session // zero if it is not an echo
	line   []byte
}

// waitingEcho is an echo in Options.Echoes.
type waitingEcho struct {
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
	if s.mustWait(ev) {
		s.early = append(s.early, early{of, slices.Clone(c.event)})
		s.earlyBytes += len(c.event)
		return
	}
	s.writeEarly()
	c.write(of, c.event)
	if cap(c.event) > batchSize {
		c.event = nil
	}
}

// echoOf returns the session of an echo that must wait, else the zero session. For turns that
// are not echoes it records that the session's own transcript was read. Other events do not
// show that, since a store may keep them longer than the transcript.
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
		c.hasTranscript[of] = true
	}
	return session{}
}

// mustWait reports whether it is not known yet if an event is excluded: the records before
// the first turn of a session may not name the project.
func (s *Stream) mustWait(ev *core.Event) bool {
	switch ev.Body.(type) {
	case *core.SessionStart, *core.Unknown:
		_, known := s.stream.IsExcluded()
		return !known && s.earlyBytes < maxEarly
	}
	return false
}

// writeEarly writes the events that waited for an echo, which did not come.
func (s *Stream) writeEarly() {
	for _, e := range s.early {
		s.capture.write(e.echoOf, e.line)
	}
	s.early, s.earlyBytes = nil, 0
}

// write writes an encoded event, or stores an echo.
func (c *Capture) write(echoOf session, line []byte) {
	if c.failed != nil {
		return
	}
	if echoOf != (session{}) {
		at, err := c.options.Echoes.Put(string(line))
		if err != nil {
			c.failed = fmt.Errorf("keep events: %w", err)
		}
		c.echoes = append(c.echoes, waitingEcho{echoOf, at, len(line)})
		return
	}
	if _, err := c.options.Events.Write(line); err != nil {
		c.failed = fmt.Errorf("write events: %w", err)
	}
}

// writeEchoes writes the stored echoes of sessions whose own transcript was not read.
func (c *Capture) writeEchoes() {
	for _, a := range c.echoes {
		if c.hasTranscript[a.of] || c.failed != nil {
			continue
		}
		line, err := c.options.Echoes.Get(a.at, a.size)
		if err != nil {
			c.failed = fmt.Errorf("keep events: %w", err)
			return
		}
		c.write(session{}, []byte(line))
	}
	c.echoes = nil
}
