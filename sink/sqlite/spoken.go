package sqlite

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// The index for memscribe search has the words of messages, decisions and edits.
const (
	insertSpoken = "INSERT INTO words (rowid, text, scope) VALUES (?, ?, ?)"
	deleteSpoken = "DELETE FROM words WHERE rowid = ?"
)

// spoken is what that index holds of a node or a message.
type spoken struct {
	row         int64
	text, scope string
}

func byRow(x, y spoken) int { return cmp.Compare(x.row, y.row) }

// rowOfNode is the row of a node, and rowOfMessage that of a message: both sort by
// time.
func rowOfNode(n int64) int64    { return n << 1 }
func rowOfMessage(n int64) int64 { return n<<1 | 1 }

// numberOf is the number of the node or the message that a row is of.
func numberOf(row int64) (n int64, message bool) { return row >> 1, row&1 == 1 }

// Words by which a search is narrowed stand in a column of their own, beside those
// of scopes.
const (
	byPerson = "byuser"
	byAgent  = "byagent"
	isBan    = "isban"
)

func (s *scopes) spokenOf(r *row) spoken {
	scope := s.of(r)
	by := byAgent
	if r.speaker == "user" || r.decidedBy == "user" {
		by = byPerson
	}
	scope += " " + by
	if r.isBan {
		scope += " " + isBan
	}
	return spoken{row: rowOfNode(r.n), text: findable(r.spoken), scope: scope}
}

// findable is a text as it is indexed: characters of scripts without spaces stand
// apart, and the parts of names like getUserName follow at the end.
func findable(text string) string {
	text = spaced(text)
	if names := Parts(text); names != "" {
		return text + "\n" + names
	}
	return text
}

// spoken finds by what memscribe search finds a node.
func (p *rowReader) spoken(kind string, node jsondoc.Value) string {
	switch kind {
	case "conversation":
		if p.heard && !node.Get("memory").Exists() {
			return "" // the message has the same words
		}
		return cutSaid(node.Get("text").Str())
	case "decision":
		parts := []string{node.Get("epitome").Str()}
		for option := range node.Get("considered_options").Elems() {
			parts = append(parts, option.Get("text").Str())
		}
		parts = append(parts, node.Get("confirmation").Str())
		return strings.TrimSpace(cutSaid(strings.Join(parts, "\n")))
	case "episode":
		var b strings.Builder
		b.WriteString(node.Get("path").Str())
		changedLines(&b, node.Get("diff").Get("unified").Str())
		return cutSaid(b.String())
	}
	return ""
}

// maxSaid is how much of a message is kept, and of anything is indexed.
const maxSaid = 256 << 10

func cutSaid(text string) string { return cut(text, maxSaid) }

// changedLines adds the lines that a unified diff adds and takes away.
func changedLines(b *strings.Builder, unified string) {
	header := true
	for line := range strings.Lines(unified) {
		switch {
		case strings.HasPrefix(line, "@@"):
			header = false
		case !header && (line[0] == '+' || line[0] == '-'):
			b.WriteByte('\n')
			b.WriteString(strings.TrimRight(line[1:], "\r\n"))
		}
	}
}

// Parts are the words that names like getUserName and HTTPServer2 are made of, each
// name once: "get User Name HTTP Server 2". It is "" where there are none.
func Parts(text string) string {
	var (
		out  strings.Builder
		seen map[string]bool
	)
	for at := 0; at < len(text); {
		if !isLetterOrDigit(text[at]) {
			at++
			continue
		}
		end := at + 1
		for end < len(text) && isLetterOrDigit(text[end]) {
			end++
		}
		name := text[at:end]
		at = end
		if !isCamel(name) || seen[name] {
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

// longestName is how long a name is taken apart: what is longer is data.
const longestName = 64

// isCamel reports whether a name has a capital letter behind a small one.
func isCamel(name string) bool {
	if len(name) > longestName {
		return false
	}
	for i := 1; i < len(name); i++ {
		if isUpper(name[i]) && isLower(name[i-1]) {
			return true
		}
	}
	return false
}

func writeParts(out *strings.Builder, name string) {
	if out.Len() > 0 {
		out.WriteByte(' ')
	}
	from := 0
	for i := 1; i < len(name); i++ {
		begins := isUpper(name[i]) && !isUpper(name[i-1]) || // userName
			isUpper(name[i-1]) && isUpper(name[i]) && i+1 < len(name) && isLower(name[i+1]) || // HTTPServer
			isDigit(name[i]) != isDigit(name[i-1])
		if begins {
			out.WriteString(name[from:i] + " ")
			from = i
		}
	}
	out.WriteString(name[from:])
}

func isUpper(c byte) bool         { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool         { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool         { return '0' <= c && c <= '9' }
func isLetterOrDigit(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }
