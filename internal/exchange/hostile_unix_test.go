//go:build unix

package exchange_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/memscribe/memscribe/internal/exchange"
)

// TestHostileFolder has others put into the shared folder what is no file of an exchange: pipes that
// nothing is written to, links that lead out, files without an end, copies under other names. Each
// is set aside with its name, and what the other machine wrote is received.
func TestHostileFolder(t *testing.T) {
	key, dir := newKey(t), t.TempDir()
	a, b := newMachine(t, key), newMachine(t, key)
	a.says("x", "words")
	a.meets(exchange.Folder(dir))
	root := filepath.Join(dir, exchange.Root)
	honest, err := filepath.Glob(filepath.Join(root, "*", "00000001.age"))
	if err != nil || len(honest) != 1 {
		t.Fatalf("%q, %v", honest, err)
	}
	whole, err := os.ReadFile(honest[0])
	if err != nil {
		t.Fatal(err)
	}
	hostile := map[string]func(at string) error{
		"aaaaaaaaaaaaaaaa": func(at string) error { return syscall.Mkfifo(at, 0o600) },
		"bbbbbbbbbbbbbbbb": func(at string) error { return os.Symlink("/dev/zero", at) },
		"cccccccccccccccc": func(at string) error { return os.Mkdir(at, 0o700) },
		"dddddddddddddddd": func(at string) error { return os.WriteFile(at, whole, 0o600) },
		"eeeeeeeeeeeeeeee": func(at string) error { return errors.Join(os.WriteFile(at, nil, 0o600), os.Truncate(at, 1<<40)) },
		"ffffffffffffffff": func(at string) error { return os.WriteFile(at, append(slices.Clip(whole), 'x'), 0o600) },
		"1111111111111111": func(at string) error { return os.WriteFile(at, whole[:len(whole)/2], 0o600) },
	}
	for machine, put := range hostile {
		if err := errors.Join(os.Mkdir(filepath.Join(root, machine), 0o700), put(filepath.Join(root, machine, "00000001.age"))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/", filepath.Join(root, "2222222222222222")); err != nil {
		t.Fatal(err)
	}
	if r := b.meets(exchange.Folder(dir)); r.Received != 1 || r.Aside != len(hostile) || b.nodes["decision:x"] != node("x", "words") {
		t.Errorf("%+v, %q", r, b.aside)
	}
	for machine := range hostile {
		if !strings.Contains(strings.Join(b.aside, "\n"), machine) {
			t.Errorf("%s is not named: %q", machine, b.aside)
		}
	}
}

// TestFolderFollowsNoLink has somebody put a link that leads out in the place of a machine's folder.
func TestFolderFollowsNoLink(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	a := newMachine(t, newKey(t))
	a.says("x", "words")
	a.meets(exchange.Folder(dir))
	own, err := filepath.Glob(filepath.Join(dir, exchange.Root, "*"))
	if err != nil || len(own) != 1 {
		t.Fatalf("%q, %v", own, err)
	}
	if err := errors.Join(os.RemoveAll(own[0]), os.Symlink(elsewhere, own[0])); err != nil {
		t.Fatal(err)
	}
	a.says("y", "more words")
	if _, err := a.run(exchange.Folder(dir)); err == nil || !strings.Contains(err.Error(), "write shared file") {
		t.Errorf("written through a link: %v", err)
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
}
