package durable_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/memscribe/memscribe/internal/durable"
)

// TestCreate makes folders for the user alone, and leaves those that are there.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := durable.Create(filepath.Join(dir, "a", "b")); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]os.FileMode{".": 0o755, "a": 0o700, "a/b": 0o700} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s: got %v, want %v", name, info.Mode().Perm(), want)
		}
	}
	if err := durable.Sync(filepath.Join(dir, "none")); runtime.GOOS != "windows" && err == nil {
		t.Error("a folder is synced that is not there")
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := durable.Create(filepath.Join(file, "below")); err == nil {
		t.Error("a folder is made below a file")
	}
}
