package secrets

import "encoding/json"

// Shape is a way in which a text may reach a transcript.
type Shape struct {
	Name string
	// wrap returns the text in this shape and, for each byte of it, the byte of
	// the original that it shows; -1 is a byte that the shape added.
	wrap func(text string) ([]byte, []int)
}

// Shapes lists the shapes in which every case is tried.
func Shapes() []Shape {
	return []Shape{
		{Name: "plain", wrap: plain},
		{Name: "ansi-line", wrap: ansiLine},
		{Name: "ansi-words", wrap: ansiWords},
		{Name: "json", wrap: func(s string) ([]byte, []int) { return quoted(s, 1) }},
		{Name: "json-twice", wrap: func(s string) ([]byte, []int) { return quoted(s, 2) }},
	}
}

// builder writes a shaped text and remembers where its bytes come from.
type builder struct {
	text []byte
	from []int
}

// added adds bytes that no byte of the case stands behind.
func (b *builder) added(s string) {
	b.text = append(b.text, s...)
	for range len(s) {
		b.from = append(b.from, -1)
	}
}

// shown adds bytes that show the byte at at.
func (b *builder) shown(s string, at int) {
	b.text = append(b.text, s...)
	for range len(s) {
		b.from = append(b.from, at)
	}
}

// plain returns the shape of the text itself.
func plain(s string) ([]byte, []int) {
	var b builder
	for i := range len(s) {
		b.shown(s[i:i+1], i)
	}
	return b.text, b.from
}

// ansiLine colours a mark before the text and resets after it, as a command's
// status line does.
func ansiLine(s string) ([]byte, []int) {
	var b builder
	b.added("\x1b[32m✓\x1b[0m ")
	for i := range len(s) {
		b.shown(s[i:i+1], i)
	}
	b.added("\x1b[0m\n")
	return b.text, b.from
}

// ansiWords colours words and what stands between them differently, as a syntax
// highlighter does.
func ansiWords(s string) ([]byte, []int) {
	var b builder
	for i := range len(s) {
		if word := isWord(s[i]); i == 0 || word != isWord(s[i-1]) {
			if i > 0 {
				b.added("\x1b[0m")
			}
			b.added(map[bool]string{true: "\x1b[38;5;81m", false: "\x1b[37m"}[word])
		}
		b.shown(s[i:i+1], i)
	}
	b.added("\x1b[0m")
	return b.text, b.from
}

// isWord reports whether c can be part of a token.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 ||
		c == '_' || c == '-' || c == '.' || c == '/' || c == '+'
}

// quoted puts the text into the arguments of a tool call, each time as a string
// of JSON.
func quoted(s string, times int) ([]byte, []int) {
	text, from := plain(s)
	for range times {
		var b builder
		b.added(`{"command":["bash","-lc","`)
		for i := 0; i < len(text); {
			n := runeLen(text[i:])
			q, err := json.Marshal(string(text[i : i+n]))
			if err != nil {
				q = []byte(`""`)
			}
			b.shown(string(q[1:len(q)-1]), from[i])
			i += n
		}
		b.added(`\n"],"workdir":"/home/dev"}`)
		text, from = b.text, b.from
	}
	return text, from
}

// runeLen returns the length in bytes of the character at the beginning of b.
func runeLen(b []byte) int {
	for n := 1; ; n++ {
		if n == len(b) || b[n]&0xc0 != 0x80 {
			return n
		}
	}
}
