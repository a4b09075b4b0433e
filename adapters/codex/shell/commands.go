// Package shell knows what commands and scripts do to files, and what their answers say:
//
//	cat a.go                        [ReadOf]        prints a.go from its first line on
//	cd b && apply_patch <<'EOF' …   [PatchesIn]     a patch, applied in b
//	apply_patch("*** Begin …")      [PatchLiterals] a patch in a script of code mode
//	Exit code: 1                    [ExitCode]      the command failed
//
// Nothing is run, and nothing is guessed: a command that it does not know may do anything.
package shell

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/script"
	"github.com/memscribe/memscribe/adapters/internal/stream"
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

// PatchLiterals finds the strings that a script passes to apply_patch.
func PatchLiterals(script string) []string {
	var list []string
	for {
		_, after, ok := strings.Cut(script, "apply_patch(")
		if !ok {
			return list
		}
		script = strings.TrimLeft(after, " \t\r\n")
		if script == "" {
			return list
		}
		if text, ok := jsString(script); ok {
			list = append(list, text)
		}
	}
}

// jsString decodes the string literal at the start of a script.
func jsString(s string) (text string, ok bool) {
	quote := s[0]
	if quote != '"' && quote != '\'' && quote != '`' {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote:
			return b.String(), true
		case c == '$' && quote == '`' && strings.HasPrefix(s[i:], "${"):
			return "", false
		case c != '\\' || i+1 == len(s):
			b.WriteByte(c)
		default:
			text, n := jsEscape(s[i+1:])
			b.WriteString(text)
			i += n
		}
	}
	return "", false
}

// jsEscape decodes the escape whose backslash stands before s, and says how much of s it is.
func jsEscape(s string) (text string, n int) {
	switch s[0] {
	case 'n':
		return "\n", 1
	case 't':
		return "\t", 1
	case 'r':
		return "\r", 1
	case '\n':
		return "", 1
	case 'x':
		if r, ok := hexRune(s[1:], 2); ok {
			return string(r), 3
		}
	case 'u':
		return jsUnicode(s)
	}
	_, n = utf8.DecodeRuneInString(s)
	return s[:n], n
}

// jsUnicode decodes u1234, a pair of those, and u{12345}.
func jsUnicode(s string) (text string, n int) {
	if rest, ok := strings.CutPrefix(s, "u{"); ok {
		digits, _, found := strings.Cut(rest, "}")
		if r, valid := hexRune(digits, len(digits)); found && valid {
			return string(r), len("u{}") + len(digits)
		}
		return "u", 1
	}
	r, ok := hexRune(s[1:], 4)
	if !ok {
		return "u", 1
	}
	if low, found := strings.CutPrefix(s[5:], `\u`); found && utf16.IsSurrogate(r) {
		if second, valid := hexRune(low, 4); valid {
			if pair := utf16.DecodeRune(r, second); pair != utf8.RuneError {
				return string(pair), 11
			}
		}
	}
	return string(r), 5
}

// hexRune reads hexadecimal digits.
func hexRune(s string, digits int) (rune, bool) {
	if digits == 0 || digits > 6 || len(s) < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:digits], 16, 32)
	return rune(n), err == nil
}

// Resolve makes a path absolute, as it would be on the machine of the rollout.
func Resolve(dir, name string) string {
	if name == "" {
		return dir
	}
	return edit.Clean(stream.Resolve(dir, name))
}
