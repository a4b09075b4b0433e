package release

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/memscribe/memscribe/internal/signature"
)

// maxSums bounds a list of checksums, its signature and a key, in bytes.
const maxSums = 1 << 20

// Verify checks that a program belongs to a release, and returns the name that the list of
// checksums has for it. program and sums are files; the signature is read from the file sums
// with .minisig behind it. key is a public key, or the name of a file with one.
//
// The signature is checked before the list is believed. The program is only read, never run.
func Verify(program, sums, key string) (name string, err error) {
	text, err := readBounded(sums)
	if err != nil {
		return "", err
	}
	sig, err := readBounded(sums + ".minisig")
	if err != nil {
		return "", err
	}
	public, err := keyOf(key)
	if err != nil {
		return "", err
	}
	if _, err = public.Check(text, sig); err != nil {
		return "", fmt.Errorf("verify %s: %w", sums, err)
	}
	sum, err := sumOf(program)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if is, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && is == sum {
			return strings.TrimLeft(name, " *./"), nil
		}
	}
	return "", fmt.Errorf("verify %s: no program in it has the sum %s", sums, sum)
}

// keyOf returns a public key that is given as text, or as the name of a file that has it.
func keyOf(key string) (signature.Public, error) {
	if public, err := signature.ParsePublic(key); err == nil {
		return public, nil
	}
	text, err := readBounded(key)
	if err != nil {
		return signature.Public{}, err
	}
	return signature.ParsePublic(string(text))
}

// sumOf returns the SHA-256 of a program in hex.
func sumOf(program string) (string, error) {
	f, err := os.Open(program)
	if err != nil {
		return "", fmt.Errorf("read program: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read program: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readBounded reads a file of checksums or a signature, 1 MiB at most.
func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read checksums: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSums+1))
	if err == nil && len(b) > maxSums {
		err = errors.New("larger than 1 MiB")
	}
	if err != nil {
		return nil, fmt.Errorf("read checksums: %s: %w", name, err)
	}
	return b, nil
}
