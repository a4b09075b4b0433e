package bind

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
)

// naming is a word by which code can be recognised, and what it is to the decision.
type naming struct {
	word   string
	role   role
	common bool // a common word
	module bool // the name of a file, without its folder and ending
}

// termsOf lists the words of a decision by which code can be recognised: names
// of its options, and what looks like an identifier.
func termsOf(d *segment.Decision) []naming {
	var terms []naming
	for _, o := range d.Options {
		alone := !strings.ContainsAny(strings.TrimSpace(o.Text), " \t\n")
		module := ""
		if paths := pathsOf(o.Text); alone && len(paths) == 1 {
			module, _, _ = strings.Cut(base(paths[0]), ".")
		}
		words(o.Text, func(w string) {
			if !distinctive(w) && (!alone || len(w) < 3) {
				return
			}
			n := naming{word: w, role: left, module: w == module}
			if o.Chosen {
				n.role = taken
			}
			n.common = !distinctive(w) && !isUpper(w[0]) // "cursor" may be said of anything
			terms = append(terms, n)
		})
	}
	words(d.Epitome, func(w string) {
		if distinctive(w) {
			terms = append(terms, naming{word: w})
		}
	})
	return terms
}

// pathsOf lists what looks like a file or folder in a sentence.
func pathsOf(sentence string) []string {
	var paths []string
	for w := range strings.FieldsFuncSeq(sentence, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("`'\"()[]{}<>,;:", r)
	}) {
		w = strings.TrimRight(strings.TrimPrefix(w, "./"), ".!?")
		dot := strings.LastIndexByte(w, '.')
		if dot > 0 && dot < len(w)-1 && len(w)-dot <= 8 && !strings.Contains(w, "//") && hasLetter(w[dot+1:]) {
			paths = append(paths, strings.ReplaceAll(w, `\`, "/"))
		}
	}
	return paths
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// words cuts a text into the runs that [folded] knows as words.
func words(s string, f func(string)) {
	start := -1
	for i := range len(s) {
		word := folded[s[i]] != 0
		switch {
		case word && start < 0:
			start = i
		case !word && start >= 0:
			f(s[start:i])
			start = -1
		}
	}
	if start >= 0 {
		f(s[start:])
	}
}

// distinctive reports whether a word is no ordinary word of a sentence: it has
// an underscore, a digit among letters, or a capital after a small letter.
func distinctive(w string) bool {
	if len(w) < 3 {
		return false
	}
	letters, digits, hump := 0, 0, false
	var before rune
	for _, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
		hump = hump || unicode.IsUpper(r) && unicode.IsLower(before)
		before = r
	}
	return letters > 0 && (hump || digits > 0 || strings.ContainsAny(w, "_$"))
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// sortBySeq sorts decisions by where they were taken.
func sortBySeq(ds []*segment.Decision) {
	slices.SortFunc(ds, func(a, b *segment.Decision) int {
		return cmp.Or(cmp.Compare(a.Head.Seq, b.Head.Seq), cmp.Compare(a.Index, b.Index))
	})
}

// byStructure reports whether the decision is known by construction: an
// answered question, an approved plan.
func byStructure(d *segment.Decision) bool {
	return slices.ContainsFunc(d.Markers, func(m core.Marker) bool { return m.Category == core.StructuredChoice })
}
