package redact

import (
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// isSecret reports whether a value is what its name promises.
func isSecret(p names.Promise, a assigned, v []byte) bool {
	m := looks.Inspect(v)
	if v[0] == '0' && len(v) < 2*minKeyRun && ascii.Lower(v[min(1, len(v)-1)]) == 'x' {
		return false // a number
	}
	if looks.IsBlob(v, m) {
		return p != names.SomeKey || a.capitals && a.tight
	}
	if a.quote == 0 && !a.flag && (a.link == spaced || a.link == spoken || a.link == compared) {
		return p != names.SomeKey && m.IsRandom(14) && !m.Hex && !m.UUID && looks.IndexFold(v, "=") < 0
	}
	hex := m.Hex && len(v)%2 == 0 // an odd number of digits is no key
	if a.link == argument && a.capitals && len(v) < 20 {
		return false // more likely the next name of a list
	}
	least := 14
	if a.header {
		least = 10
	}
	switch p {
	case names.Password:
		return isPassword(a, v, m)
	case names.Secret:
		return m.IsRandom(8) && !m.Hex || hex && len(v) >= 16 || m.UUID || m.IsThorny() && !isPlace(v)
	case names.Session:
		return m.IsRandom(20) && !m.Hex && !m.UUID
	case names.Token:
		return m.IsRandom(least) && !m.Hex || hex && len(v) >= 20 || m.UUID
	case names.SomeKey:
		return a.capitals && a.tight && m.IsRandom(16) && !m.Hex && !m.UUID
	default:
		return false
	}
}

// isPassword reports whether a value that is assigned to a password is one.
// People choose passwords, so that they need not look drawn.
func isPassword(a assigned, v []byte, m looks.Makeup) bool {
	if len(v) < 4 || isOneOf(v, notPasswords) || isPlace(v) || isConstant(v) || isNameOfPassword(v) {
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
	case a.link == argument || a.link == call || a.link == spoken || a.link == fallback || a.link == spaced && !a.flag:
		return mixed && m.Digits+m.Thorns > 0 && (a.link != spaced || a.quote != 0)
	case a.link == spaced:
		return mixed
	case a.quote != 0:
		return !m.Space && (mixed || !a.bare)
	case a.link == colon:
		return mixed && m.Digits > 0 && looks.IndexFold(v, ".") < 0
	}
	return mixed && (a.tight || m.Digits > 0) && looks.IndexFold(v, ".") < 0
}

// notPasswords are what stands where a password might.
const notPasswords = "none null nil true false undefined string password passwd secret required optional text hidden " +
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

// isPlace reports whether a value is a path, an element of a page, or a name
// with colons: where a password is, not what it is.
func isPlace(v []byte) bool {
	switch v[0] {
	case '/', '#', '.', '~', '[', '(', ',', ']', ':', ';', '|', ' ', '-', '+':
		return true
	}
	if v[len(v)-1] == ':' || v[len(v)-1] == ' ' || ascii.IsLetter(v[0]) && v[1] == ':' && (v[2] == '\\' || v[2] == '/') {
		return true
	}
	slash := looks.IndexFold(v, "/")
	return slash > 0 && looks.IndexFold(v[slash+1:], "/") >= 0 || looks.IndexFold(v, "arn:") == 0 || looks.IndexFold(v, "://") > 0
}
