package assign

import (
	"bytes"
	"slices"
	"unicode"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// minHex is the least number of bytes of 0x and its hexadecimal digits that may be a key.
// Shorter ones are addresses and numbers.
const minHex = 32

// isHexNumber reports whether v is 0x with hexadecimal digits behind it.
func isHexNumber(v []byte) bool {
	if len(v) < 2 || v[0] != '0' || ascii.Lower(v[1]) != 'x' {
		return false
	}
	for _, c := range v[2:] {
		if !ascii.IsDigit(c) && (ascii.Lower(c) < 'a' || ascii.Lower(c) > 'f') {
			return false
		}
	}
	return true
}

// isNumber reports whether v is written as a number with a sign or an exponent is: 1.5e-3. It is
// no password, however short or long.
func isNumber(v []byte) bool {
	for _, c := range v {
		if !ascii.IsDigit(c) && c != '.' && c != '+' && c != '-' && ascii.Lower(c) != 'e' {
			return false
		}
	}
	return true
}

// IsSecret reports whether a value v is what its name promises. a says how the name leads to
// it. The promises ask for less and less:
//
//	SomeKey    16 drawn characters behind a name in capitals, and no digest
//	Session    20 drawn characters, or 14 behind a name in capitals
//	Token      14 drawn characters (10 in a header), an even number of hex digits, a UUID
//	Secret     8 drawn characters, or a password that was chosen by rules
//	Password   see [IsPassword]
//
// A long run of base64 is taken for any promise but SomeKey. Where only a space or a word
// such as "is" joins the two, a value must be drawn whatever was promised.
func IsSecret(p names.Promise, a Value, v []byte) bool {
	m := looks.Inspect(v)
	if len(v) < minHex && isHexNumber(v) || isNumber(v) {
		return false
	}
	if looks.IsBlob(v, m) {
		return p != names.SomeKey || a.Capitals && a.Tight
	}
	if a.Quote == 0 && !a.Flag && (a.Link == Spaced || a.Link == Spoken || a.Link == Compared) {
		if p == names.Password && (isChosen(v, m) && m.Digits >= 3 || a.Link == Spoken && isStrong(v, m)) {
			return true
		}
		return p != names.SomeKey && m.IsRandom(14) && !m.Hex && !m.UUID && looks.IndexFold(v, "=") < 0
	}
	hex := m.Hex && len(v)%2 == 0 // an odd number of digits is no key
	if a.Link == Argument && a.Capitals && len(v) < 20 && (!m.Lower || m.Digits == 0) {
		return false // more likely the next name of a list
	}
	least := 14
	if a.Header {
		least = 10
	}
	switch p {
	case names.Password:
		return IsPassword(a, v, m)
	case names.Secret:
		return m.IsRandom(8) && !m.Hex || hex && len(v) >= 16 || m.UUID || m.IsThorny() && !isPlace(v) ||
			(a.Quote != 0 || a.Capitals && a.Tight) && (a.Link == Equals || a.Link == Colon) && isChosen(v, m)
	case names.Session:
		if a.Capitals && a.Tight {
			return m.IsRandom(least) && !m.Hex && !m.UUID
		}
		return m.IsRandom(20) && !m.Hex && !m.UUID
	case names.Token:
		return m.IsRandom(least) && !m.Hex || hex && len(v) >= 20 || m.UUID
	case names.SomeKey:
		return (a.Capitals || a.Query) && a.Tight && m.IsRandom(16) && !m.Hex && !m.UUID
	default:
		return false
	}
}

// IsPassword reports whether a value that is assigned to a password is one. m is what
// [looks.Inspect] says of v.
//
// People choose passwords, so that they need not look drawn: behind an operator any literal
// in quotes counts that is not plainly something else (a path, the name of a constant, a word
// for a password, a number). Without quotes it needs letters mixed with digits or signs.
func IsPassword(a Value, v []byte, m looks.Makeup) bool {
	if len(v) < 4 || looks.IsOneOf(v, NotPasswords) || isPlace(v) && !isEncoded(v, m) && !isThorny(a, v, m) || isConstant(v) || isNameOfPassword(v) {
		return false
	}
	if m.IsRandom(6) {
		return true
	}
	if m.Letters == 0 && m.Thorns == 0 {
		return false // a number, a version
	}
	mixed := m.Letters > 0 && m.Digits+m.Others > 0 && len(v) >= 6 && !m.Space
	switch {
	case a.Link == Argument || a.Link == Listed || a.Link == Paired || a.Link == Call || a.Link == Spoken || a.Link == Fallback || a.Link == Spaced && !a.Flag:
		return mixed && m.Digits+m.Thorns > 0 && (a.Link != Spaced || a.Quote != 0)
	case a.Link == Spaced:
		return mixed
	case a.Quote != 0:
		return !m.Space && (mixed || !a.Bare) || m.Space && a.Link == Equals && m.Random >= leastDrawn
	case a.Link == Colon:
		return mixed && m.Digits > 0 && looks.IndexFold(v, ".") < 0
	}
	return mixed && (a.Tight || m.Digits > 0) && looks.IndexFold(v, ".") < 0
}

// leastDrawn is how many drawn letters and digits make several words a password.
const leastDrawn = 6

// isChosen reports whether a value has the form of passwords that people choose by rules: ten
// characters, letters of both cases and digits, as Harlow2468; and nothing that names, paths or
// the names of algorithms have.
func isChosen(v []byte, m looks.Makeup) bool {
	const least = 10
	return len(v) >= least && m.Upper && m.Lower && m.Digits > 0 && !m.Space && !m.Hex && !m.UUID && looks.IndexFold(v, ".") < 0 && looks.IndexFold(v, "(") < 0 &&
		looks.IndexFold(v, "/") < 0 && looks.IndexFold(v, "=") < 0 && looks.IndexFold(v, "${") < 0 && !looks.ContainsAny(v, algorithms)
}

// isStrong reports whether a value has the form of passwords that are made to be typed: eight
// letters, digits and signs, and not a name with a number behind it.
//
//	kX9$mQ2vLp, 2et68tVk, Dragon#77   true
//	AuthService2, Type2Input, v1.2.3  false
func isStrong(v []byte, m looks.Makeup) bool {
	const least, most, mostOfLetters = 8, 24, 13 // longer ones must be drawn
	if len(v) < least || len(v) > most || m.Digits == 0 || m.Letters == 0 || m.Hex || m.UUID || m.Space || v[0] == '$' || v[0] == '@' ||
		bytes.ContainsAny(v, "./(={<>:,;\\") || looks.ContainsAny(v, algorithms) || isConstant(v) {
		return false
	}
	signs := bytes.ContainsAny(v, "!#$%&*@^+?~")
	name := bytes.TrimRight(v, "0123456789")
	inside := len(v) <= mostOfLetters && bytes.IndexFunc(name, isDigit) >= 0 && m.Upper && m.Lower && !slices.ContainsFunc(bytes.FieldsFunc(name, isDigit), isWord)
	return signs || inside || m.IsRandom(least)
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isWord reports whether letters are a word, as those of Type2Input are: lower ones, but for the first,
// and vowels among them.
func isWord(s []byte) bool {
	return len(s) >= 4 && bytes.IndexFunc(s[1:], unicode.IsUpper) < 0 && bytes.ContainsAny(s, "aeiouAEIOU")
}

// algorithms are parts of names that have digits and are no secrets.
const algorithms = "sha pbkdf rfc aes hmac base md5 utf iso argon bcrypt scrypt password secret token"

// isEncoded reports whether a value is more likely base64 than a path: its slashes part nothing
// that has a meaning.
func isEncoded(v []byte, m looks.Makeup) bool {
	return ascii.IsAlnum(v[0]) && m.Upper && m.Lower && m.Digits > 0 && m.IsRandom(10) && looks.IndexFold(v, ":") < 0 && looks.IndexFold(v, ".") < 0
}

// isThorny reports whether a value in quotes is drawn and only begins with a sign as places do.
func isThorny(a Value, v []byte, m looks.Makeup) bool {
	return a.Quote != 0 && (v[0] == '#' || v[0] == '~' || v[0] == '-' || v[0] == '+') && m.IsRandom(8) && !m.Hex && looks.IndexFold(v, "/") < 0
}

// NotPasswords are what stands where a password might.
const NotPasswords = "none null nil true false undefined string password passwd secret required optional text hidden " +
	"username user empty default value unknown invalid missing changed reset update confirm new old current"

// isNameOfPassword reports whether a value is itself an identifier that ends in
// the word, as that of a field or a message is.
func isNameOfPassword(v []byte) bool {
	for len(v) > 0 && ascii.IsDigit(v[len(v)-1]) {
		v = v[:len(v)-1]
	}
	n := len(v) - len("password")
	return n > 0 && looks.EqualFold(v[n:], "password") && (v[n-1] == '.' || v[n-1] == '_' || v[n-1] == '-' || ascii.IsUpper(v[n]))
}

// isConstant reports whether a value is the name of a constant or of an
// environment variable.
func isConstant(v []byte) bool {
	joints := 0
	for _, c := range v {
		if c == '_' {
			joints++
		} else if !ascii.IsUpper(c) && !ascii.IsDigit(c) {
			return false
		}
	}
	return joints > 0
}

// isPlace reports whether a value is a path, an element of a page, or a name with colons: where
// a password is, not what it is. A drawn head (see [looks.DrawnHead]) makes a secret of a value
// with slashes all the same.
func isPlace(v []byte) bool {
	switch v[0] {
	case '/', '#', '.', '~', '[', '(', ',', ']', ':', ';', '|', ' ', '-', '+':
		return true
	}
	if v[len(v)-1] == ':' || v[len(v)-1] == ' ' || ascii.IsLetter(v[0]) && v[1] == ':' && (v[2] == '\\' || v[2] == '/') {
		return true
	}
	slash := looks.IndexFold(v, "/")
	return (slash > 0 && looks.IndexFold(v[slash+1:], "/") >= 0 || looks.IndexFold(v, "arn:") == 0 || looks.IndexFold(v, "://") > 0) && looks.DrawnHead(v) == 0
}
