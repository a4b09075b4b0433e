package encode

// What was cut from one string of a node or an event is cut from all others ([cut.Echoes]):
// where something was, all is encoded once more.

// maxScratch is how much scratch memory is kept for strings to come. What a longer one needs is
// given back while others are written.
const maxScratch = 1 << 20

// begin readies the encoder for a node or an event.
func (e *Encoder) begin() {
	e.err, e.again, e.own = nil, false, false
	e.unjudge()
}

// end forgets what belongs to the node or event alone, which may be large.
func (e *Encoder) end() {
	e.echoes.Forget()
	e.forget()
	e.trim()
	for i := range e.judged {
		if j := &e.judged[i]; e.own && j.used {
			*j = judgement{}
		}
	}
}

// trim gives scratch memory back that was needed for a long string.
func (e *Encoder) trim() {
	if cap(e.scratch) > maxScratch {
		e.scratch = nil
	}
}

// repeat reports whether what was encoded must be encoded again, now that it is
// known what is secret in it.
// It is asked once for each node; the second time is the last.
func (e *Encoder) repeat() bool {
	if !e.echoes.Any() || e.err != nil || e.again {
		return false
	}
	e.forget()
	e.again = true
	return true
}
