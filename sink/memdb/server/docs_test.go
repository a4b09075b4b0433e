package server_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sessions are the commands of a page that begin with a program, in order, with the
// lines that belong to them.
func sessions(t *testing.T, page, program string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range strings.Split(string(text), "```") {
		body, isShell := strings.CutPrefix(block, "sh\n")
		if i%2 == 0 || !isShell {
			continue
		}
		in := false
		for line := range strings.Lines(body) {
			in = in && strings.HasPrefix(line, " ")
			switch {
			case strings.HasPrefix(line, program+" "):
				in = true
				commands = append(commands, line)
			case in:
				commands[len(commands)-1] += line
			}
		}
	}
	return commands
}

// TestDocsSessions runs what the pages show of curl and of grpcurl against a server, page
// by page.
func TestDocsSessions(t *testing.T) {
	address, _, _ := run(t)
	t.Chdir("../../..")
	answer := func(t *testing.T, command string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(command, "127.0.0.1:7475", address))
		var stderr strings.Builder
		cmd.Stderr = &stderr
		said, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v\n%s", command, err, &stderr)
		}
		return string(said)
	}
	if _, err := exec.LookPath("curl"); err == nil { // the namespace that a watch makes
		answer(t, "curl -s -X PUT http://127.0.0.1:7475/v1/namespaces/captured -H 'Content-Type: application/json' -d '{}'")
	}
	for _, c := range []struct {
		page, program string
		want          []string // in the answers
	}{
		{"docs/grpc.md", "curl", []string{`"name":"team"`, `"OUTCOME_CREATED"`, `We use cursor pagination.`}},
		{"docs/grpc.md", "grpcurl", []string{`"STATUS_VERIFIED"`, `"team"`}},
		{"docs/memdb.md", "curl", []string{`"memories":[]`, `no-embeddings`, `"outcome":"created","trust":"untrusted"`, `"status":403`}},
	} {
		t.Run(strings.TrimPrefix(c.page, "docs/")+" "+c.program, func(t *testing.T) {
			if _, err := exec.LookPath(c.program); err != nil {
				t.Skipf("there is no %s (grpcurl: go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3)", c.program)
			}
			commands := sessions(t, c.page, c.program)
			if len(commands) != len(c.want) {
				t.Fatalf("%d commands: %q", len(commands), commands)
			}
			for i, command := range commands {
				if said := answer(t, command); !strings.Contains(said, c.want[i]) {
					t.Errorf("%s\nanswers %s", command, said)
				}
			}
		})
	}
}

// TestDocsCurl has every call by curl in the pages be one of those that are run. The
// one that fetches the installer is run by testkit/release.
func TestDocsCurl(t *testing.T) {
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		name := filepath.Base(page)
		calls := slices.DeleteFunc(sessions(t, page, "curl"), func(call string) bool { return strings.HasSuffix(call, "/install.sh | sh\n") })
		if n := len(calls); n > 0 && name != "grpc.md" && name != "memdb.md" {
			t.Errorf("%s shows %d calls that no test runs", name, n)
		}
	}
}
