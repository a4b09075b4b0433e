package server_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// sessions are the commands of docs/grpc.md that begin with a program, in order, with
// the lines that belong to them.
func sessions(t *testing.T, program string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile("docs/grpc.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range strings.Split(string(text), "```") {
		body, isShell := strings.CutPrefix(block, "sh\n")
		if i%2 == 0 || !isShell {
			continue
		}
		for line := range strings.Lines(body) {
			switch {
			case strings.HasPrefix(line, program+" "):
				commands = append(commands, line)
			case strings.HasPrefix(line, " ") && strings.HasPrefix(body, program+" "):
				commands[len(commands)-1] += line
			}
		}
	}
	return commands
}

// TestDocsSessions runs what docs/grpc.md shows of curl and of grpcurl against a server.
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
	for _, c := range []struct {
		program string
		want    []string // in the answers
	}{
		{"curl", []string{`"name":"team"`, `"OUTCOME_CREATED"`, `We use cursor pagination.`}},
		{"grpcurl", []string{`"STATUS_VERIFIED"`, `"team"`}},
	} {
		t.Run(c.program, func(t *testing.T) {
			if _, err := exec.LookPath(c.program); err != nil {
				t.Skipf("there is no %s (grpcurl: go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3)", c.program)
			}
			commands := sessions(t, c.program)
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
