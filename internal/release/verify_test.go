package release_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/release"
	"github.com/memscribe/memscribe/internal/signature"
)

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, b []byte) string {
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return at
	}
	key, err := signature.NewPrivate(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	if err != nil {
		t.Fatal(err)
	}
	program := put("memscribe", []byte("a program"))
	text := fmt.Appendf(nil, "%x  ./linux-amd64/memscribe\n", sha256.Sum256([]byte("a program")))
	sums, sig := put("SHA256SUMS", text), key.Sign(text, "")
	put("SHA256SUMS.minisig", sig)
	inFile := put("memscribe.pub", []byte("untrusted comment: of a test\n"+key.Public().String()+"\n"))
	for _, k := range []string{key.Public().String(), inFile} {
		if name, err := release.Verify(program, sums, k); err != nil || name != "linux-amd64/memscribe" {
			t.Errorf("%q, %v", name, err)
		}
	}
	if _, err := release.Verify(put("other", []byte("another program")), sums, inFile); err == nil || !strings.Contains(err.Error(), "no program in it") {
		t.Errorf("another program: %v", err)
	}
	put("SHA256SUMS", bytes.ToUpper(text))
	if _, err := release.Verify(program, sums, inFile); !errors.Is(err, signature.ErrWrong) {
		t.Errorf("other sums: %v", err)
	}
	put("SHA256SUMS", make([]byte, 1<<20+1))
	if _, err := release.Verify(program, sums, inFile); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("too many sums: %v", err)
	}
}
