package redact

// isDummy reports whether a value only stands for one: a reference to a
// variable, a template, a word of documentation, one character over and over.
func isDummy(v []byte) bool {
	if len(v) == 0 || isReference(v) || isTemplate(v) || inSequence(v) || isElided(v) {
		return true
	}
	return len(v) <= longestDummy && containsAny(v, dummyWords)
}

// standsIn is isDummy for values that look like secrets: a long drawn one has the
// short words of documentation by chance.
func standsIn(v []byte) bool {
	if len(v) < blobLength || !isBlob(v, inspect(v)) {
		return isDummy(v)
	}
	return inSequence(v) || containsAny(v, templateWords)
}

// isElided reports whether the end of a value was left out.
func isElided(v []byte) bool {
	return len(v) > 3 && (string(v[len(v)-3:]) == "..." || string(v[len(v)-3:]) == "…")
}

// isTemplate is isDummy for values whose form already says that they are
// tokens: only what would never be issued counts.
func isTemplate(v []byte) bool {
	return isMonotone(v) || containsAny(v, templateWords) || len(v) <= longestDummy && containsAny(v, shortTemplateWords)
}

// Values longer than this hold any short word by chance.
const longestDummy = 100

// templateWords occur in tokens that stand for others.
const templateWords = "example placeholder changeme change-me change_me yourtoken replace_ replace- replaceme " +
	"notreal goes-here goes_here invalid helloworld abcdefghijkl #### **** ...."

const shortTemplateWords = "your_ your- yours <your yourkey xxxx dummy redact -here _here"

// dummyWords occur in values that stand for others.
const dummyWords = "insert todo fixme sample foobar lorem not-a not_a not-set not_set deadbeef my-secret my_secret mysecret yourpass " +
	"secret-key-here super-secret supersecret testtest test-token test_token test-key test_key fake-key fake_key " +
	"fake-token fake_token fakekey faketoken asdf qwerty hunter2 opensesame open_sesame 1234567890 .signature tooshort too_short too-short"

// containsAny reports whether v contains one of the words of a list, which are
// in lower case, whatever the case of v.
func containsAny(v []byte, words string) bool {
	for words != "" {
		var w string
		w, words = cutWord(words)
		if indexFold(v, w) >= 0 {
			return true
		}
	}
	return false
}

func cutWord(words string) (first, rest string) {
	for i := range len(words) {
		if words[i] == ' ' {
			return words[:i], words[i+1:]
		}
	}
	return words, ""
}

// indexFold is the offset of a word in lower case in v, or -1.
func indexFold(v []byte, word string) int {
	for i := 0; i+len(word) <= len(v); i++ {
		if equalFold(v[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

// equalFold reports whether v is the word, which is in lower case.
func equalFold(v []byte, word string) bool {
	if len(v) != len(word) {
		return false
	}
	for i := range v {
		if lowerByte(v[i]) != word[i] {
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
		return len(v) > 1 && (isLetter(v[1]) || v[1] == '{' || v[1] == '(' || v[1] == '_')
	case '<':
		return true
	case '%':
		return len(v) < 3 || v[1] == '(' || v[1] == '%' || isLetter(v[1]) && v[len(v)-1] == '%'
	case '@':
		return len(v) > 2 && v[len(v)-1] == '@'
	}
	return encloses(v, "${", "}") || encloses(v, "{{", "}}") || encloses(v, "$(", ")") || encloses(v, "#{", "}") ||
		encloses(v, "<%", "%>")
}

// encloses reports whether a name stands between two brackets in v.
func encloses(v []byte, left, right string) bool {
	i := indexFold(v, left)
	if i < 0 {
		return false
	}
	rest := v[i+len(left):]
	n := indexFold(rest, right)
	if n < 0 {
		return false
	}
	for _, c := range rest[:n] {
		if !isNameByte(c) && c != ' ' && c != ':' && c != '|' && c != '"' && c != '\'' && c != '(' && c != ')' {
			return false
		}
	}
	return true
}

// inSequence reports whether v is mostly one character repeated, or characters
// in the order of the alphabet, be it every second one.
func inSequence(v []byte) bool {
	const most, everySecond = 84, 60 // per cent
	next, every := steps(v)
	n := len(v)
	return isMonotone(v) || n >= 6 && 100*next >= most*(n-1) || n >= 8 && 100*every >= everySecond*n
}

// isCounted is inSequence for tokens, which are never drawn with even half of
// their characters in order.
func isCounted(v []byte) bool {
	const half = 50 // per cent
	next, _ := steps(v)
	return inSequence(v) || len(v) >= 16 && 100*next >= half*len(v)
}

// steps counts the characters that follow their predecessor in the alphabet, and
// those that follow the one before it.
func steps(v []byte) (next, every int) {
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1]+1 {
			next++
		}
		if i > 1 && lowerByte(v[i]) == lowerByte(v[i-2])+1 {
			every++
		}
	}
	return next, every
}

// isMonotone reports whether v has hardly any different characters, or one of
// them many times in a row.
func isMonotone(v []byte) bool {
	var seen class
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
