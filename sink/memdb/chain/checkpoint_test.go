package chain_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/chain"
)

func openSigner(t *testing.T, dir string) (*chain.Signer, *chain.Verifier) {
	t.Helper()
	s, err := chain.OpenSigner(dir, rand.Reader)
	v, err2 := chain.OpenVerifier(dir)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return s, v
}

func TestCheckpoint(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s, v := openSigner(t, dir)
	if h, ok, err := v.Load(dir); err != nil || !ok || h.Length != 0 {
		t.Errorf("a new key vouches for %v, %v, %v", h, ok, err)
	}
	want := chain.Head{Length: 42, Hash: chain.Sum([]byte("x"))}
	if err := s.Save(dir, want); err != nil {
		t.Fatal(err)
	}
	_, again := openSigner(t, dir)
	if h, ok, err := again.Load(dir); err != nil || !ok || h != want {
		t.Errorf("loaded %v, %v, %v", h, ok, err)
	}
}

func TestForgedCheckpoint(t *testing.T) {
	s, v := openSigner(t, t.TempDir())
	other, _ := openSigner(t, t.TempDir())
	h := chain.Head{Length: 7, Hash: chain.Sum([]byte("x"))}
	good, err := s.Sign(h)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := other.Sign(h)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"another's key": foreign, "longer": strings.Replace(good, "\n7\n", "\n8\n", 1), "nothing": "",
		"no signature": strings.SplitAfter(good, "\n\n")[0],
	} {
		if h, err := v.Read(text); err == nil {
			t.Errorf("%s: vouches for %v", name, h)
		}
	}
}

// TestKeyIsPrivate also loses the public half, as a crash may.
func TestKeyIsPrivate(t *testing.T) {
	dir := t.TempDir()
	s, _ := openSigner(t, dir)
	if info, err := os.Stat(filepath.Join(dir, "memdb.key")); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("key: %v, %v", info.Mode(), err)
	}
	if err := os.Remove(filepath.Join(dir, "memdb.key.pub")); err != nil {
		t.Fatal(err)
	}
	v, err := chain.OpenVerifier(dir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Sign(chain.Head{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Read(text); err != nil {
		t.Error(err)
	}
}

// TestOneKey opens a folder from many sides at once.
func TestOneKey(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	signed := make([]string, 8)
	for i := range signed {
		all.Go(func() {
			s, err := chain.OpenSigner(dir, rand.Reader)
			if err != nil {
				t.Error(err)
				return
			}
			signed[i], err = s.Sign(chain.Head{})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, text := range signed {
		if text != signed[0] {
			t.Errorf("two keys:\n%s\n%s", signed[0], text)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".memdb.*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
