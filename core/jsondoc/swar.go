package jsondoc

// Eight bytes are looked at together, as the bytes of one word, the first of
// them lowest. A question about each of them is answered in its highest bit.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	lows  = 0x7f * ones
)

// special asks which bytes of w are a quote, a backslash or a control
// character. The lowest bit set is right, and no bit is set when there is none;
// above the lowest the answer means nothing, which makes it cheaper than plain.
//
// Flipping bit 1 sends the quote to 0x20 and leaves the control characters
// below, so that one comparison finds both. A byte beyond ASCII is not special.
func special(w uint64) uint64 {
	quote := (w ^ 0x02*ones) - 0x21*ones
	slash := (w ^ '\\'*ones) - 0x01*ones
	return (quote | slash) &^ w & highs
}

// plain asks which bytes of w are not special, each by itself: with the highest
// bits cleared first, no byte's sum carries into the next.
func plain(w uint64) uint64 {
	v := w & lows
	quote := (v ^ 0x02*ones) + (0x80-0x21)*ones
	slash := (v ^ '\\'*ones) + (0x80-0x01)*ones
	return (quote&slash | w) & highs
}

// hasSlash asks which bytes of w are a backslash. It is as exact as special.
func hasSlash(w uint64) uint64 {
	slash := w ^ '\\'*ones
	return (slash - ones) &^ slash & highs
}

// transpose turns the bit matrix whose rows are the bytes of x: bit k of byte j
// becomes bit j of byte k.
func transpose(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}
