package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnotherStateFolder sends to a server without tokens from a watch that has another
// state folder: what was captured is internal, which the server does not believe. It
// waits in the spool, and watch says what to do. With a token, and with the server's
// state folder, all of it arrives.
func TestAnotherStateFolder(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts several processes")
	}
	w := &refusing{world: &world{t: t, dir: t.TempDir(), address: freeAddress(t)}}
	w.put(0, transcripts(t)[0])
	want := len(w.replayed())
	mine := filepath.Join(w.dir, "mine")
	defer w.startUntil("serving memories", "memdb", "serve", "--addr", w.address, "--db", w.database(), "--state-dir", mine)()
	watch := func(args ...string) string {
		cmd := w.command(t.Context(), append([]string{"watch", "--once", "--root", filepath.Join(w.dir, "r"), "--memdb-url", "http://" + w.address}, args...)...)
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("watch %v: %v\n%s", args, err, said)
		}
		return string(said)
	}
	other := filepath.Join(w.dir, "other")
	said := watch("--state-dir", other)
	for _, part := range []string{"wait in the spool", "needs a right", "the same --state-dir", "memdb token create"} {
		if !strings.Contains(said, part) {
			t.Errorf("watch does not say %q:\n%s", part, said)
		}
	}
	if held := remembered(w.database()); len(held) != 0 {
		t.Errorf("%d memories were taken from who may not say that they are internal", len(held))
	}
	watch("--state-dir", mine)
	if got := len(w.captured(want)); got != want {
		t.Errorf("%d memories came with the server's state folder, want %d", got, want)
	}
	w.call(http.MethodDelete, "/v1/namespaces/captured?purge=true", "", http.StatusNoContent)

	token := filepath.Join(w.dir, "token")
	made := w.run("memdb", "token", "create", "capture", "--namespace", "captured", "--right", "admin", "--db", w.database(), "--state-dir", mine)
	if err := os.WriteFile(token, bytes.TrimSpace([]byte(made)), 0o600); err != nil {
		t.Fatal(err)
	}
	watch("--state-dir", other, "--memdb-token-file", token)
	if got := len(w.captured(want)); got != want {
		t.Errorf("%d memories came from the spool with a token, want %d", got, want)
	}
}
