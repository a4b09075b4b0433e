package pg

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words are told apart here and not by the server: so that every server, of every
// locale, finds what SQLite's tokenizer finds, and none takes a word for its stem.

// The bounds of a tsvector: what is more cannot be told by its place.
const (
	mostPlace  = 16000
	mostPlaces = 255
	mostBytes  = 1024 // of a word
)

// Words returns those of a text: runs of letters and digits, in lower case and without
// accents.
//
//	"Façade, fertig: 数据" → facade fertig 数 据
func Words(text string) []string {
	var all []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	for _, r := range norm.NFD.String(spaced(text)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r):
			if word.Len() < mostBytes {
				word.WriteRune(unicode.ToLower(r))
			}
		default:
			end()
		}
	}
	end()
	return all
}

// spaced puts spaces around each character of a script that is written without any, so that
// each can be found by itself.
func spaced(s string) string {
	alone := func(r rune) bool {
		return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	if strings.IndexFunc(s, alone) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if alone(r) {
			b.WriteString(" " + string(r) + " ")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Vector returns a tsvector, as text: the words of a text with their places, and values without
// places, for exact matches. A value must have no quote and no backslash.
//
//	Vector("Use the cursor", []string{"tag:db"})   → 'cursor':3 'tag:db' 'the':2 'use':1
func Vector(text string, values []string) string {
	places := map[string][]string{}
	for i, w := range Words(text) {
		if i < mostPlace && len(places[w]) < mostPlaces {
			places[w] = append(places[w], strconv.Itoa(i+1))
		}
	}
	all := make([]string, 0, len(places)+len(values))
	for w, at := range places {
		all = append(all, "'"+w+"':"+strings.Join(at, ","))
	}
	for _, v := range values {
		all = append(all, "'"+v+"'")
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
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

// Term is what must, or must not, stand in what is searched for.
type Term struct {
	Text        string
	Prefix, Not bool
}

// Phrase returns what a term asks for, as a tsquery: its words one right after the other. It is
// "" if it has no word.
//
//	Term{Text: "cursor pag", Prefix: true}   → ('cursor'<->'pag':*)
//	Term{Text: "offset", Not: true}          → !('offset')
func Phrase(t Term) string {
	all := Words(t.Text)
	if len(all) == 0 {
		return ""
	}
	for i, w := range all {
		all[i] = "'" + w + "'"
	}
	if t.Prefix {
		all[len(all)-1] += ":*"
	}
	text := "(" + strings.Join(all, "<->") + ")"
	if t.Not {
		text = "!" + text
	}
	return text
}
