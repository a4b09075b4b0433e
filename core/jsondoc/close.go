package jsondoc

import "slices"

// Close makes a document of the beginning of one, as it is of a line that was cut
// off: the string that is open ends, and so do the objects and arrays. What cannot
// be told yet is left out: a name without its value, a number that may go on. It
// returns nil if b holds nothing yet, or ends no less than a document does.
func Close(b []byte) []byte {
	c := closing{b: b}
	for c.at < len(b) {
		if !c.step() {
			return nil
		}
	}
	if len(c.open) == 0 {
		return nil
	}
	out := append(make([]byte, 0, c.end+len(c.open)+1), b[:c.end]...)
	if c.quote {
		out = append(out, '"')
	}
	for _, closer := range slices.Backward(c.open) {
		out = append(out, closer)
	}
	return out
}

// closing is a pass over the beginning of a document.
type closing struct {
	b    []byte
	at   int
	open []byte // what closes the objects and arrays that are open, the outer ones first

	end   int  // up to where it can be kept
	quote bool // that is within a string
	named bool // the name of a member has been read, and not yet its value
}

// step goes over what stands next. It reports whether that can be in a document.
func (c *closing) step() bool {
	switch ch := c.b[c.at]; ch {
	case '{', '[':
		c.open = append(c.open, ch+2) // as they lie in ASCII
		c.named = false
		c.at++
		c.end = c.at
	case '}', ']':
		if len(c.open) == 0 || c.open[len(c.open)-1] != ch {
			return false
		}
		c.open = c.open[:len(c.open)-1]
		c.named = false
		c.at++
		c.end = c.at
	case '"':
		c.str()
	case ':':
		c.named = true
		c.at++
	case ',':
		c.end, c.named = c.at, false
		c.at++
	default:
		c.at++
	}
	return true
}

// str goes over a string, to its end or that of what there is.
func (c *closing) str() {
	isName := !c.named && len(c.open) > 0 && c.open[len(c.open)-1] == '}'
	i := c.at + 1
	for i < len(c.b) && c.b[i] != '"' {
		size := 1
		if c.b[i] == '\\' {
			size = 2
			if i+1 < len(c.b) && c.b[i+1] == 'u' {
				size = 6
			}
		}
		if i+size > len(c.b) {
			break // of an escape only a part is there
		}
		i += size
	}
	cut := i >= len(c.b) || c.b[i] != '"'
	switch {
	case cut:
		c.at = len(c.b)
		if !isName {
			c.end, c.quote = i, true
		}
	default:
		c.at = i + 1
		if !isName {
			c.end, c.named = c.at, false
		}
	}
}
