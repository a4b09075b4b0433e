//go:build unix

package exchange_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/exchange"
)

// name is the name of a file of an exchange.
const name = "0123456789abcdef/00000001.age"

// remote puts a program named ssh into PATH, which does what a script says, and returns a place
// that is reached by it, and the folder of that place. In the script $what is what the other machine
// is to do.
func remote(t *testing.T, script string) (place *exchange.SSH, dir string) {
	t.Helper()
	bin, dir := t.TempDir(), t.TempDir()
	text := "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '" + bin + "/asked'\nfor what; do :; done\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(bin, "ssh"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("ASKED", filepath.Join(bin, "asked"))
	place, err := exchange.ParseSSH("ssh://host" + dir)
	if err != nil {
		t.Fatal(err)
	}
	place.Hasten(time.Minute, time.Minute)
	return place, dir
}

// asked is how ssh was called until now.
func asked(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(os.Getenv("ASKED"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// obedient does at this machine what it is told to do there.
const obedient = `exec sh -c "$what"`

func TestSSH(t *testing.T) {
	place, dir := remote(t, obedient)
	if names, err := place.List(t.Context()); err != nil || len(names) != 0 {
		t.Errorf("an empty folder: %q, %v", names, err)
	}
	data := bytes.Repeat([]byte("sealed\x00"), 100_000)
	if err := place.Write(t.Context(), name, data); err != nil {
		t.Fatal(err)
	}
	if got, err := place.Read(t.Context(), name, int64(len(data))); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes came back, %v", len(got), err)
	}
	if names, err := place.List(t.Context()); err != nil || fmt.Sprint(names) != "["+name+"]" {
		t.Errorf("it lists %q, %v", names, err)
	}
	if _, err := place.Read(t.Context(), name, int64(len(data))-1); err == nil || !strings.Contains(err.Error(), "more than 699999 bytes") {
		t.Errorf("one byte too many: %v", err)
	}
	if err := place.Write(t.Context(), name, data); err == nil || !strings.Contains(err.Error(), "there is a file of that name") {
		t.Errorf("written twice: %v", err)
	}
	info, err := os.Stat(filepath.Join(dir, exchange.Root, name))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for _, option := range []string{"-a", "-x", "BatchMode=yes", "ConnectTimeout=", "ServerAliveInterval=", "ClearAllForwardings=yes", "-- host "} {
		if n := strings.Count(asked(t), option); n != 6 {
			t.Errorf("ssh had %s %d times of 6", option, n)
		}
	}
}

// TestSSHBrokenOff has the connection break while a file is written: the other machine sees the end
// of the input, and must not take what has come for the file.
func TestSSHBrokenOff(t *testing.T) {
	place, dir := remote(t, `head -c 70000 | sh -c "$what"`)
	err := place.Write(t.Context(), name, bytes.Repeat([]byte("x"), 100_000))
	if err == nil || !strings.Contains(err.Error(), "not arrived whole") {
		t.Errorf("got %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, exchange.Root, "*", "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestSSHFollowsNoLink has somebody else who may write to the folder put links where the file will be.
func TestSSHFollowsNoLink(t *testing.T) {
	place, dir := remote(t, obedient)
	mine := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, exchange.Root, filepath.Dir(name))
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(mine, filepath.Join(at, ".new-"+filepath.Base(name))); err != nil {
		t.Fatal(err)
	}
	if err := place.Write(t.Context(), name, []byte("sealed")); err != nil {
		t.Error(err)
	}
	second := filepath.Join(filepath.Dir(name), "00000002.age")
	if err := os.Symlink(mine, filepath.Join(dir, exchange.Root, second)); err != nil {
		t.Fatal(err)
	}
	if err := place.Write(t.Context(), second, []byte("sealed")); err == nil {
		t.Error("written through a link")
	}
	if text, err := os.ReadFile(mine); string(text) != "mine" || err != nil {
		t.Errorf("another file was written to: %q, %v", text, err)
	}
}

// TestHostileSSH has the other machine hang, talk without an end, and name files that are none.
func TestHostileSSH(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 1<<20)
	list := func(s *exchange.SSH) error { _, err := s.List(t.Context()); return err }
	read := func(s *exchange.SSH) error { _, err := s.Read(t.Context(), name, 1<<10); return err }
	write := func(s *exchange.SSH) error { return s.Write(t.Context(), name, big) }
	const short, long = 300 * time.Millisecond, time.Minute
	for what, c := range map[string]struct {
		script         string
		quiet, command time.Duration
		do             func(*exchange.SSH) error
		want           string
	}{
		"says nothing":                  {"exec sleep 60", short, long, list, "answered nothing for too long"},
		"says nothing to what it wrote": {"cat > /dev/null; exec sleep 60", short, long, write, "answered nothing for too long"},
		"takes nothing":                 {"exec sleep 60", short, long, write, "answered nothing for too long"},
		"leaves somebody behind":        {"sleep 60 & exec sleep 60", short, long, read, "answered nothing for too long"},
		"complains without an end":      {"yes >&2", short, long, read, "answered nothing for too long"},
		"talks without an end":          {"yes", long, long, read, "more than 1024 bytes"},
		"lists without an end":          {"yes " + name, long, long, list, "more than"},
		"talks a little, for ever":      {"while :; do echo; sleep 0.05; done", long, short, list, "taken too long"},
		"has another key":               {"echo 'WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!\nHost key verification failed.' >&2; exit 255", long, long, list, "not the one that it had before"},
		"has a key that is not known":   {"echo 'Host key verification failed.' >&2; exit 255", long, long, list, "run 'ssh host' once"},
		"wants a password":              {"echo 'me@host: Permission denied (publickey,password).' >&2; exit 255", long, long, list, "no password is asked for here"},
	} {
		t.Run(what, func(t *testing.T) {
			place, _ := remote(t, c.script)
			place.Hasten(c.quiet, c.command)
			if err := c.do(place); err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 8<<10 {
				t.Errorf("got %.300v, want %s", err, c.want)
			}
		})
	}
}

// TestSSHEndedWell: ssh has answered and ended, and what it has started has not.
func TestSSHEndedWell(t *testing.T) {
	place, _ := remote(t, "sleep 60 & echo ./"+name)
	place.Hasten(300*time.Millisecond, time.Minute)
	if names, err := place.List(t.Context()); err != nil || fmt.Sprint(names) != "["+name+"]" {
		t.Errorf("it lists %q, %v", names, err)
	}
}

// TestHostileNames has the other machine name files elsewhere, the same twice, and those of more
// machines than anybody has.
func TestHostileNames(t *testing.T) {
	key := newKey(t)
	m := newMachine(t, key)
	const lists = "case \"$what\" in *find*) %s;; *) echo nothing;; esac"
	place, _ := remote(t, fmt.Sprintf(lists, "echo ./../../../../etc/passwd; echo /etc/shadow.age; echo ./0123456789abcdef/../../x.age; echo \"./0123456789abcdef/';id;'.age\"; echo ./"+name+"; echo ./"+name))
	r, err := m.run(place)
	if err != nil || r.Machines != 1 || r.Aside != 1 {
		t.Errorf("%+v, %v, %q", r, err, m.aside)
	}
	if n := strings.Count(asked(t), "\n"); n != 2 || strings.Contains(asked(t), "..") {
		t.Errorf("ssh was called %d times: %s", n, asked(t))
	}
	place, _ = remote(t, fmt.Sprintf(lists, `seq 1 2000 | while read -r n; do printf './%016d/00000001.age\n' "$n"; done`))
	if _, err = newMachine(t, key).run(place); err == nil || !strings.Contains(err.Error(), "files of 2000 machines") {
		t.Errorf("files of 2000 machines: %v", err)
	}
	place, _ = remote(t, fmt.Sprintf(lists, `seq 1 500 | while read -r n; do printf './%016d/00000001.age\n' "$n"; done`))
	if _, err = newMachine(t, key).run(place); err == nil || !strings.Contains(err.Error(), "more than 100 files") || strings.Count(asked(t), "\n") > 110 {
		t.Errorf("500 files that cannot be read: %v", err)
	}
}
