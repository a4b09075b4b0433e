package record

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// future is a version that comes after all others: what is newest has the name that
// the tool has now.
const future = "9999.0.0"

// Newest looks up the newest version of a tool in its registry. Versions that are not
// meant for everybody are none.
func Newest(ctx context.Context, tool core.Tool) (string, error) {
	c, err := clientOf(tool, future)
	if err != nil {
		return "", err
	}
	from := c.source()
	if m, ok := c.(moved); ok {
		from.name = m.npmOf(future)
	}
	from.name, _, _ = strings.Cut(from.name, "[") // what pip installs beside it
	args := []string{"npm", "view", from.name, "version", "--loglevel=error", "--fetch-retries=1"}
	if from.from == pypi {
		args = []string{"python3", "-m", "pip", "index", "versions", from.name, "--ignore-requires-python", "--retries", "1"}
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "PIP_DISABLE_PIP_VERSION_CHECK=1")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("look up %s: %w: %w", from.name, ErrNoRegistry, err)
	}
	version := newestIn(string(out))
	if version == "" {
		return "", fmt.Errorf("look up %s: the answer names no version", from.name)
	}
	return version, nil
}

// newestIn reads the answer of npm, "1.2.3", or of pip, whose first line is
// "name (1.2.3)".
func newestIn(answer string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(answer), "\n")
	if _, inner, ok := strings.Cut(line, "("); ok {
		line, _, _ = strings.Cut(inner, ")")
	}
	if line = strings.TrimSpace(line); strings.ContainsAny(line, " \t/\\") || !strings.ContainsAny(line, "0123456789") {
		return ""
	}
	return line
}
