package signature_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/signature"
)

// FuzzCheck checks any text with any signature: none but the text that was signed is taken, and with
// it the comment that was signed.
func FuzzCheck(f *testing.F) {
	k, text := key(f, 5), []byte("a sum  a file\n")
	public, sig := k.Public(), k.Sign(text, "version 1.2.3")
	f.Add(text, sig)
	f.Add([]byte("a sum  another\n"), sig)
	f.Add(text, k.SignOpenSSH(text))
	f.Add(text, bytes.ReplaceAll(sig, []byte("\n"), []byte("\r\n")))
	f.Add(text, key(f, 6).Sign(text, "version 1.2.3"))
	f.Add(text, []byte("untrusted comment: \n\ntrusted comment: \n"))
	f.Fuzz(func(t *testing.T, said, by []byte) {
		comment, err := public.Check(said, by)
		switch {
		case err == nil && (!bytes.Equal(said, text) || comment != "version 1.2.3"):
			t.Fatalf("takes %q and the comment %q", said, comment)
		case err != nil && !errors.Is(err, signature.ErrWrong):
			t.Fatalf("%v is not ErrWrong", err)
		}
	})
}

// FuzzParsePublic reads any text as a key. One that is taken is written as it was read.
func FuzzParsePublic(f *testing.F) {
	public := key(f, 7).Public().String()
	for _, seed := range []string{"", "\n", public, "untrusted comment: x\r\n" + public + "\r\n", public[1:], "RWQ=", strings.Repeat("A", 56)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := signature.ParsePublic(text)
		if err != nil {
			return
		}
		again, err := signature.ParsePublic(p.String())
		if err != nil || again.String() != p.String() || again.OpenSSH() != p.OpenSSH() {
			t.Fatalf("%q is %s, and that %s, %v", text, p, again, err)
		}
		if _, err := p.Check([]byte("text"), []byte(text)); err == nil {
			t.Fatal("checks anything")
		}
	})
}
