package redact

// isSecret reports whether a value is what its name promises.
func isSecret(p promise, a assigned, v []byte) bool {
	m := inspect(v)
	if v[0] == '0' && len(v) < 2*minKeyRun && lowerByte(v[min(1, len(v)-1)]) == 'x' {
		return false // a number
	}
	if isBlob(v, m) {
		return p != someKey || a.capitals && a.tight
	}
	if a.quote == 0 && !a.flag && (a.link == spaced || a.link == spoken || a.link == compared) {
		return p != someKey && m.isRandom(14) && !m.hex && !m.uuid && indexFold(v, "=") < 0
	}
	hex := m.hex && len(v)%2 == 0 // an odd number of digits is no key
	if a.link == argument && a.capitals && len(v) < 20 {
		return false // more likely the next name of a list
	}
	least := 14
	if a.header {
		least = 10
	}
	switch p {
	case password:
		return isPassword(a, v, m)
	case secret:
		return m.isRandom(8) && !m.hex || hex && len(v) >= 16 || m.uuid || m.isThorny() && !isPlace(v)
	case session:
		return m.isRandom(20) && !m.hex && !m.uuid
	case token:
		return m.isRandom(least) && !m.hex || hex && len(v) >= 20 || m.uuid
	case someKey:
		return a.capitals && a.tight && m.isRandom(16) && !m.hex && !m.uuid
	default:
		return false
	}
}

// blobLength is the least length of a value that is known for one by its letters
// alone. Shorter ones may be paths.
const blobLength = 40

// isBlob reports whether a value is drawn bytes in base64, however many: its slashes
// do not make a path of it.
func isBlob(v []byte, m makeup) bool {
	if len(v) < blobLength || m.digits == 0 || !m.upper || !m.lower || 3*m.random < m.letters+m.digits {
		return false
	}
	for i, c := range v {
		switch {
		case isAlnum(c) || c == '+' || c == '/':
		case c == '=' && i >= len(v)-2:
		default:
			return false
		}
	}
	return true
}

// isPassword reports whether a value that is assigned to a password is one.
// People choose passwords, so that they need not look drawn.
func isPassword(a assigned, v []byte, m makeup) bool {
	if len(v) < 4 || isOneOf(v, notPasswords) || isPlace(v) || isConstant(v) || isNameOfPassword(v) {
		return false
	}
	if m.isRandom(6) {
		return true
	}
	if m.letters == 0 && m.thorns == 0 {
		return false // a number, a version
	}
	mixed := m.letters > 0 && m.digits+m.others > 0 && len(v) >= 6 && !m.space
	switch {
	case a.link == argument || a.link == call || a.link == spoken || a.link == fallback || a.link == spaced && !a.flag:
		return mixed && m.digits+m.thorns > 0 && (a.link != spaced || a.quote != 0)
	case a.link == spaced:
		return mixed
	case a.quote != 0:
		return !m.space && (mixed || !a.bare)
	case a.link == colon:
		return mixed && m.digits > 0 && indexFold(v, ".") < 0
	}
	return mixed && (a.tight || m.digits > 0) && indexFold(v, ".") < 0
}

// notPasswords are what stands where a password might.
const notPasswords = "none null nil true false undefined string password passwd secret required optional text hidden " +
	"username user empty default value unknown invalid missing changed reset update confirm new old current"

// isNameOfPassword reports whether a value is itself an identifier that ends in
// the word, as that of a field or a message is.
func isNameOfPassword(v []byte) bool {
	for len(v) > 0 && isDigit(v[len(v)-1]) {
		v = v[:len(v)-1]
	}
	n := len(v) - len("password")
	return n > 0 && equalFold(v[n:], "password") && (v[n-1] == '.' || v[n-1] == '_' || v[n-1] == '-' || isUpper(v[n]))
}

// isConstant reports whether a value is the name of a constant or of an
// environment variable.
func isConstant(v []byte) bool {
	joints := 0
	for _, c := range v {
		if c == '_' {
			joints++
		} else if !isUpper(c) && !isDigit(c) {
			return false
		}
	}
	return joints > 0
}

// isPlace reports whether a value is a path, an element of a page, or a name
// with colons: where a password is, not what it is.
func isPlace(v []byte) bool {
	switch v[0] {
	case '/', '#', '.', '~', '[', '(', ',', ']', ':', ';', '|', ' ', '-', '+':
		return true
	}
	if v[len(v)-1] == ':' || v[len(v)-1] == ' ' || isLetter(v[0]) && v[1] == ':' && (v[2] == '\\' || v[2] == '/') {
		return true
	}
	slash := indexFold(v, "/")
	return slash > 0 && indexFold(v[slash+1:], "/") >= 0 || indexFold(v, "arn:") == 0 || indexFold(v, "://") > 0
}
