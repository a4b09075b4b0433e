package main

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// s3Server starts a server of S3 on loopback that keeps a bucket in a folder, and returns its
// address and the folder.
func s3Server(t *testing.T, id, secret string) (address, folder string) {
	t.Helper()
	program := os.Getenv("MEMSCRIBE_VERSITYGW")
	if program == "" {
		t.Skip("MEMSCRIBE_VERSITYGW names no versitygw: a server of S3 is not asked")
	}
	dir := t.TempDir()
	folder = filepath.Join(dir, "buckets", "meet")
	for _, name := range []string{folder, filepath.Join(dir, "about")} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	address = freeAddress(t)
	server := exec.CommandContext(t.Context(), program, "--access", id, "--secret", secret, "--port", address, "--quiet",
		"--health", "/health", "posix", "--sidecar", filepath.Join(dir, "about"), filepath.Join(dir, "buckets"))
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() })
	ctx, late := context.WithTimeout(t.Context(), time.Minute)
	defer late()
	for again := time.NewTicker(20 * time.Millisecond); ; <-again.C {
		asked, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/health", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(asked)
		if err == nil && answer.Body.Close() == nil && answer.StatusCode == http.StatusOK {
			return address, folder
		}
		if ctx.Err() != nil {
			t.Fatalf("the server of S3 does not answer: %v", err)
		}
	}
}

// TestMeetAtBucket has two machines meet in a bucket.
func TestMeetAtBucket(t *testing.T) {
	const id, secret = "ann-and-bob", "not a secret of anybody"
	address, folder := s3Server(t, id, secret)
	ann, bob := newMember(t, "Ann"), newMember(t, "Bob")
	ann.talk(aSession, 1, ann.clone)
	bob.talk(aRewind, 2, bob.clone)
	ann.run("watch", "--once")
	bob.run("watch", "--once")
	key := filepath.Join(t.TempDir(), "key")
	ann.run("sync", "--new-key", key)
	at := "s3://meet/of%20ours?region=us-east-1&endpoint=http://" + address
	t.Setenv("AWS_ACCESS_KEY_ID", id)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	if said, code := ann.in("sync", at, "--key", key); code != 1 || !strings.Contains(said, "look through bucket meet: ") || strings.Contains(said, "wrong") {
		t.Errorf("wrong keys: %d %s", code, said)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	for range 2 {
		ann.does("sync", at, "--key", key)
		bob.does("sync", at, "--key", key)
	}
	a, b := strings.Join(ann.nodes(), "\n"), strings.Join(bob.nodes(), "\n")
	if a != b || !strings.Contains(a, ann.clone) || !strings.Contains(a, bob.clone) {
		t.Errorf("ann has\n%s\nbob has\n%s", a, b)
	}
	if names, err := filepath.Glob(filepath.Join(folder, "of ours", "memscribe-sync-v1", "*", "*.age")); err != nil || len(names) != 2 {
		t.Errorf("the bucket has %q, %v", names, err)
	}
	credentials := filepath.Join(t.TempDir(), "credentials")
	text := "[home]\naws_access_key_id = " + id + "\naws_secret_access_key = " + secret + "\n"
	if err := os.WriteFile(credentials, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", credentials)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	ann.does("sync", at+"&profile=home", "--key", key)
	if said, code := ann.in("sync", "s3://nowhere?region=us-east-1&profile=home&endpoint=http://"+address, "--key", key); code != 1 || !strings.Contains(said, "bucket nowhere: ") {
		t.Errorf("a bucket that is not there: %d %s", code, said)
	}
}
