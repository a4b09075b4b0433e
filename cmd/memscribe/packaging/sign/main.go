// Command sign signs the named files in the formats of minisign (.minisig) and
// OpenSSH (.sig). The seed is in MEMSCRIBE_SIGNING_KEY: 32 random bytes in base64,
// as "openssl rand -base64 32" prints. It prints the public key in both forms.
package main

import (
	"fmt"
	"os"

	"github.com/memscribe/memscribe/internal/signature"
)

// main signs the files named by its arguments.
func main() {
	if err := sign(os.Getenv("MEMSCRIBE_SIGNING_KEY"), os.Args[1:]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sign signs each file with the key made of the seed.
func sign(seed string, names []string) error {
	key, err := signature.NewPrivate(seed)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err = signFile(key, name); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(os.Stdout, "%s\n%s\n", key.Public(), key.Public().OpenSSH())
	return err
}

// signFile writes both signatures of a file beside it.
func signFile(key signature.Private, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read what to sign: %w", err)
	}
	if err = os.WriteFile(name+".minisig", key.Sign(text, "a release of Memscribe"), 0o644); err == nil { //nolint:gosec // it is published
		err = os.WriteFile(name+".sig", key.SignOpenSSH(text), 0o644) //nolint:gosec // it is published
	}
	if err != nil {
		return fmt.Errorf("write signature: %w", err)
	}
	return nil
}
