package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/host"
)

// TestDocumentedCommands holds every command line of the docs to the commands
// that there are: each names one, with flags and arguments that it takes.
func TestDocumentedCommands(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = append(append(files, more...), "../../README.md", "../../CONTRIBUTING.md", "../../ARCHITECTURE.md")
	n := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range shellLines(string(data)) {
			args, ok := memscribeArgs(line)
			if line == "" || !ok {
				continue
			}
			n++
			if err := parses(args); err != nil {
				t.Errorf("%s:%d: %s: %v", filepath.Base(file), i+1, line, err)
			}
		}
	}
	if n < 20 {
		t.Errorf("found %d commands in the docs; is the test still looking at them?", n)
	}
}

// shellLines is the lines of a text that stand in blocks of shell, others empty.
func shellLines(text string) []string {
	lines := strings.Split(text, "\n")
	in := false
	for i, line := range lines {
		fence := strings.HasPrefix(line, "```")
		if fence {
			in = !in && (line == "```sh" || line == "```bash" || line == "```console")
		}
		if fence || !in {
			lines[i] = ""
		}
	}
	return lines
}

// memscribeArgs are the arguments of a call of the program.
func memscribeArgs(line string) ([]string, bool) {
	words := shellWords(line)
	for i, w := range words {
		switch {
		case w == "memscribe", w == "./memscribe", w == "./cmd/memscribe" && i > 1 && words[i-1] == "run":
			rest := words[i+1:]
			if end := slices.IndexFunc(rest, func(w string) bool {
				return strings.HasPrefix(w, "#") || strings.ContainsAny(w[:min(1, len(w))], "|>&;") || w == "2>" || w == "<"
			}); end >= 0 {
				rest = rest[:end]
			}
			return rest, true
		case strings.HasPrefix(w, "#"):
			return nil, false
		case !strings.Contains(w, "=") && w != "go" && w != "run" && w != "$" && w != "nohup" && w != "sudo" && w != "exec":
			return nil, false // memscribe is an argument of something else
		}
	}
	return nil, false
}

// shellWords splits a line as a shell does, as far as docs need it.
func shellWords(line string) []string {
	var words []string
	var w strings.Builder
	quote, open := rune(0), false
	flush := func() {
		if open {
			words = append(words, w.String())
		}
		w.Reset()
		open = false
	}
	for _, c := range line {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				w.WriteRune(c)
			}
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t':
			flush()
		default:
			w.WriteRune(c)
			open = true
		}
	}
	flush()
	return words
}

// parses reports what is wrong with a command line.
func parses(args []string) error {
	a := newApp(cli.Env{Stdout: io.Discard, Stderr: io.Discard, Machine: host.Machine{Getenv: func(string) string { return "" }}})
	root := a.newRoot()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if help, _ := cmd.Flags().GetBool("help"); help {
		return nil
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}
