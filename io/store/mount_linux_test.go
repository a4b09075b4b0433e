package store_test

import (
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadOnlyMount reads a database that its owner has open in a folder which is
// mounted for reading only, as a snapshot or a container may be. It needs a
// namespace of its own, which not everybody may have.
func TestReadOnlyMount(t *testing.T) {
	for _, mode := range []string{"wal", "delete"} {
		o := newOwner(t, mode)
		o.say(t, "a", "one")
		dir := filepath.Dir(o.path)
		before := state(t, dir)
		got, made := "", false
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // and never unlocked: the namespace ends with the thread
			if syscall.Unshare(syscall.CLONE_NEWNS) != nil || syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "") != nil ||
				syscall.Mount(dir, dir, "", syscall.MS_BIND, "") != nil ||
				syscall.Mount("", dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "") != nil {
				return
			}
			fd, err := syscall.Creat(filepath.Join(dir, "new"), 0o600)
			if err == nil {
				_ = syscall.Close(fd)
				t.Errorf("the folder of %s can be written to", mode)
			}
			made = true
			got = everything(t, o.path)
		}()
		<-done
		if !made {
			t.Skip("a folder cannot be mounted for reading only here")
		}
		if got != "a one" {
			t.Errorf("%s: got %q", mode, got)
		}
		if diff := cmp.Diff(before, state(t, dir)); diff != "" {
			t.Errorf("%s: files (-before +after):\n%s", mode, diff)
		}
	}
}
