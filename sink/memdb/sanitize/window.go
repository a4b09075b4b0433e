package sanitize

import "slices"

// A pattern is tried on windows around the words of its rule, not on the whole
// text: what these words are not near cannot match.
const (
	windowBefore = 240
	windowAfter  = 400
	// freeWork is how many bytes of windows are looked at in any text, and workRatio
	// how many more for each byte of it, as long as it is of a usual length. In
	// documents that people wrote, windows have up to 3.9 times the bytes of the text.
	freeWork  = 256 << 10
	workRatio = 4
	usual     = 256 << 10
)

// matches finds a rule in a text. places has, by word, where it stands. budget is how many
// bytes may still be searched; when it is used up, each window counts as a match: a text that
// is made of the words of rules is removed rather than passed unsearched.
func (r *compiled) matches(text []byte, places [][]int32, budget *int) [][2]int {
	var found [][2]int
	for _, w := range r.windows(text, places) {
		part := text[w[0]:w[1]]
		if *budget -= len(part); *budget < 0 {
			found = append(found, w)
			continue
		}
		if !r.prefilter.mayMatch(part) {
			continue
		}
		for _, m := range r.re.FindAllIndex(part, -1) {
			found = append(found, [2]int{w[0] + m[0], w[0] + m[1]})
		}
	}
	return found
}

// windows returns the pieces of a text in which the rule could match, sorted and disjoint.
func (r *compiled) windows(text []byte, places [][]int32) [][2]int {
	var all [][2]int
	for _, word := range r.first {
		for _, at := range places[word.number] {
			if wordBegins(text, int(at)) {
				all = append(all, window(text, int(at)))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	merged := all[:0]
	for _, w := range all {
		if n := len(merged); n > 0 && w[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], w[1])
			continue
		}
		merged = append(merged, w)
	}
	return r.near(merged, places)
}

// near keeps of windows those with one of the second words in them.
func (r *compiled) near(windows [][2]int, places [][]int32) [][2]int {
	if len(r.second) == 0 || len(windows) == 0 {
		return windows
	}
	left := make([][]int32, len(r.second)) // places from the window on
	for i, word := range r.second {
		left[i] = places[word.number]
	}
	return slices.DeleteFunc(windows, func(w [2]int) bool {
		for i, word := range r.second {
			for len(left[i]) > 0 && int(left[i][0]) < w[0] {
				left[i] = left[i][1:]
			}
			if len(left[i]) > 0 && int(left[i][0])+word.length <= w[1] {
				return false
			}
		}
		return true
	})
}

// window begins with the sentence of a place, or the one before it, so that a
// pattern sees what begins a clause.
func window(text []byte, at int) [2]int {
	least := max(0, at-windowBefore)
	from := least
	for from > 0 && from < at && text[from-1] != ' ' && text[from-1] != '\n' {
		from++
	}
	if from > 0 {
		from-- // the space: no clause begins here
	}
	return [2]int{from, min(len(text), at+windowAfter)}
}

// wordBegins reports whether a word can begin at a place.
func wordBegins(text []byte, at int) bool {
	return at == 0 || !isNameByte(text[at]) || !isNameByte(text[at-1])
}
