package fulltext

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// KindWord narrows a search to a kind of node. Such words are in a column of their own,
// beside the text.
func KindWord(kind string) string { return "kind" + letters(kind) }

// ToolWord narrows a search to a tool.
func ToolWord(source string) string { return "tool" + letters(source) }

// ProjectWord narrows a search to a project.
func ProjectWord(project string) string {
	sum := sha256.Sum256([]byte(project))
	return "in" + hex.EncodeToString(sum[:6])
}

// letters leaves out what would make several words of one.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
