package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

// sshServer starts a server of ssh on loopback, for the user who runs the test, and returns
// its port. The ssh in PATH takes its settings from a file of the test.
func sshServer(t *testing.T) (port string) {
	t.Helper()
	program, err := exec.LookPath("sshd")
	if err != nil {
		if _, err = os.Stat("/usr/sbin/sshd"); err != nil {
			t.Skip("sshd is not there")
		}
		program = "/usr/sbin/sshd"
	}
	client, err := exec.LookPath("ssh")
	if err != nil {
		t.Skip("ssh is not there")
	}
	dir := t.TempDir()
	for _, key := range []string{"host", "own"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen: %v: %s", err, out)
		}
	}
	address := freeAddress(t)
	_, port, err = net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	own, err := os.ReadFile(filepath.Join(dir, "own.pub"))
	if err != nil {
		t.Fatal(err)
	}
	write("authorized", string(own), 0o600)
	write("server", fmt.Sprintf("ListenAddress %s\nHostKey %s/host\nAuthorizedKeysFile %s/authorized\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\n",
		address, dir, dir), 0o600)
	write("client", fmt.Sprintf("IdentityFile %s/own\nIdentitiesOnly yes\nStrictHostKeyChecking no\nUserKnownHostsFile %s/known\nLogLevel ERROR\n", dir, dir), 0o600)
	bin := filepath.Join(dir, "bin")
	if err = os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	write("bin/ssh", fmt.Sprintf("#!/bin/sh\nexec %s -F %s/client \"$@\"\n", client, dir), 0o700)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	_ = os.MkdirAll("/run/sshd", 0o755) // where it is asked for, and may be made
	server := exec.CommandContext(t.Context(), program, "-D", "-e", "-f", filepath.Join(dir, "server"))
	says, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() })
	lines := bufio.NewScanner(says)
	var said []string
	for lines.Scan() {
		if said = append(said, lines.Text()); strings.Contains(lines.Text(), "Server listening on") {
			go func() { _, _ = io.Copy(io.Discard, says) }()
			return port
		}
	}
	t.Skipf("sshd does not start here: %q", said)
	return ""
}

// TestMeetBySSH has two machines meet at a folder that ssh reaches.
func TestMeetBySSH(t *testing.T) {
	port := sshServer(t)
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	ann, bob := newMember(t, "Ann"), newMember(t, "Bob")
	ann.talk(aSession, 1, ann.clone)
	bob.talk(aRewind, 2, bob.clone)
	ann.run("watch", "--once")
	bob.run("watch", "--once")
	key, shared := filepath.Join(t.TempDir(), "key"), filepath.Join(t.TempDir(), "it's shared")
	ann.run("sync", "--new-key", key)
	at := "ssh://" + me.Username + "@127.0.0.1:" + port + strings.ReplaceAll(shared, " ", "%20")
	if said, code := ann.in("sync", at, "--key", key); code != 1 || !strings.Contains(said, "look through shared folder") {
		t.Errorf("a folder that is not there: %d %s", code, said)
	}
	if err = os.Mkdir(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ann.does("sync", at, "--key", key)
		bob.does("sync", at, "--key", key)
	}
	a, b := strings.Join(ann.nodes(), "\n"), strings.Join(bob.nodes(), "\n")
	if a != b || !strings.Contains(a, ann.clone) || !strings.Contains(a, bob.clone) {
		t.Errorf("ann has\n%s\nbob has\n%s", a, b)
	}
	if said, code := ann.in("sync", "ssh://127.0.0.1:1/nowhere", "--key", key); code != 1 || !strings.Contains(said, "ssh 127.0.0.1: ") {
		t.Errorf("a machine that does not answer: %d %s", code, said)
	}
}
