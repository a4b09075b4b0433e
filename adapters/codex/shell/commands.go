package shell

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/script"
)

// File is the text of the file that a command printed, if it printed all of it.
func (r Read) File(output string) (text string, whole bool) {
	if strings.Contains(output, "tokens truncated") || strings.Contains(output, "[... omitted ") ||
		strings.Contains(output, "[... output truncated") {
		return "", false
	}
	lines := strings.Count(output, "\n")
	if output != "" && !strings.HasSuffix(output, "\n") {
		lines++
	}
	if r.lines > 0 && lines >= r.lines {
		return "", false
	}
	if !r.numbered {
		return output, true
	}
	return edit.Unnumbered(output, "\t")
}

// IsFrameLine reports whether a line stands before the output of a command, or says how
// its process ended.
func IsFrameLine(line string) bool {
	return strings.HasPrefix(line, "Exit code: ") || strings.HasPrefix(line, "Process ") || isFrame([]byte(line))
}

// IsShell reports whether a program, by its name or path, takes a script: bash, cmd.exe.
func IsShell(name string) bool {
	name = strings.ToLower(name[strings.LastIndexAny(name, `/\`)+1:])
	switch strings.TrimSuffix(name, ".exe") {
	case "bash", "sh", "zsh", "pwsh", "powershell", "cmd":
		return true
	}
	return false
}

// Read is a command that prints a file from its first line on.
type Read struct {
	Path     string
	lines    int  // at most; 0 is all
	numbered bool // each line with its number
}

// ReadOf recognises cat F, nl -ba F, sed -n '1,200p' F, and nl -ba F | sed …,
// which are how models read files.
func ReadOf(segments [][]string) (Read, bool) {
	if len(segments) == 0 || len(segments) > 2 {
		return Read{}, false
	}
	words := segments[0]
	var r Read
	switch {
	case len(words) == 2 && words[0] == "cat":
		r.Path = words[1]
	case len(words) == 3 && words[0] == "nl" && words[1] == "-ba":
		r.Path, r.numbered = words[2], true
	case len(words) == 4 && words[0] == "sed":
		n, ok := script.SedLines(words)
		if !ok {
			return Read{}, false
		}
		r.Path, r.lines = words[3], n
	default:
		return Read{}, false
	}
	if len(segments) == 2 {
		n, ok := script.SedLines(segments[1])
		if !ok || r.lines != 0 || len(segments[1]) != 3 {
			return Read{}, false
		}
		r.lines = n
	}
	return r, !strings.HasPrefix(r.Path, "-") && !strings.ContainsAny(r.Path, "*?[~") && r.lines >= 0
}
