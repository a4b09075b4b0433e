package fulltext

import (
	"strings"
)

// Parts returns the words that names like getUserName and newHTTPServer2 are made of, each
// name once: "get User Name new HTTP Server 2". It is "" where there are none. Such a name
// has a capital letter behind a small one, and at most longestName bytes.
func Parts(text string) string {
	var (
		out  strings.Builder
		seen map[string]bool
	)
	for at := 1; at < len(text); at++ {
		if !isUpper(text[at]) || !isLower(text[at-1]) {
			continue
		}
		start := at - 1
		for start > 0 && isLetterOrDigit(text[start-1]) {
			start--
		}
		for at < len(text) && isLetterOrDigit(text[at]) {
			at++
		}
		name := text[start:at]
		if len(name) > longestName || seen[name] {
			continue
		}
		if seen == nil {
			seen = map[string]bool{}
		}
		seen[name] = true
		writeParts(&out, name)
	}
	return out.String()
}

// longestName is how long a name may be: what is longer is data.
const longestName = 64

// writeParts writes the parts of a name as words: userName, HTTPServer, snake_case.
func writeParts(out *strings.Builder, name string) {
	if out.Len() > 0 {
		out.WriteByte(' ')
	}
	from := 0
	for i := 1; i < len(name); i++ {
		begins := isUpper(name[i]) && !isUpper(name[i-1]) || // userName
			// HTTPServer
			isUpper(name[i-1]) && isUpper(name[i]) && i+1 < len(name) && isLower(name[i+1]) ||
			isDigit(name[i]) != isDigit(name[i-1])
		if begins {
			out.WriteString(name[from:i] + " ")
			from = i
		}
	}
	out.WriteString(name[from:])
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetterOrDigit(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }
