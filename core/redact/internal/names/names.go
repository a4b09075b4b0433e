// Package names judges what an identifier says about its value.
//
// A name is split into words, at separators, digits and humps of camel case. A word
// promises something; a word behind it may take the promise back:
//
//	STRIPE_API_KEY     Token      "key" behind "api"
//	dbPassword         Password
//	privateKey         Secret     "key" behind "private"
//	sessionToken       Session
//	MY_KEY             SomeKey    a key, but nothing says of what
//	primaryKey         Nothing    keys of tables are no secrets
//	passwordHash       Nothing    something about the password
//	next_page_token    Nothing    a token of another kind
//	invalidToken       Nothing    the name itself says no
//
// The lists of words are in the folder words. Whether the value is what the name promises,
// package assign judges.
package names

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
)

// Promise says what a name promises about the value that is assigned to it.
type Promise uint8

// The promises, the weaker first.
const (
	Nothing  Promise = iota
	SomeKey          // a key of some kind: secret if it looks drawn, and not like an id
	Session          // the token of a session: like a token, but an id of the session is none
	Token            // a token, an API key: secret if it looks drawn
	Secret           // called a secret: likewise, but shorter will do
	Password         // secret unless it is plainly something else
)

// MaxLen bounds the identifiers that are looked at.
const MaxLen = 64

// Around returns the identifier around [start, end), at most [MaxLen] bytes to each side. A dot or
// a hyphen at its end belongs to the sentence.
func Around(text []byte, start, end int) (int, int) {
	for n := 0; n < MaxLen && start > 0 && IsNameByte(text[start-1]); n++ {
		start--
	}
	for n := 0; n < MaxLen && end < len(text) && IsNameByte(text[end]); n++ {
		end++
	}
	for end > start && (text[end-1] == '.' || text[end-1] == '-') {
		end--
	}
	return start, end
}

// IsNameByte reports whether a byte is in identifiers, or joins their parts.
func IsNameByte(c byte) bool { return ascii.IsWord(c) || c == '.' || c == '-' || c == '$' }

// part is a word of an identifier: a hump of camel case, or what separators or
// digits set off.
type part struct{ from, to int }

const maxParts = 16

// parts splits an identifier into its words, of which the first [maxParts] count. HTTPSecret is
// "HTTP", "Secret"; DBPass is "DB", "Pass".
func parts(name []byte, out *[maxParts]part) []part {
	n := 0
	for i := 0; i < len(name) && n < maxParts; {
		if !ascii.IsLetter(name[i]) {
			i++
			continue
		}
		from := i
		for i++; i < len(name) && ascii.IsLetter(name[i]); i++ {
			if ascii.IsUpper(name[i]) && ascii.IsLower(name[i-1]) {
				break
			}
			if ascii.IsUpper(name[i]) && i+1 < len(name) && ascii.IsLower(name[i+1]) && !ascii.IsLower(name[i-1]) && i-from > 1 {
				break
			}
		}
		out[n] = part{from, i}
		n++
	}
	return out[:n]
}

// Judge says what an identifier promises: the strongest promise of its words. It promises
// Nothing if its first word denies it (invalidToken), or if a word behind the last promising
// one says that the value is only about the secret (passwordHash).
func Judge(name []byte) Promise {
	var buf [maxParts]part
	ps := parts(name, &buf)
	best, at := Nothing, -1
	for i := range ps {
		if got := judgePart(name, ps, i); got > Nothing {
			best = max(best, got)
			at = i
		}
	}
	if at < 0 || in(denials, folded(ps[0].of(name), &[maxWord]byte{})) {
		return Nothing
	}
	for _, p := range ps[at+1:] {
		if in(aboutSecret, folded(p.of(name), &[maxWord]byte{})) {
			return Nothing
		}
	}
	return best
}

// Singular says what a name in the plural promises of each of the things that it names: a Token
// for apiKeys, which [Judge] takes for something about keys.
func Singular(name []byte) Promise {
	n := len(name) - 1
	if n < len("keys") || ascii.Lower(name[n]) != 's' {
		return Nothing
	}
	return Judge(name[:n])
}

// InProse says what a word of a sentence promises with the word before it, where p is what it promises alone:
// an "access key" is a token, a "cache key" nothing. "My key" promises as little as the key of a session.
func InProse(before, name []byte, p Promise) Promise {
	var buf, buf2 [maxWord]byte
	if before = folded(before, &buf); p != SomeKey || len(before) == 0 || string(folded(name, &buf2)) != "key" {
		return p
	}
	if q := judgeKey(before); q != SomeKey {
		return q
	}
	return Session
}

// IsOther reports whether a word before "key" or "token" makes it one of another kind: of a cache, of a page.
func IsOther(w []byte) bool { return in(otherKeys, folded(w, &[maxWord]byte{})) }

// IsAbout reports whether a word makes what it stands behind something about a secret: its id, its length.
func IsAbout(w []byte) bool { return in(aboutSecret, folded(w, &[maxWord]byte{})) }

// of is the part of a name.
func (p part) of(name []byte) []byte { return name[p.from:p.to] }

// maxWord bounds the words that are compared; longer ones are none of ours.
const maxWord = 24

// folded returns a word in lower case, or nothing if it is too long.
func folded(w []byte, buf *[maxWord]byte) []byte {
	if len(w) > maxWord {
		return nil
	}
	for i, c := range w {
		buf[i] = ascii.Lower(c)
	}
	return buf[:len(w)]
}

// judgePart judges word i of a name together with the word before it: "key" alone is SomeKey,
// "api key" a Token, "primary key" Nothing.
func judgePart(name []byte, ps []part, i int) Promise {
	var buf, buf2 [maxWord]byte
	w := folded(ps[i].of(name), &buf)
	var before []byte
	if i > 0 {
		before = folded(ps[i-1].of(name), &buf2)
	}
	switch {
	case len(w) == 0:
		return Nothing
	case isPasswordWord(w):
		return Password
	case isSecretWord(w):
		return Secret
	case isTokenWord(w):
		switch {
		case string(before) == "session":
			return Session
		case in(otherKeys, before):
			return Nothing
		}
		return Token
	case hasSuffix(w, "key"):
		if n := len(w) - len("key"); n > 0 {
			before = w[:n]
		}
		return judgeKey(before)
	}
	return Nothing
}

// judgeKey judges a key by the word before it.
func judgeKey(before []byte) Promise {
	switch {
	case in(secretKeys, before):
		return Secret
	case in(otherKeys, before):
		return Nothing
	case in(tokenKeys, before):
		return Token
	}
	return SomeKey
}

// isPasswordWord reports whether a word means a password. The short ones must
// be all of it.
func isPasswordWord(w []byte) bool {
	switch string(w) {
	case "adgangskode", "adminpass", "contrasena", "dbpass", "heslo", "kennwort", "keypass", "mdp", "mypass", "pass", "passcode", "passphrase", "passw", "passwd",
		"password", "passwort", "psk", "pw", "pwd", "rootpass", "salasana", "secrete", "senha", "sshpass", "storepass", "userpass", "wachtwoord":
		return true
	}
	return hasSuffix(w, "password") || hasSuffix(w, "passwd") || hasSuffix(w, "passphrase")
}

// isSecretWord reports whether a word names a secret.
func isSecretWord(w []byte) bool {
	return string(w) == "encryptionkey" || string(w) == "masterkey" || string(w) == "sharedkey" || hasSuffix(w, "secret") || hasSuffix(w, "secretkey") || hasSuffix(w, "privatekey")
}

// isTokenWord reports whether a word names a token.
func isTokenWord(w []byte) bool {
	switch string(w) {
	case "appkey", "auth", "authkey", "authorization", "bearer", "cred", "credential", "credentials", "creds", "jwt", "licensekey",
		"pat", "sas", "servicekey", "sharedaccesskey", "subscriptionkey":
		return true
	}
	return hasSuffix(w, "token") || hasSuffix(w, "apikey") || hasSuffix(w, "accesskey") || hasSuffix(w, "accountkey")
}

func hasSuffix(w []byte, s string) bool { return len(w) >= len(s) && string(w[len(w)-len(s):]) == s }

// secretKeys are the words before "key" where it is a secret of its own, and not the key of some service.
const secretKeys = "secret private encryption master shared"

// denials are the first words of names that say themselves that the value is no secret, or is what a form shows.
const denials = "non not invalid fake dummy mock bogus wrong expired label placeholder tooltip hint caption"

var (
	// otherKeys are the words before "key" or "token" that name another kind of key or token.
	//
	//go:embed words/other.txt
	otherKeys string
	// tokenKeys are the words before "key" where the key is a secret.
	//
	//go:embed words/keys.txt
	tokenKeys string
	// aboutSecret are the words behind the one for a secret that make the name that of something about
	// the secret: its place, its size, what it is called.
	//
	//go:embed words/about.txt
	aboutSecret string
)

// in reports whether a list has a word. The words of the list are separated by spaces or line
// ends. It allocates nothing, and the lists are short enough for a linear search.
func in(list string, w []byte) bool {
	for at := 0; len(w) > 0; at++ {
		k := strings.Index(list[at:], string(w))
		if k < 0 {
			break
		}
		at += k
		if end := at + len(w); (at == 0 || list[at-1] <= ' ') && (end == len(list) || list[end] <= ' ') {
			return true
		}
	}
	return false
}

// IsCapitals reports whether a name has no lower case letters, as environment
// variables have none.
func IsCapitals(name []byte) bool {
	return !slices.ContainsFunc(name, ascii.IsLower)
}
