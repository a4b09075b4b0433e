package main

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page of health says of each source what the watch that runs says of it: what it
// took in, what of that has drifted from the form that is known, and how late it was.
func TestServeHealth(t *testing.T) {
	w := newServed(t)
	transcripts := filepath.Join(w.dir, "transcripts")
	if err := os.Mkdir(transcripts, 0o700); err != nil {
		t.Fatal(err)
	}
	session, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	drifted := strings.TrimSuffix(string(session), "\n") + "\n" + `{"type":"of-next-year","sessionId":"s","uuid":"u"}` + "\nno json\n"
	if err := os.WriteFile(filepath.Join(transcripts, "s.jsonl"), []byte(drifted), 0o600); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(w.dir, "watched.db")
	watch := w.command(t.Context(), "watch", "--root", transcripts, "--sink", "sqlite", "--out", db, "--state-dir", filepath.Join(w.dir, "state"), "--status-addr", "127.0.0.1:0")
	address := w.statusOf(watch)
	type health struct {
		Watch struct {
			Unknown, State string
			Sources        []struct {
				Tool                        string
				Records, Unknown, Malformed int64
				Lag                         *int64 `json:"lag_ms"`
			}
		}
	}
	b := w.newBrowser(filepath.Join(w.dir, "n.db"), "--status-addr", address)
	var got health
	for got.Watch.State != "following" || len(got.Watch.Sources) == 0 { // it has to catch up first
		got = health{}
		b.json("/health?format=json", &got)
		if got.Watch.Unknown != "" {
			t.Fatalf("not known: %s", got.Watch.Unknown)
		}
	}
	s := got.Watch.Sources[0]
	if s.Tool != "claude_code" || s.Records != int64(strings.Count(drifted, "\n")) || s.Unknown != 1 || s.Malformed != 1 || s.Lag == nil {
		t.Errorf("the source is %+v", s)
	}
	if status, page := b.get("/health"); status != http.StatusOK || !strings.Contains(page, "Not described") || !strings.Contains(page, "following") {
		t.Errorf("the page answers %d: %s", status, page)
	}
	_ = watch.Process.Kill()
	_ = watch.Wait() // it was killed
	got = health{}
	if b.json("/health?format=json", &got); !strings.Contains(got.Watch.Unknown, address) || len(got.Watch.Sources) > 0 {
		t.Errorf("without a watch the page says %+v", got.Watch)
	}
	got = health{}
	without := w.newBrowser(filepath.Join(w.dir, "n.db"))
	if without.json("/health?format=json", &got); !strings.Contains(got.Watch.Unknown, "status_addr") {
		t.Errorf("without an address the page says %+v", got.Watch)
	}
	got = health{}
	elsewhere := w.newBrowser(filepath.Join(w.dir, "n.db"), "--status-addr", "192.0.2.1:80")
	if elsewhere.json("/health?format=json", &got); !strings.Contains(got.Watch.Unknown, "192.0.2.1:80") {
		t.Errorf("with an address of another machine the page says %+v", got.Watch)
	}
}

// statusOf starts a watch and returns where it says how it stands.
func (w *world) statusOf(watch *exec.Cmd) string {
	w.t.Helper()
	stderr, err := watch.StderrPipe()
	if err == nil {
		err = watch.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = watch.Process.Kill(); _ = watch.Wait() })
	address := regexp.MustCompile(`msg="serving status" address=(\S+)`)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if at := address.FindStringSubmatch(lines.Text()); at != nil {
			go func() {
				for lines.Scan() {
					continue // what nobody reads would hold it up
				}
			}()
			return at[1]
		}
	}
	w.t.Fatal("watch does not say where it serves its status")
	return ""
}
