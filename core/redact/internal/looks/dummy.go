package looks

import (
	"strings"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// IsDummy reports whether a value only stands for one: a reference to a variable ($TOKEN), a
// template (<your key>), a word of documentation (changeme), one character over and over, or a
// value whose end was left out.
func IsDummy(v []byte) bool {
	if len(v) == 0 || isReference(v) || IsTemplate(v) || InSequence(v) || IsElided(v) {
		return true
	}
	return len(v) <= longestDummy && (ContainsAny(v, dummyWords) || hasWord(v, shortDummyWords))
}

// StandsIn is [IsDummy] for values that look like secrets: a long drawn one has the
// short words of documentation by chance, so that only long ones and sequences count.
func StandsIn(v []byte) bool {
	if len(v) < blobLength || !IsBlob(v, Inspect(v)) {
		return IsDummy(v)
	}
	return InSequence(v) || ContainsAny(v, templateWords)
}

// IsElided reports whether the end of a value was left out.
func IsElided(v []byte) bool {
	return len(v) > 3 && (string(v[len(v)-3:]) == "..." || string(v[len(v)-3:]) == "…")
}

// IsTemplate is [IsDummy] for values whose form already says that they are
// tokens: only what would never be issued counts.
func IsTemplate(v []byte) bool {
	return IsMonotone(v) || ContainsAny(v, templateWords) || len(v) <= longestDummy && ContainsAny(v, shortTemplateWords)
}

// Values longer than this hold any short word by chance.
const longestDummy = 100

// templateWords occur in tokens that stand for others. The lists below are in lower case, with a
// space between words; [ContainsAny] looks for any of them, in any case.
const templateWords = "example placeholder changeme change-me change_me yourtoken replace_ replace- replaceme " +
	"notreal goes-here goes_here invalid helloworld abcdefghijkl #### **** ...."

const shortTemplateWords = "your_ your- yours <your yourkey xxxx dummy redact -here _here"

// dummyWords occur in values that stand for others.
const dummyWords = "insert sample foobar not-a not_a not-set not_set deadbeef my-secret my_secret mysecret yourpass " +
	"secret-key-here super-secret supersecret testtest test-token test_token test-key test_key fake-key fake_key " +
	"fake-token fake_token fakekey faketoken qwerty hunter2 opensesame open_sesame 1234567890 .signature tooshort too_short too-short"

// shortDummyWords are those that a drawn value has by chance, too: they count as words of
// their own.
const shortDummyWords = "todo asdf fixme lorem"

// hasWord reports whether v has one of the words of a list between other things than
// letters that go on.
func hasWord(v []byte, words string) bool {
	for words != "" {
		var w string
		w, words = CutWord(words)
		at := IndexFold(v, w)
		if end := at + len(w); at >= 0 && (at == 0 || !goesOn(v[at-1], v[at])) && (end == len(v) || !goesOn(v[end-1], v[end])) {
			return true
		}
	}
	return false
}

// goesOn reports whether two characters are in one word: not where a capital begins another.
func goesOn(a, b byte) bool {
	return ascii.IsLetter(a) && ascii.IsLetter(b) && (ascii.IsUpper(a) || !ascii.IsUpper(b))
}

// ContainsAny reports whether v contains one of the words of a list, which are
// in lower case, whatever the case of v.
func ContainsAny(v []byte, words string) bool {
	for words != "" {
		var w string
		w, words = CutWord(words)
		if IndexFold(v, w) >= 0 {
			return true
		}
	}
	return false
}

// CutWord cuts the first word off a list that blanks divide.
func CutWord(words string) (first, rest string) {
	first, rest, _ = strings.Cut(words, " ")
	return first, rest
}

// IndexFold is the offset of a word in lower case in v, or -1.
func IndexFold(v []byte, word string) int {
	for i := 0; i+len(word) <= len(v); i++ {
		if EqualFold(v[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

// EqualFold reports whether v is the word, which is in lower case.
func EqualFold(v []byte, word string) bool {
	if len(v) != len(word) {
		return false
	}
	for i := range v {
		if ascii.Lower(v[i]) != word[i] {
			return false
		}
	}
	return true
}

// isReference reports whether a value names one that stands elsewhere, or holds
// such a name: $x, ${x}, {{ x }}, <x>, %x%, #{x}, $(x).
func isReference(v []byte) bool {
	switch c := v[0]; c {
	case '$':
		return len(v) > 1 && (ascii.IsLetter(v[1]) || v[1] == '{' || v[1] == '(' || v[1] == '_')
	case '<':
		return true
	case '%':
		return len(v) < 3 || v[1] == '(' || v[1] == '%' || ascii.IsLetter(v[1]) && v[len(v)-1] == '%'
	case '@':
		return len(v) > 2 && v[len(v)-1] == '@'
	}
	return encloses(v, "${", "}") || encloses(v, "{{", "}}") || encloses(v, "$(", ")") || encloses(v, "#{", "}") ||
		encloses(v, "<%", "%>")
}

// encloses reports whether a name stands between two brackets in v.
func encloses(v []byte, left, right string) bool {
	i := IndexFold(v, left)
	if i < 0 {
		return false
	}
	rest := v[i+len(left):]
	n := IndexFold(rest, right)
	if n < 0 {
		return false
	}
	for _, c := range rest[:n] {
		if !names.IsNameByte(c) && c != ' ' && c != ':' && c != '|' && c != '"' && c != '\'' && c != '(' && c != ')' {
			return false
		}
	}
	return true
}

// InSequence reports whether v is mostly one character repeated, or characters
// in the order of the alphabet, be it every second one.
func InSequence(v []byte) bool {
	const most, everySecond = 84, 60 // per cent
	next, every := steps(v)
	n := len(v)
	return IsMonotone(v) || n >= 6 && 100*next >= most*(n-1) || n >= 8 && 100*every >= everySecond*n
}

// IsCounted is [InSequence] for tokens, which are never drawn with even half of
// their characters in order.
func IsCounted(v []byte) bool {
	const half = 50 // per cent
	next, _ := steps(v)
	return InSequence(v) || len(v) >= 16 && 100*next >= half*len(v)
}

// steps counts the characters that follow their predecessor in the alphabet, and
// those that follow the one before it.
func steps(v []byte) (next, every int) {
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1]+1 {
			next++
		}
		if i > 1 && ascii.Lower(v[i]) == ascii.Lower(v[i-2])+1 {
			every++
		}
	}
	return next, every
}

// IsMonotone reports whether v has hardly any different characters, or one of
// them many times in a row.
func IsMonotone(v []byte) bool {
	var seen byteSet
	distinct, same, longest := 0, 0, 0
	for i, c := range v {
		seen.mark(c, &distinct)
		if same++; i > 0 && c != v[i-1] {
			same = 1
		}
		longest = max(longest, same)
	}
	return len(v) >= 8 && distinct <= 3 || longest >= max(5, len(v)/3)
}

// blobLength is the least length of a value that is known for one by its letters
// alone. Shorter ones may be paths.
const blobLength = 40

// IsBlob reports whether a value is drawn bytes in base64, however many: its slashes
// do not make a path of it.
func IsBlob(v []byte, m Makeup) bool {
	if len(v) < blobLength || m.Digits == 0 || !m.Upper || !m.Lower || 3*m.Random < m.Letters+m.Digits {
		return false
	}
	for i, c := range v {
		switch {
		case ascii.IsAlnum(c) || c == '+' || c == '/':
		case c == '=' && i >= len(v)-2:
		default:
			return false
		}
	}
	return true
}

// IsOneOf reports whether v is one of the words of a list in lower case.
func IsOneOf(v []byte, words string) bool {
	for words != "" {
		var w string
		if w, words = CutWord(words); EqualFold(v, w) {
			return true
		}
	}
	return false
}
