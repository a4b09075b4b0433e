package encode

// What was cut from one string of a node or an event is cut from all others ([cut.Echoes]):
// where something was, all is encoded once more.

// begin readies the encoder for a node or an event.
func (e *Encoder) begin() {
	e.err, e.again = nil, false
	e.echoes.Forget()
	e.forget()
	e.unjudge()
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
