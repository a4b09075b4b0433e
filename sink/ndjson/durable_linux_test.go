package ndjson_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink/ndjson"
)

// durableLog tells a child of the test where its log is.
const durableLog = "MEMSCRIBE_DURABLE_LOG"

// TestNewFoldersAreDurable has a child make a log under strace: every folder in
// which a name is new must have been synced. What strace says of a call that another
// thread interrupts has no end: "fsync(7</a/b> <unfinished ...>".
func TestNewFoldersAreDurable(t *testing.T) {
	if path := os.Getenv(durableLog); path != "" {
		l, err := ndjson.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		apply(t, l, node("s", 1, "decision:1", "x"))
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace here")
	}
	there, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(there, "a", "b", "nodes.ndjson")
	cmd := exec.CommandContext(t.Context(), strace, "-f", "-y", "-e", "trace=fsync,fdatasync", os.Args[0], "-test.run=^TestNewFoldersAreDurable$")
	cmd.Env = append(os.Environ(), durableLog+"="+log)
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		if _, ended := errors.AsType[*exec.ExitError](err); ended && strings.Contains(said.String(), "ptrace") {
			t.Skipf("strace is not allowed here: %s", said.String())
		}
		t.Fatalf("%v\n%s", err, said.String())
	}
	for name := log; name != filepath.Dir(there); name = filepath.Dir(name) {
		if !strings.Contains(said.String(), "<"+name+">") {
			t.Errorf("%s was not synced", name)
		}
	}
}
