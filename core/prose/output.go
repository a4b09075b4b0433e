package prose

import "strings"

// isTrace reports whether a line belongs to a stack trace or a test report.
func isTrace(s string) bool {
	switch {
	case strings.HasPrefix(s, "Traceback (most recent"), strings.HasPrefix(s, "Caused by:"), strings.HasPrefix(s, "panic: "),
		strings.HasPrefix(s, "goroutine "), strings.HasPrefix(s, "stderr:"), strings.HasPrefix(s, "stdout:"),
		strings.HasPrefix(s, "--- FAIL"), strings.HasPrefix(s, "--- PASS"), strings.HasPrefix(s, "=== RUN"),
		strings.HasPrefix(s, "npm ERR!"), strings.HasPrefix(s, "error["), strings.HasPrefix(s, "... "):
		return true
	case strings.HasPrefix(s, "File \"") && strings.Contains(s, "\", line "):
		return true
	case strings.HasPrefix(s, "at ") && (strings.HasSuffix(s, ")") && strings.Contains(s, ":") || strings.Contains(s, "(<")):
		return true
	case strings.HasPrefix(s, "FAILED ") || strings.HasPrefix(s, "PASSED ") || strings.HasPrefix(s, "ERROR ") || strings.HasPrefix(s, "E   "):
		return true
	case strings.Count(s, ": ") >= 2 && (strings.Contains(s, "failed") || strings.Contains(s, "rror: ")):
		return true
	case s[0] == '(' && s[len(s)-1] == ')' && strings.HasPrefix(s, "(no "):
		return true
	case strings.HasPrefix(s, "^") && strings.Trim(s, "^~ ") == "":
		return true
	}
	return isException(s) || isPlace(s)
}

// isException reports whether a line names an exception: "SomeError: message" or
// "pkg.SomeException: message".
func isException(s string) bool {
	name, rest, found := strings.Cut(s, ":")
	if !found || len(name) > 80 || strings.ContainsAny(name, " \t") || rest == "" {
		return false
	}
	return strings.HasSuffix(name, "Error") && name != "Error" || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Warning")
}

// isPlace reports whether a line is a compiler's message, such as "path/file.go:12:3:
// message" or "file.js:12 message". In Chinese and Japanese a message ends without
// punctuation; a person's request does not.
func isPlace(s string) bool {
	if strings.HasSuffix(s, "？") || strings.HasSuffix(s, "。") {
		return false
	}
	word, _, _ := strings.Cut(s, " ")
	colon := strings.IndexByte(word, ':')
	if colon < 3 || colon+1 >= len(word) || !isDigit(word[colon+1]) || !strings.Contains(word[:colon], ".") {
		return false
	}
	return isAlpha(word[0]) || word[0] == '/' || word[0] == '.' || isDigit(word[0]) || word[0] == '('
}

// isLog reports whether a line begins with a time, a level or a component.
//
// Examples: "[12:00:01] GET /", "2026-06-01 10:00:00 INFO start", "Jun  1 10:00:00 host
// sshd", "WARN: slow".
func isLog(s string) bool {
	return logStart(s) > 0
}

// logStart returns the length of the time, level or component at the beginning of s, or 0.
func logStart(s string) int {
	open := 0
	if s[0] == '[' || s[0] == '(' {
		open = 1
	}
	if n := moment(s[open:]); n > 0 {
		return open + n
	}
	if open == 1 {
		end := strings.IndexByte(s[:min(len(s), 48)], ']')
		if end > 2 && end+1 < len(s) && s[end+1] != '(' && isAlpha(s[1]) && !strings.Contains(s[:end], " ") && s[1] != 'x' {
			return end + 1
		}
		return 0
	}
	for _, level := range [...]string{"INFO", "DEBUG", "WARN", "WARNING", "ERROR", "FATAL", "TRACE", "CRITICAL", "debug:", "info:", "warn:"} {
		if strings.HasPrefix(s, level) && len(s) > len(level) && strings.IndexByte(": []\t-|", s[len(level)]) >= 0 {
			if s[len(level)] == ' ' && strings.ToUpper(s) != s && !strings.ContainsAny(s, ":=[") {
				continue
			}
			return len(level)
		}
	}
	return 0
}

// moment returns the length of the time that s begins with, or 0. A time of day needs seconds,
// a date needs a time of day after it.
func moment(s string) int {
	if n := clock(s); n >= 8 {
		return n
	}
	if len(s) >= 16 && digits(s, 4) && (s[4] == '-' || s[4] == '/') && digits(s[5:], 2) && digits(s[8:], 2) && (s[10] == ' ' || s[10] == 'T') {
		if n := clock(s[11:]); n > 0 {
			return 11 + n
		}
	}
	if len(s) >= 15 && isUpper(s[0]) && isLower(s[1]) && isLower(s[2]) && s[3] == ' ' {
		rest := strings.TrimLeft(s[4:], " ")
		for len(rest) > 0 && isDigit(rest[0]) {
			rest = rest[1:]
		}
		if n := clock(strings.TrimLeft(rest, " ")); n >= 8 {
			return 15
		}
	}
	return 0
}

// clock returns the length of a time of day such as 10:30 or 10:30:00.123, or 0.
func clock(s string) int {
	if len(s) < 5 || !digits(s, 2) || s[2] != ':' || !digits(s[3:], 2) {
		return 0
	}
	n := 5
	if len(s) >= 8 && s[5] == ':' && digits(s[6:], 2) {
		n = 8
	}
	return n
}

// digits reports whether s begins with at least n digits.
func digits(s string, n int) bool {
	if len(s) < n {
		return false
	}
	for i := range n {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// isDiff reports whether a line is a header of a diff, such as "@@ -1,3 +1,4 @@". Its other
// lines are recognised as lines of the same block.
func isDiff(line string) bool {
	return strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "@@ ") || strings.HasPrefix(line, "+++ ") ||
		strings.HasPrefix(line, "--- a/") || strings.HasPrefix(line, "--- /") || strings.HasPrefix(line, "*** Begin Patch") ||
		strings.HasPrefix(line, "*** Update File") || strings.HasPrefix(line, "*** End Patch") ||
		isNumbered(strings.TrimLeft(line, " ")) || strings.HasPrefix(line, "<<<<<<<") || strings.HasPrefix(line, ">>>>>>>") || strings.HasPrefix(line, "index ") && strings.Contains(line, "..")
}

// isNumbered reports whether a line is a diff line with its number: "+ 12 x".
func isNumbered(line string) bool {
	rest, added := strings.CutPrefix(line, "+ ")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	return added && digits > 0 && strings.HasPrefix(rest[digits:], " ")
}

// isRow reports whether a line is a row copied from a table or sheet: cells with tabs between.
func isRow(s string) bool {
	const cells = 3
	n, from := 0, 0
	for from <= len(s) {
		end := strings.IndexByte(s[from:], '\t')
		if end < 0 {
			end = len(s) - from
		}
		if strings.TrimSpace(s[from:from+end]) != "" {
			n++
		}
		from += end + 1
	}
	return n >= cells
}

// isShell reports whether a line is a shell prompt with a command, or something that agents
// draw in their terminals.
//
// Examples: "$ npm test", "dev@host:~/app$ ls", "❯ git status", and the bullets by
// which agents draw in a terminal.
func isShell(s string) bool {
	switch {
	case strings.HasPrefix(s, "$ "), strings.HasPrefix(s, "❯ "), strings.HasPrefix(s, "➜ "), strings.HasPrefix(s, "PS C:\\"), strings.HasPrefix(s, "C:\\") && strings.Contains(s, ">"):
		return true
	case strings.HasPrefix(s, "⏺"), strings.HasPrefix(s, "⎿"), strings.HasPrefix(s, "✦"), strings.HasPrefix(s, "● "), strings.HasPrefix(s, "✻"), strings.HasPrefix(s, "✖ "), strings.HasPrefix(s, "✗ "), strings.HasPrefix(s, "✔ "), strings.HasPrefix(s, "✓ "):
		return true
	}
	if strings.HasPrefix(s, "(.venv)") || strings.HasPrefix(s, "(venv)") || strings.HasPrefix(s, "(base)") {
		return true
	}
	// "user@host:dir$ " or "user@host dir % "
	at := strings.IndexByte(s[:min(len(s), 40)], '@')
	if at < 1 || strings.ContainsAny(s[:at], " \t") {
		return false
	}
	head := s[at:min(len(s), at+100)]
	end := strings.IndexAny(head, "$%#>~")
	return end > 1 && strings.Count(head[:end], " ") <= 2 && (strings.Contains(head[:end+1], ":") || strings.Contains(head[:end], " "))
}

// isListing reports whether a line is one of "ls -l" or of a usage text.
func isListing(s string) bool {
	if len(s) > 10 && strings.IndexByte("-dlsbcp", s[0]) >= 0 && strings.Trim(s[1:10], "rwxsStT-") == "" {
		return true
	}
	return strings.HasPrefix(s, "total ") && strings.Trim(s[6:], "0123456789KMG.") == "" ||
		strings.HasPrefix(s, "usage: ") || strings.HasPrefix(s, "Usage:") || strings.HasPrefix(s, "-rw")
}
