// Package ascii defines the byte classes that redaction rules use.
//
// They are tested for nearly every byte of a transcript, so they are bits in one table of 256
// bytes that fits into a few cache lines.
package ascii

// The kinds of ASCII characters that tell secrets from what surrounds them.
const (
	digitKind = 1 << iota
	lowerKind
	upperKind
	wordKind    // what identifiers have besides letters and digits: _
	joinKind    // what joins the parts of tokens: _ and -
	padKind     // what pads base64: =
	tokenKind   // what else is in tokens and runs of base64: . ~ + / =
	specialKind // what a view may not show as it is: see specialBytes

	letterKind = lowerKind | upperKind
	alnumKind  = digitKind | letterKind
)

// kinds has the classes of each byte, as bits: kinds['_'] is wordKind|joinKind. It is a string,
// as a constant cannot be changed. A row has sixteen bytes.
const kinds = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x80\x80\x00\x00\x00\x00\xc0\x00\x10\x40\x40" +
	"\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x00\x60\x00\x00" +
	"\x00\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04" +
	"\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x00\x80\x00\x00\x18" +
	"\x00\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02" +
	"\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x00\x00\x00\x40\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80" +
	"\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// IsDigit reports whether a byte is a decimal digit.
func IsDigit(c byte) bool { return kinds[c]&digitKind != 0 }

// IsLower reports whether a byte is a letter in lower case.
func IsLower(c byte) bool { return kinds[c]&lowerKind != 0 }

// IsUpper reports whether a byte is a letter in upper case.
func IsUpper(c byte) bool { return kinds[c]&upperKind != 0 }

// IsLetter reports whether a byte is a letter.
func IsLetter(c byte) bool { return kinds[c]&letterKind != 0 }

// IsAlnum reports whether a byte is a letter or a digit.
func IsAlnum(c byte) bool { return kinds[c]&alnumKind != 0 }

// IsWord reports whether a byte is in identifiers.
func IsWord(c byte) bool { return kinds[c]&(alnumKind|wordKind) != 0 }

// IsJoined reports whether a byte is in tokens that are one word for a
// reader.
func IsJoined(c byte) bool { return kinds[c]&(alnumKind|joinKind) != 0 }

// IsValueByte reports whether a byte is in runs that may be values.
func IsValueByte(c byte) bool { return kinds[c]&(alnumKind|joinKind|padKind) != 0 }

// IsTokenByte reports whether a byte is in tokens of any kind.
func IsTokenByte(c byte) bool { return kinds[c]&(alnumKind|joinKind|tokenKind) != 0 }

// TokenEnd is where the run of the letters of tokens ends that holds an offset.
func TokenEnd(text []byte, at int) int {
	for at < len(text) && (IsTokenByte(text[at]) || text[at] == '%' || text[at] == ':') {
		at++
	}
	return at
}

// IsQuote reports whether a byte is a quotation mark of programs.
func IsQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// IsSpecial reports whether a byte is one of [specialBytes].
func IsSpecial(c byte) bool { return kinds[c]&specialKind != 0 }

// Lower returns a letter in lower case, and any other byte as it is.
func Lower(c byte) byte {
	if IsUpper(c) {
		return c | 0x20
	}
	return c
}

// HexValue is what a hexadecimal digit counts for, or -1.
func HexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
