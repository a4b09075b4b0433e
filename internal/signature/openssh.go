package signature

import (
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// Systems without minisign or a new openssl have ssh-keygen, which checks signatures of
// a form of its own: PROTOCOL.sshsig of OpenSSH.
const (
	algorithm = "ssh-ed25519"
	namespace = "memscribe" // what ssh-keygen -Y verify is given with -n
	magic     = "SSHSIG"
	width     = 70 // characters of a line
)

// OpenSSH returns the key as it stands in a line of OpenSSH's allowed signers, after the name
// of the signer.
func (p Public) OpenSSH() string {
	return algorithm + " " + base64.StdEncoding.EncodeToString(p.wire())
}

// wire returns the key as SSH sends it: the name of the algorithm, and the bytes.
func (p Public) wire() []byte { return fields(algorithm, string(p.key)) }

// SignOpenSSH signs a text in the form that ssh-keygen -Y verify reads. What is signed is not
// the text but its SHA-512, with the namespace before it: a signature for one purpose is none
// for another.
func (p Private) SignOpenSSH(text []byte) []byte {
	sum := sha512.Sum512(text)
	about := []string{namespace, "", "sha512"}
	sig := ed25519.Sign(p.key, append([]byte(magic), fields(append(about, string(sum[:]))...)...))
	blob := binary.BigEndian.AppendUint32([]byte(magic), 1)
	blob = append(blob, fields(append(append([]string{string(p.public.wire())}, about...), string(fields(algorithm, string(sig))))...)...)
	var b strings.Builder
	b.WriteString("-----BEGIN SSH SIGNATURE-----\n")
	for rest := base64.StdEncoding.EncodeToString(blob); rest != ""; {
		n := min(width, len(rest))
		b.WriteString(rest[:n] + "\n")
		rest = rest[n:]
	}
	b.WriteString("-----END SSH SIGNATURE-----\n")
	return []byte(b.String())
}

// fields returns texts one after the other, each after its length in four bytes, the highest
// first.
func fields(texts ...string) (out []byte) {
	for _, s := range texts {
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(s))), s...) //nolint:gosec // texts of a release are short
	}
	return out
}
