package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestStatusAddress asks a watch how it is.
func TestStatusAddress(t *testing.T) {
	dir := t.TempDir()
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345" // in the name of a transcript
	session, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, secret+".jsonl"), session, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "memscribe", "watch", "--root", dir, "--out", filepath.Join(dir, "n.db"),
		"--state-dir", filepath.Join(dir, "state"), "--status-addr", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	address := regexp.MustCompile(`msg="serving status" address=(\S+)`)
	in := bufio.NewScanner(stderr)
	for in.Scan() {
		at := address.FindStringSubmatch(in.Text())
		if at == nil {
			continue
		}
		for path, want := range map[string]string{"/healthz": `"status":"`, "/metrics": "memscribe_transcripts "} {
			got := fetch(t, "http://"+at[1]+path)
			if path == "/metrics" { // it may not have caught up yet
				for !strings.Contains(got, "memscribe_stream_bytes{") {
					got = fetch(t, "http://"+at[1]+path)
				}
			}
			if !strings.Contains(got, want) || strings.Contains(got, secret) {
				t.Errorf("%s: %s", path, got)
			}
		}
		return
	}
	t.Fatal("watch did not say where it serves its status")
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
