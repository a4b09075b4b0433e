package bind

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
)

// term is a word of a decision by which code can be recognised.
type term struct {
	word     string
	role     role
	isCommon bool // a common word
	isModule bool // a file name without folder and extension
}

// termsOf returns the terms of a decision: the names of its options, and identifiers.
func termsOf(d *segment.Decision) []term {
	var terms []term
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
			n := term{word: w, role: rejected, isModule: w == module}
			if o.Chosen {
				n.role = chosen
			}
			n.isCommon = !distinctive(w) && !isUpper(w[0]) // such as "cursor"
			terms = append(terms, n)
		})
	}
	words(d.Epitome, func(w string) {
		if distinctive(w) {
			terms = append(terms, term{word: w})
		}
	})
	return terms
}

// pathsOf returns what looks like a path in a sentence.
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

// hasLetter reports whether a text has a letter of any script.
func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// words calls f with each word of a text; [folded] defines what a word is.
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

// distinctive reports whether a word looks like an identifier: it has an underscore, a
// dollar sign, a digit beside letters, or an upper-case letter after a lower-case one.
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

// isUpper reports whether c is a capital letter of ASCII.
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// sortBySeq sorts decisions in stream order.
func sortBySeq(ds []*segment.Decision) {
	slices.SortFunc(ds, func(a, b *segment.Decision) int {
		return cmp.Or(cmp.Compare(a.Head.Seq, b.Head.Seq), cmp.Compare(a.Index, b.Index))
	})
}

// byStructure reports whether a decision is structured: an answered question or an approved
// plan.
func byStructure(d *segment.Decision) bool {
	return slices.ContainsFunc(d.Markers, func(m core.Marker) bool { return m.Category == core.StructuredChoice })
}
