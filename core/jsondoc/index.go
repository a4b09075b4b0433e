package jsondoc

// What can be wrong with an input.
const (
	errEnd     = "unexpected end of input"
	errValue   = "expected a value"
	errName    = "expected a string as the name of a member"
	errColon   = "expected a colon after the name of a member"
	errArray   = "expected a comma or the end of the array"
	errObject  = "expected a comma or the end of the object"
	errDepth   = "arrays and objects nested too deep"
	errTooMany = "too many values"
	errTooLong = "input of 4 GiB or more"
	errLiteral = "invalid literal"
	errNumber  = "invalid number"
	errControl = "control character in a string"
	errEscape  = "invalid escape in a string"
	errHex     = "invalid hexadecimal digit in an escape"
)

// index builds the tape for the first value of b. It returns the offset after
// that value or, with a reason, the offset of what is wrong.
//
// One loop does it all, over local variables that fit in registers: most tokens
// are a few bytes long, and a call or a store for each is what would be
// measured. Each turn takes what begins at the next byte that is not space: a
// member's name when one is due, else a value, and after a value all that ends
// with it up to the next comma.
func (d *Doc) index(b []byte) (end int, reason string) {
	most := d.mostEntries(len(b))
	tape := d.tape[:min(cap(d.tape), most)]
	var (
		n      int    // entries on the tape
		depth  int    // open containers
		open   uint32 // the innermost of them, if any
		closer byte   // the byte that closes it
		name   bool   // whether a name is due
		i      int
	)
next:
	for {
		if i = skipSpace(b, i); i >= len(b) {
			return i, errEnd
		}
		if n == len(tape) {
			if n == most {
				return i, errTooMany
			}
			tape = grow(tape, most)
			d.tape = tape
		}
		e := &tape[n]
		e.start = uint32(i)
		n++
		switch c := b[i]; {
		case c == '"':
			if i, e.meta, reason = scanString(b, i+1); reason != "" {
				return i, reason
			}
			e.end = uint32(i)
			if name {
				if i, reason = scanColon(b, i); reason != "" {
					return i, reason
				}
				name = false
				continue
			}
		case name:
			return i, errName
		case c == '{' || c == '[':
			if depth == MaxDepth {
				return i, errDepth
			}
			e.end, e.meta = open, containerKind(c)
			open, closer = uint32(n-1), c+2 // as '}' is to '{', and ']' to '['
			depth++
			if i = skipSpace(b, i+1); i < len(b) && b[i] != closer {
				name = closer == '}'
				continue
			}
		default:
			if i, e.meta, reason = scanScalar(b, i); reason != "" {
				return i, reason
			}
			e.end = uint32(i)
		}
		for depth > 0 {
			if i = skipSpace(b, i); i >= len(b) {
				return i, errEnd
			}
			if b[i] == ',' {
				i++
				name = closer == '}'
				continue next
			}
			if b[i] != closer {
				return i, expectedAfter(closer)
			}
			i++
			o := &tape[open]
			open = o.end
			o.end = uint32(i)
			o.meta |= uint32(n) << kindBits
			closer = closerOf(tape[open]) // means nothing when that was the last
			depth--
		}
		d.tape = tape[:n]
		return i, ""
	}
}

// mostEntries returns how many entries the tape of an input may have.
func (d *Doc) mostEntries(size int) int {
	if d.Whole {
		return min(max(MaxValues, size/BytesPerValue), maxEntries)
	}
	return MaxValues
}

// grow returns a longer tape, of at most so many, with the entries of the old one.
func grow(tape []entry, most int) []entry {
	longer := make([]entry, min(max(64, 2*len(tape)), most))
	copy(longer, tape)
	return longer
}

// containerKind returns the meta of a container that begins with c.
func containerKind(c byte) uint32 {
	if c == '{' {
		return uint32(Object)
	}
	return uint32(Array)
}

// closerOf returns the byte that ends the container e.
func closerOf(e entry) byte {
	if e.kind() == Object {
		return '}'
	}
	return ']'
}

// expectedAfter says what may follow a value in the container that ends with
// closer.
func expectedAfter(closer byte) string {
	if closer == '}' {
		return errObject
	}
	return errArray
}

// skipSpace returns the offset of the first byte from b[i] on that is not space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// isSpace reports whether c is JSON whitespace.
func isSpace(c byte) bool {
	const set uint64 = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'
	return c <= ' ' && set>>c&1 != 0
}

// scanColon passes over the colon that has to follow, and the space before it.
func scanColon(b []byte, i int) (end int, reason string) {
	switch i = skipSpace(b, i); {
	case i >= len(b):
		return i, errEnd
	case b[i] != ':':
		return i, errColon
	}
	return i + 1, ""
}

// scanScalar scans the literal or number that has to begin at b[i]. It returns
// the offset after it and the meta of its entry.
func scanScalar(b []byte, i int) (end int, meta uint32, reason string) {
	switch b[i] {
	case 't':
		end, reason = scanLiteral(b, i, "true")
		return end, uint32(Bool) | flagTrue, reason
	case 'f':
		end, reason = scanLiteral(b, i, "false")
		return end, uint32(Bool), reason
	case 'n':
		end, reason = scanLiteral(b, i, "null")
		return end, uint32(Null), reason
	default:
		end, reason = scanNumber(b, i)
		return end, uint32(Number), reason
	}
}

// scanLiteral scans literal, whose first byte is b[i].
func scanLiteral(b []byte, i int, literal string) (end int, reason string) {
	for j := range len(literal) {
		switch {
		case i+j >= len(b):
			return i + j, errEnd
		case b[i+j] != literal[j]:
			return i + j, errLiteral
		}
	}
	return i + len(literal), ""
}

// scanNumber scans the number that has to begin at b[i].
func scanNumber(b []byte, i int) (end int, reason string) {
	start := i
	if b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return i, errEnd
	case b[i] == '0':
		i++
	case b[i]-'0' <= 9:
		i = skipDigits(b, i)
	case i == start:
		return i, errValue
	default:
		return i, errNumber
	}
	if i < len(b) && b[i] == '.' {
		if i, reason = scanDigits(b, i+1); reason != "" {
			return i, reason
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return scanDigits(b, i)
	}
	return i, ""
}

// scanDigits scans one digit or more.
func scanDigits(b []byte, i int) (end int, reason string) {
	switch {
	case i >= len(b):
		return i, errEnd
	case b[i]-'0' > 9:
		return i, errNumber
	}
	return skipDigits(b, i), ""
}

// skipDigits returns the offset of the first byte from b[i] on that is not a
// digit.
func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}
