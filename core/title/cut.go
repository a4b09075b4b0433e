package title

import (
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/prose"
)

// runes returns the length of a text in characters: all limits of titles count these.
func runes(s string) int { return utf8.RuneCountInString(s) }

// trimmed returns a span without the blanks around it, and without the signs that begin a
// heading, a quote or a list item.
//
// "> - Use tabs " is trimmed to "Use tabs"; "#fff is the accent" keeps its #, since no
// blank follows it.
func trimmed(text string, s prose.Span) prose.Span {
	for s.Start < s.End && strings.IndexByte(" \t\r\n", text[s.Start]) >= 0 {
		s.Start++
	}
	if hashes := strings.TrimLeft(text[s.Start:s.End], "#"); strings.HasPrefix(hashes, " ") {
		s.Start = s.End - len(hashes) + 1 // of a heading, and not of a colour
	}
	for _, mark := range [...]string{">", "- ", "* ", "• "} {
		for strings.HasPrefix(text[s.Start:s.End], mark) {
			s.Start += len(mark)
			for s.Start < s.End && text[s.Start] == ' ' {
				s.Start++
			}
		}
	}
	for s.End > s.Start && strings.IndexByte(" \t\r\n", text[s.End-1]) >= 0 {
		s.End--
	}
	return s
}

// unmarked splits a span so that the signs that make words bold are left out: "**Redis** is"
// becomes "Redis" and " is". A "**" in code stays.
//
// A "**" that is never closed stays too, and so does one in a glob such as src/**/x.
func unmarked(text string, s prose.Span) []prose.Span {
	var out []prose.Span
	code, from := false, s.Start
	open := -1 // where "**" opens
	for i := s.Start; i < s.End; i++ {
		switch {
		case text[i] == '`':
			code = !code
		case !code && text[i] == '[' && prose.Attachment(text[i:s.End]) > 0:
			end := i + prose.Attachment(text[i:s.End])
			end += len(text[end:s.End]) - len(strings.TrimLeft(text[end:s.End], " "))
			out, from = appendSpan(out, from, i), end
			i = end - 1
		case code || i+1 >= s.End || text[i] != '*' || text[i+1] != '*':
		case open < 0 && i+2 < s.End && strings.IndexByte(" \t\r\n/*", text[i+2]) < 0 && (i == s.Start || blankOrMark(text[i-1])) && strings.Contains(text[i+2:s.End], "**"):
			open = i
			out, from = appendSpan(out, from, i), i+2
			i++
		case open >= 0:
			out, from, open = appendSpan(out, from, i), i+2, -1
			i++
		}
	}
	return appendSpan(out, from, s.End)
}

// appendSpan appends a span unless it is empty.
func appendSpan(all []prose.Span, from, to int) []prose.Span {
	if from >= to {
		return all
	}
	return append(all, prose.Span{Start: from, End: to})
}

// blankOrMark reports whether a byte is a blank, punctuation or emphasis. No part of a title
// begins or ends with one.
func blankOrMark(c byte) bool {
	return strings.IndexByte(" \t\r\n/*.,:;()[]\"'", c) >= 0
}

// shorten cuts a span to about most characters. The result begins and ends at an edge of a
// sentence or clause, and contains the offset focus: the word that decides.
//
//	length ≤ 4/3 most                kept whole
//	an edge within most              cut there
//	the first clause is longer       kept whole up to 2 × most
//	no edge at all                   cut between two words
//
// For most = 40 and focus at "cursor", "We looked at it for a week, and then chose
// cursor pagination, which is fast" becomes "and then chose cursor pagination".
func shorten(text string, s prose.Span, most, focus int) prose.Span {
	const slack = 3 // a text that is a third longer than most is not cut
	if n := runes(s.In(text)); n <= most+most/slack {
		return s
	}
	edges := edgesIn(text, s)
	start := s.Start
	if runes(text[s.Start:focus]) > most*2/3 {
		sentence := start // the last one to begin before the focus
		for _, e := range edges {
			if e.next <= focus {
				if start = e.next; strings.ContainsAny(text[e.end-1:e.next], ".!?。！？\n") {
					sentence = start
				}
			}
		}
		if runes(text[sentence:focus]) <= most {
			start = sentence
		}
	}
	end := start
	for _, e := range edges {
		if e.end <= max(start, focus) {
			continue
		}
		n, had := runes(text[start:e.end]), runes(text[start:end])
		if n <= most || had < most/3 && n <= 2*most {
			end = e.end
		}
	}
	if n := runes(text[start:s.End]); n <= most || runes(text[start:end]) < most/3 && n <= 2*most {
		end = s.End
	}
	if end > max(start, focus) {
		return prose.Span{Start: start, End: end}
	}
	return prose.Span{Start: start, End: wordEnd(text, max(start, min(focus, s.End)), s.End, most)}
}

// wordEnd returns the end of the last word within most characters after from.
//
// Text without blanks, such as Chinese, is cut between two characters.
func wordEnd(text string, from, to, most int) int {
	end, n := from, 0
	for end < to && n < most {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
		n++
	}
	if end >= to {
		return to
	}
	if at := strings.LastIndexAny(text[from:end], " \n\t"); at > 0 {
		return from + at
	}
	return end
}

// edge is the end of a clause and the beginning of the next one.
type edge struct{ end, next int }

// edgesIn returns the edges of the sentences and clauses of a span, in order. There is none
// inside of brackets or code.
//
// If a bracket or a backquote is never closed, it is ignored, and edges count
// everywhere.
func edgesIn(text string, s prose.Span) (all []edge) {
	depth, code := 0, false
	for i := s.Start; i < s.End; {
		r, size := utf8.DecodeRuneInString(text[i:s.End])
		next := i + size
		switch r {
		case '`':
			code = !code
		case '(', '[', '{', '（':
			depth++
		case ')', ']', '}', '）':
			depth = max(0, depth-1)
		}
		if !code && depth == 0 {
			if e, ok := edgeAt(text, i, next, s.End, r); ok {
				all = append(all, e)
			}
		}
		i = next
	}
	if depth > 0 || code { // never closed: brackets and backquotes are ignored
		return looseEdges(text, s)
	}
	return all
}

// looseEdges returns the edges of sentences alone.
func looseEdges(text string, s prose.Span) (all []edge) {
	for i := s.Start; i < s.End; {
		r, size := utf8.DecodeRuneInString(text[i:s.End])
		if e, ok := edgeAt(text, i, i+size, s.End, r); ok {
			all = append(all, e)
		}
		i += size
	}
	return all
}

// edgeAt reports whether a clause ends at the character r, which is text[i:next].
//
// A clause ends at a stop or comma before a blank, at a stop of Chinese or Japanese, at a
// dash between blanks, at the end of a line, and at a blank before a word such as "and" or
// "because". A stop belongs to its clause; a comma does not.
func edgeAt(text string, i, next, end int, r rune) (edge, bool) {
	behind := next
	for behind < end && strings.IndexByte(" \t\r\n", text[behind]) >= 0 {
		behind++
	}
	if behind >= end {
		return edge{}, false
	}
	switch r {
	case '.', '!', '?':
		return edge{next, behind}, behind > next
	case '。', '！', '？':
		return edge{next, behind}, true
	case ',', ';':
		return edge{i, behind}, behind > next
	case ':':
		return edge{i, behind}, behind > next
	case '，', '；', '、', '：':
		return edge{i, behind}, true
	case '—', '–', '-':
		return edge{i - 1, behind}, behind > next && i > 0 && text[i-1] == ' '
	case '\n':
		return edge{i, behind}, true
	case ' ':
		return edge{i, next}, i > 0 && text[i-1] != ',' && text[i-1] != ';' && joinsClauses(text[next:end])
	}
	return edge{}, false
}

// joinsClauses reports whether a text begins with a word that begins a clause, such as "and".
func joinsClauses(text string) bool {
	word, _, found := strings.Cut(text[:min(len(text), 12)], " ")
	if !found {
		return false
	}
	switch word {
	case "and", "but", "because", "so", "which", "while", "unless", "und", "weil", "aber", "et", "mais", "parce", "y", "pero", "porque", "e", "ma", "mas", "и", "но", "потому":
		return true
	}
	return false
}
