package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// curlCall is a call of curl that a page shows, and the status of its answer.
type curlCall struct{ shell, status string }

// curlCalls finds the calls of curl in the blocks of shell of a page. A comment behind one
// says the status where that is an error; a line that ends in \ or within quotes continues.
func curlCalls(page string) (all []curlCall) {
	comment := regexp.MustCompile(`\s+# ?(\d{3})?.*$`)
	text := ""
	for _, line := range shellLines(page) {
		if text == "" && !strings.HasPrefix(line, "curl ") {
			continue
		}
		status := "20."
		if at := comment.FindStringSubmatchIndex(line); at != nil {
			if at[2] >= 0 {
				status = line[at[2]:at[3]]
			}
			line = line[:at[0]]
		}
		text += line + "\n"
		if strings.HasSuffix(line, `\`) || strings.Count(text, "'")%2 == 1 {
			continue
		}
		all, text = append(all, curlCall{text, status}), ""
	}
	return all
}

// TestCurl makes the calls of curl that the pages show of a server of memories, each page in
// its order and with a server of its own: what is shown must work.
func TestCurl(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not there")
	}
	for page, want := range map[string]int{"grpc.md": 3, "memdb.md": 4} {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("../../docs", page))
			if err != nil {
				t.Fatal(err)
			}
			calls := curlCalls(string(text))
			if len(calls) != want {
				t.Fatalf("%d calls of curl are found, want %d", len(calls), want)
			}
			address := servedMemories(t)
			calls = append([]curlCall{{
				"curl -X PUT http://127.0.0.1:7475/v1/namespaces/captured -H 'Content-Type: application/json' -d '{}'", "20.",
			}}, calls...) // as a sink makes it
			for _, c := range calls {
				shell := "curl() { command curl --silent --show-error --output body --write-out '%{http_code}' \"$@\"; }\n" +
					strings.ReplaceAll(c.shell, "127.0.0.1:7475", address)
				cmd := exec.CommandContext(t.Context(), "sh", "-c", shell)
				cmd.Dir = t.TempDir()
				status, err := cmd.Output()
				if err != nil || !regexp.MustCompile("^"+c.status+"$").Match(status) {
					body, _ := os.ReadFile(filepath.Join(cmd.Dir, "body")) // there may be none
					t.Errorf("%sanswers %s, want %s: %s %v", c.shell, status, c.status, body, err)
				}
			}
		})
	}
}

// servedMemories starts a server of memories that ends with the test, and returns where it
// listens.
func servedMemories(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "memscribe", "memdb", "serve", "--addr", "127.0.0.1:0", "--db", filepath.Join(dir, "m.db"),
		"--state-dir", filepath.Join(dir, "state"))
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address := regexp.MustCompile(`msg="?serving memories"?.* address=(\S+)`)
	in := bufio.NewScanner(stderr)
	for in.Scan() {
		if at := address.FindStringSubmatch(in.Text()); at != nil {
			return at[1]
		}
	}
	t.Fatal("the server did not say where it listens")
	return ""
}
