package signature_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/signature"
)

func key(t testing.TB, fill byte) signature.Private {
	t.Helper()
	k, err := signature.NewPrivate(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{fill}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestFlippedBit flips every bit of a signature and of its text in turn: none of them is
// taken, but for the comment that the form leaves unsigned.
func TestFlippedBit(t *testing.T) {
	k, text := key(t, 1), []byte("a sum  a file\n")
	sig := k.Sign(text, "version 1.2.3")
	public, err := signature.ParsePublic("untrusted comment: of a test\n" + k.Public().String() + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if comment, err := public.Check(text, sig); err != nil || comment != "version 1.2.3" {
		t.Fatalf("%q, %v", comment, err)
	}
	unsigned := bytes.IndexByte(sig, '\n')
	for i := range 8 * len(sig) {
		bad := bytes.Clone(sig)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := public.Check(text, bad); !errors.Is(err, signature.ErrWrong) && i/8 >= unsigned && i/8 < len(sig)-1 {
			t.Errorf("bit %d of byte %d flipped: %v", i%8, i/8, err)
		}
	}
	for i := range 8 * len(text) {
		bad := bytes.Clone(text)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := public.Check(bad, sig); !errors.Is(err, signature.ErrWrong) {
			t.Errorf("bit %d of the text flipped: %v", i, err)
		}
	}
	if _, err := key(t, 2).Public().Check(text, sig); !errors.Is(err, signature.ErrWrong) {
		t.Errorf("another key: %v", err)
	}
}

// TestOpenSSL has openssl check a signature in minisign's form.
func TestOpenSSL(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not here")
	}
	k, dir := key(t, 3), t.TempDir()
	text := []byte("what is signed\n")
	sig := k.Sign(text, "none")
	decoded := func(line string) []byte {
		b, err := base64.StdEncoding.DecodeString(line)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	head := decoded(strings.Split(string(sig), "\n")[1])
	der := append([]byte("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"), decoded(k.Public().String())[10:]...)
	for name, b := range map[string][]byte{"text": text, "sig": head[10:], "key": der, "other": []byte("what is singed\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string) (string, error) {
		cmd := exec.CommandContext(t.Context(), openssl, "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", "key", "-sigfile", "sig", "-in", name)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := check("text"); strings.Contains(out, "Usage") || strings.Contains(out, "nown option") {
		t.Skipf("openssl is too old: %s", out)
	} else if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := check("other"); err == nil {
		t.Errorf("another text is taken: %s", out)
	}
}

// TestOpenSSH has ssh-keygen check a signature in its own form.
func TestOpenSSH(t *testing.T) {
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not here")
	}
	k, dir := key(t, 4), t.TempDir()
	text := []byte("what is signed\n")
	for name, b := range map[string][]byte{"sig": k.SignOpenSSH(text), "signers": []byte("memscribe " + k.Public().OpenSSH() + "\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(text []byte) (string, error) {
		cmd := exec.CommandContext(t.Context(), keygen, "-Y", "verify", "-f", "signers", "-I", "memscribe", "-n", "memscribe", "-s", "sig")
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(text)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := check(text); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := check([]byte("what is singed\n")); err == nil {
		t.Errorf("another text is taken: %s", out)
	}
}

func TestUnreadableKeys(t *testing.T) {
	for _, text := range []string{"", "RWQ", "untrusted comment: x\n", strings.Repeat("A", 56)} {
		if _, err := signature.ParsePublic(text); err == nil {
			t.Errorf("%q is taken for a public key", text)
		}
		if _, err := signature.NewPrivate(text); err == nil {
			t.Errorf("%q is taken for a seed", text)
		}
	}
}
