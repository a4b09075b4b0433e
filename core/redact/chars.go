package redact

// The kinds of ASCII characters that tell secrets from what surrounds them.
const (
	digitKind = 1 << iota
	lowerKind
	upperKind
	wordKind    // what identifiers have besides letters and digits: _
	joinKind    // what joins the parts of tokens: _ and -
	padKind     // what pads base64: =
	tokenKind   // what else stands in tokens and runs of base64: . ~ + / =
	specialKind // what a view may not show as it stands: see specialBytes

	letterKind = lowerKind | upperKind
	alnumKind  = digitKind | letterKind
)

// kinds tells the kinds of each byte.
const kinds = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00\xc0\x00\x10\x40\x40" +
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
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

func isDigit(c byte) bool  { return kinds[c]&digitKind != 0 }
func isLower(c byte) bool  { return kinds[c]&lowerKind != 0 }
func isUpper(c byte) bool  { return kinds[c]&upperKind != 0 }
func isLetter(c byte) bool { return kinds[c]&letterKind != 0 }
func isAlnum(c byte) bool  { return kinds[c]&alnumKind != 0 }

// isWord reports whether a byte stands in identifiers.
func isWord(c byte) bool { return kinds[c]&(alnumKind|wordKind) != 0 }

// isJoined reports whether a byte stands in tokens that are one word for a
// reader.
func isJoined(c byte) bool { return kinds[c]&(alnumKind|joinKind) != 0 }

// isValueByte reports whether a byte stands in runs that may be values.
func isValueByte(c byte) bool { return kinds[c]&(alnumKind|joinKind|padKind) != 0 }

// isTokenByte reports whether a byte stands in tokens of any kind.
func isTokenByte(c byte) bool { return kinds[c]&(alnumKind|joinKind|tokenKind) != 0 }

// isSpecial reports whether a byte is one of [specialBytes].
func isSpecial(c byte) bool { return kinds[c]&specialKind != 0 }

func lowerByte(c byte) byte {
	if isUpper(c) {
		return c | 0x20
	}
	return c
}
