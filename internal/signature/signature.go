// Package signature signs and verifies published files with Ed25519, in the formats of minisign
// and OpenSSH.
//
// A file of checksums is signed in both forms, so that a user can check a release with what the
// system has:
//
//	minisign -Vm SHA256SUMS -p memscribe.pub
//	ssh-keygen -Y verify -f allowed_signers -I memscribe -n memscribe -s SHA256SUMS.sig < SHA256SUMS
//
// The form of minisign is four lines. The first signature is of the text, the second of the
// first one and the comment, so that the comment cannot be changed either:
//
//	untrusted comment: anything
//	base64("Ed" + number of the key + signature of the text)
//	trusted comment: COMMENT
//	base64(signature of the signature and COMMENT)
package signature

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// ErrWrong says that a signature does not belong to a text, or to a key.
var ErrWrong = errors.New("the signature is wrong")

const (
	kind      = "Ed" // what is signed is the text itself, not its hash
	untrusted = "untrusted comment: "
	trusted   = "trusted comment: "
	number    = 8       // bytes of a key's number
	most      = 4 << 10 // bytes of a signature that is read
)

// Public is a key that checks signatures. Its id is the number that minisign shows, which only
// helps to find the right key: trust does not depend on it.
type Public struct {
	id  [number]byte
	key ed25519.PublicKey
}

// Private is a key that signs.
type Private struct {
	public Public
	key    ed25519.PrivateKey
}

// NewPrivate returns the key that a seed stands for: 32 bytes, written in base64. The key's
// number follows from it, so that a seed is all that must be kept.
func NewPrivate(seed string) (Private, error) {
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(seed))
	if err != nil || len(b) != ed25519.SeedSize {
		return Private{}, fmt.Errorf("read seed of a key: not %d bytes in base64", ed25519.SeedSize)
	}
	p := Private{key: ed25519.NewKeyFromSeed(b)}
	p.public.key = ed25519.PublicKey(p.key[ed25519.SeedSize:])
	sum := sha256.Sum256(p.public.key)
	copy(p.public.id[:], sum[:number])
	return p, nil
}

// Public returns the key that checks what this one signs.
func (p Private) Public() Public { return p.public }

// ParsePublic reads a key: its base64, or the two lines of the file that minisign writes.
func ParsePublic(text string) (Public, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(lines[len(lines)-1]))
	if err != nil || len(b) != len(kind)+number+ed25519.PublicKeySize || string(b[:len(kind)]) != kind {
		return Public{}, errors.New("read public key: it is none of minisign")
	}
	p := Public{key: b[len(kind)+number:]}
	copy(p.id[:], b[len(kind):])
	return p, nil
}

// String returns the key in base64, as minisign takes it with -P.
func (p Public) String() string {
	return base64.StdEncoding.EncodeToString(bytes.Join([][]byte{[]byte(kind), p.id[:], p.key}, nil))
}

// Sign signs a text, and with it a comment of one line, in minisign's form.
func (p Private) Sign(text []byte, comment string) []byte {
	sig := ed25519.Sign(p.key, text)
	both := ed25519.Sign(p.key, append(bytes.Clone(sig), comment...))
	head := bytes.Join([][]byte{[]byte(kind), p.public.id[:], sig}, nil)
	return fmt.Appendf(nil, "%ssignature of Memscribe\n%s\n%s%s\n%s\n", untrusted, base64.StdEncoding.EncodeToString(head),
		trusted, comment, base64.StdEncoding.EncodeToString(both))
}

// Check returns the comment of a signature in minisign's form if the key has signed both the
// text and the comment. Any other signature is an ErrWrong, also one that is longer than 4 KiB.
func (p Public) Check(text, signature []byte) (comment string, err error) {
	if len(signature) > most {
		return "", fmt.Errorf("check signature: it has %d bytes: %w", len(signature), ErrWrong)
	}
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(string(signature)), "\r\n", "\n"), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], trusted) {
		return "", fmt.Errorf("check signature: it has not the lines of minisign: %w", ErrWrong)
	}
	comment = lines[2][len(trusted):]
	head, err := base64.StdEncoding.Strict().DecodeString(lines[1])
	if err != nil || len(head) != len(kind)+number+ed25519.SignatureSize || string(head[:len(kind)]) != kind {
		return "", fmt.Errorf("check signature: line 2 is none of kind %s: %w", kind, ErrWrong)
	}
	if id := head[len(kind) : len(kind)+number]; !bytes.Equal(id, p.id[:]) {
		return "", fmt.Errorf("check signature: it is of key %x, not %x: %w", id, p.id, ErrWrong)
	}
	sig := head[len(kind)+number:]
	both, err := base64.StdEncoding.Strict().DecodeString(lines[3])
	if err != nil || !ed25519.Verify(p.key, text, sig) || !ed25519.Verify(p.key, append(bytes.Clone(sig), comment...), both) {
		return "", fmt.Errorf("check signature: text or comment is not what was signed: %w", ErrWrong)
	}
	return comment, nil
}
