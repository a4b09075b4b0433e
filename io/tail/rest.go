package tail

import "time"

// quietTime is for how long nothing must have been read before [Source.Rest] is called.
const quietTime = 5 * time.Second

// rest calls [Source.Rest]. Its clock is set only when there is something to read, so that it
// does not wake an idle process.
type rest struct {
	do    func()
	quiet <-chan time.Time
	clock *time.Timer // nil if quiet is that of the Source
	due   bool        // something was read since do was called
}

// newRest returns the rest of a Source, whose clock runs.
func (s *Source) newRest() *rest {
	r := &rest{do: s.Rest, quiet: s.Quiet, due: s.Rest != nil}
	if r.due && r.quiet == nil {
		r.clock = time.NewTimer(quietTime)
		r.quiet = r.clock.C
	}
	return r
}

// wait sets the clock again if there is something to read.
func (r *rest) wait(reads bool) {
	if !reads || r.do == nil {
		return
	}
	r.due = true
	if r.clock != nil {
		r.clock.Reset(quietTime)
	}
}

// end is called when the clock has run out. It calls do if that is due.
func (r *rest) end() {
	if r.due {
		r.due = false
		r.do()
	}
}

// stop stops the clock.
func (r *rest) stop() {
	if r.clock != nil {
		r.clock.Stop()
	}
}
