package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/internal/compress"
)

// Words by which a search is narrowed are in a column of their own, beside those
// of scopes.
const (
	ByPerson = "byuser"
	ByAgent  = "byagent"
	IsBan    = "isban"
)

// Findable returns a text as it is indexed: characters of scripts without spaces stand
// apart, and the parts of names like getUserName follow at the end.
func Findable(text string) string {
	text = Spaced(text)
	if names := Parts(text); names != "" {
		return text + "\n" + names
	}
	return text
}

// OfNode returns the text by which memscribe search finds a node. hasMessage says that there is a message
// of its words.
func OfNode(kind string, node jsondoc.Value, hasMessage bool) string {
	switch kind {
	case "conversation":
		if hasMessage && !node.Get("memory").Exists() {
			return "" // the message has the same words
		}
		return CutSaid(node.Get("text").Str())
	case "decision":
		parts := []string{node.Get("epitome").Str()}
		for option := range node.Get("considered_options").Elems() {
			parts = append(parts, option.Get("text").Str())
		}
		parts = append(parts, node.Get("confirmation").Str())
		return strings.TrimSpace(CutSaid(strings.Join(parts, "\n")))
	case "episode":
		var b strings.Builder
		b.WriteString(node.Get("path").Str())
		changedLines(&b, node.Get("diff").Get("unified").Str())
		return CutSaid(b.String())
	}
	return ""
}

// maxSaid is how much of a message is kept, and of anything is indexed.
const maxSaid = 256 << 10

// CutSaid shortens a text to what is kept of a message and indexed of anything.
func CutSaid(text string) string { return Cut(text, maxSaid) }

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

// Cut shortens a text to at most so many bytes, at the end of a word if it can.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[:most]
	if at := strings.LastIndexAny(s, " \n\t"); at > most/2 {
		s = s[:at]
	}
	return strings.ToValidUTF8(s, "")
}

// ideographic reports whether a character is written without spaces around the
// word that it belongs to.
func ideographic(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// hasIdeographic reports whether a text has such a character. None begins with a byte below firstIdeographic.
func hasIdeographic(s string) bool {
	const firstIdeographic = 0xe2
	for at := 0; at < len(s); {
		if s[at] < firstIdeographic {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if ideographic(r) {
			return true
		}
		at += size
	}
	return false
}

// Spaced sets characters of scripts without spaces apart, so that each can be
// found. Other texts come back as they are.
func Spaced(s string) string {
	if !hasIdeographic(s) {
		return s
	}
	var b strings.Builder
	b.Grow(2 * len(s))
	for _, r := range s {
		if !ideographic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteByte(' ')
		b.WriteRune(r)
		b.WriteByte(' ')
	}
	return b.String()
}

// IsWord reports whether a character is part of a word, as the tokenizer has it.
func IsWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r)
}

// NewUnpacker makes what [unpackText] needs.
func NewUnpacker() (*compress.Unpacker, error) { return compress.NewUnpacker(maxSaid + 64) }

// UnpackText returns the text of a message that is stored as packed, and has so many bytes.
func UnpackText(u *compress.Unpacker, packed []byte, size int) (string, error) {
	if len(packed) == size {
		return string(packed), nil
	}
	return u.Unpack(packed)
}
