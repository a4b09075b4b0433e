package gate

import "unicode/utf8"

// maxWord is the length of the longest word of a vocabulary in bytes.
const maxWord = 24

// fold appends the form of a word that is looked up: in lower case, without accents and
// apostrophes. It returns nil for a word that is too long for a vocabulary.
//
// "Don’t" and "dont" have the same form, and so have "Größe" and "grosse".
func fold(dst []byte, s string) []byte {
	if len(s) > 2*maxWord {
		return nil
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < 0x80 {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			if c != '\'' {
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == '’' || 0x300 <= r && r <= 0x36f:
		case 0xc0 <= r && r <= 0x17f:
			dst = append(dst, latin(r)...)
		case 0x410 <= r && r <= 0x42f: // Cyrillic capitals
			dst = utf8.AppendRune(dst, r+0x20)
		case r == 0x401 || r == 0x451: // Ё and ё are written as Е and е
			dst = utf8.AppendRune(dst, 0x435)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	if len(dst) > maxWord {
		return nil
	}
	return dst
}

// foldShort is fold for text[from:to] if that has at most eight bytes, all ASCII letters. It
// returns the form as the head of a slot. For other words ok is false.
//
// The eight bytes are folded at once in one register, since every token of every turn is
// folded.
func foldShort(text string, from, to int) (head uint64, ok bool) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	n := to - from
	if n > headSize || from+headSize > len(text) {
		return 0, false
	}
	s := text[from : from+headSize]
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	w &= 1<<(8*n) - 1 // for n = 8 the shift gives 0, and the mask is all ones
	apostrophe := w ^ '\''*ones
	if (w|(apostrophe-ones)&^apostrophe)&highs != 0 {
		return 0, false
	}
	// The first sum sets the highest bit of bytes from 'A' on, the second of bytes after 'Z'.
	capital := (w + (0x80-'A')*ones) &^ (w + (0x7f-'Z')*ones) & highs
	return w | capital>>2, true
}

// latin returns the letters that an accented letter of Latin-1 or Latin Extended-A is folded
// to, or "".
func latin(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'Æ', 'æ':
		return "ae"
	case 'Œ', 'œ':
		return "oe"
	case 'Ø', 'ø':
		return "o"
	}
	if r <= 0xff {
		const base = "aaaaaaaceeeeiiiidnooooo*ouuuuyts" // U+00E0 and on, by 32
		if i := int(r|0x20) - 0xe0; i >= 0 && i < len(base) {
			return base[i : i+1]
		}
	}
	const extended = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllllllln" +
		"nnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
	if i := int(r) - 0x100; i >= 0 && i < len(extended) {
		return extended[i : i+1]
	}
	return string(r)
}
