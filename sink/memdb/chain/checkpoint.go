package chain

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/memscribe/memscribe/internal/durable"
)

// origin is the first line of a checkpoint, and the name of the key.
const origin = "memscribe-memdb"

// Signer signs checkpoints. A checkpoint is a note (golang.org/x/mod/sumdb/note) with three lines:
//
//	memscribe-memdb                                  the origin
//	1203                                             the length of the chain
//	W9bA…=                                           the hash of its last entry, in base64
type Signer struct{ signer note.Signer }

// Verifier verifies the checkpoints of one signer.
type Verifier struct {
	verifier note.Verifier
	key      string
}

// Sum returns the hash of the verifier key, by which an entry of the chain names the key.
func (v *Verifier) Sum() string { return Sum([]byte(v.key)) }

// OpenSigner reads the key in a folder. If there is none it creates one from random, readable by
// the user only.
func OpenSigner(dir string, random io.Reader) (*Signer, error) {
	name := keyFile(dir)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeKey(dir, random)
	}
	if err != nil {
		return nil, fmt.Errorf("read signing key: %w", err)
	}
	s, err := note.NewSigner(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("read signing key %s: %w", name, err)
	}
	return &Signer{s}, nil
}

// keyFile returns the file of the signing key.
func keyFile(dir string) string { return filepath.Join(dir, "memdb.key") }

// verifierFile returns the file of the public key.
func verifierFile(dir string) string { return filepath.Join(dir, "memdb.key.pub") }

// checkpointFile returns the file of the last signed head.
func checkpointFile(dir string) string { return filepath.Join(dir, "memdb.checkpoint") }

// makeKey creates a key. If two processes do so at the same time, one wins and both use its key.
func makeKey(dir string, random io.Reader) ([]byte, error) {
	secret, public, err := note.GenerateKey(random, origin)
	if err != nil {
		return nil, err
	}
	if err = durable.Create(dir); err != nil {
		return nil, err
	}
	temp, err := writeTemp(dir, secret)
	if err != nil {
		return nil, err
	}
	err = durable.Name(temp, keyFile(dir))
	if errors.Is(err, fs.ErrExist) {
		return os.ReadFile(keyFile(dir))
	}
	if err != nil {
		return nil, err
	}
	if err = replaceFile(verifierFile(dir), public); err != nil {
		return nil, err
	}
	s, err := note.NewSigner(secret)
	if err != nil {
		return nil, err
	}
	// A key always has a checkpoint, so that a missing one shows that it was removed.
	if err = (&Signer{s}).Save(dir, Head{}); err != nil {
		return nil, err
	}
	return []byte(secret), durable.Sync(dir)
}

// writeTemp writes a temporary file that only the user can read.
func writeTemp(dir, text string) (name string, err error) {
	f, err := os.CreateTemp(dir, ".memdb.*")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// replaceFile replaces a file by renaming a synced temporary one, so that a crash
// leaves the old or the new content.
func replaceFile(name, text string) error {
	temp, err := writeTemp(filepath.Dir(name), text)
	if err != nil {
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// Sign returns the checkpoint of a head.
func (s *Signer) Sign(h Head) (string, error) {
	sum, err := hex.DecodeString(h.hash())
	if err != nil {
		return "", fmt.Errorf("sign checkpoint: %w", err)
	}
	text := origin + "\n" + strconv.FormatInt(h.Length, 10) + "\n" + base64.StdEncoding.EncodeToString(sum) + "\n"
	signed, err := note.Sign(&note.Note{Text: text}, s.signer)
	if err != nil {
		return "", fmt.Errorf("sign checkpoint: %w", err)
	}
	return string(signed), nil
}

// Save signs a head and stores the checkpoint in the folder of the key. The head must be durable.
func (s *Signer) Save(dir string, h Head) error {
	signed, err := s.Sign(h)
	if err != nil {
		return err
	}
	if err := replaceFile(checkpointFile(dir), signed); err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	return nil
}

// NewVerifier returns the verifier for the text of a file memdb.key.pub.
func NewVerifier(key string) (*Verifier, error) {
	key = strings.TrimSpace(key)
	v, err := note.NewVerifier(key)
	if err != nil {
		return nil, fmt.Errorf("read verifier key: %w", err)
	}
	return &Verifier{v, key}, nil
}

// OpenVerifier reads the verifier key in a folder.
func OpenVerifier(dir string) (*Verifier, error) {
	text, err := os.ReadFile(verifierFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return verifierOfSigner(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("read verifier key: %w", err)
	}
	return NewVerifier(string(text))
}

// verifierOfSigner derives the verifier key from the signing key. It is needed if a crash came
// after the signing key was written and before the verifier key was.
func verifierOfSigner(dir string) (*Verifier, error) {
	text, err := os.ReadFile(keyFile(dir))
	if err != nil {
		return nil, fmt.Errorf("read verifier key: %w", err)
	}
	// The form is PRIVATE+KEY+name+hash+base64, where base64 may have a +, too.
	parts := strings.SplitN(strings.TrimSpace(string(text)), "+", 5)
	seed, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return nil, fmt.Errorf("read signing key %s: it is not one", keyFile(dir))
	}
	public, ok := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("read signing key %s: it is not one", keyFile(dir))
	}
	key, err := note.NewEd25519VerifierKey(origin, public)
	if err != nil {
		return nil, fmt.Errorf("read signing key %s: %w", keyFile(dir), err)
	}
	return NewVerifier(key)
}

// ErrForged is the error of a checkpoint without a valid signature of the key.
var ErrForged = errors.New("checkpoint is not signed by the key")

// HasSigner reports whether there is a valid signing key in a folder.
func HasSigner(dir string) bool {
	_, err := os.Stat(keyFile(dir))
	return err == nil
}

// HasTraces reports whether a folder has a verifier key or a checkpoint, so that a chain was signed
// there.
func HasTraces(dir string) bool {
	_, public := os.Stat(verifierFile(dir))
	_, signed := os.Stat(checkpointFile(dir))
	return public == nil || signed == nil
}

// HasKey reports whether there is a signing key in a folder.
func HasKey(dir string) bool {
	_, secret := os.Stat(keyFile(dir))
	_, public := os.Stat(verifierFile(dir))
	return secret == nil || public == nil
}

// Read returns the head in a checkpoint. Without a valid signature it returns an error.
func (v *Verifier) Read(checkpoint string) (Head, error) {
	n, err := note.Open([]byte(checkpoint), note.VerifierList(v.verifier))
	if err != nil {
		return Head{}, fmt.Errorf("%w: %w", ErrForged, err)
	}
	lines := strings.Split(n.Text, "\n")
	if len(lines) != 4 || lines[0] != origin || lines[3] != "" {
		return Head{}, fmt.Errorf("%w: it is of something else", ErrForged)
	}
	length, err := strconv.ParseInt(lines[1], 10, 64)
	sum, err2 := base64.StdEncoding.DecodeString(lines[2])
	if err = errors.Join(err, err2); err != nil || length < 0 {
		return Head{}, fmt.Errorf("%w: its numbers are none", ErrForged)
	}
	return Head{length, hex.EncodeToString(sum)}, nil
}

// Load reads the checkpoint in the folder of the key; ok is false if there is none.
func (v *Verifier) Load(dir string) (h Head, ok bool, err error) {
	text, err := os.ReadFile(checkpointFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return Head{}, false, nil
	}
	if err != nil {
		return Head{}, false, fmt.Errorf("read checkpoint: %w", err)
	}
	h, err = v.Read(string(text))
	return h, err == nil, err
}
