package search

import (
	"slices"
	"strings"
)

// Near returns the names that are like one: those that have it in them or that it has in
// it, else those that are the fewest slips from it, of one slip for three letters. Each
// stands once, in the order of all. Case does not matter.
//
//	Near("claud", …)  claude_code
//	Near("codx", …)   codex
func Near(name string, all []string) []string {
	wanted := strings.ToLower(name)
	var near []string
	for most := range max(1, len(wanted)/3) + 1 {
		for _, n := range all {
			is := strings.ToLower(n)
			alike := Distance(is, wanted, most) <= most && most < len(wanted) ||
				most == 0 && len(wanted) > 1 && (strings.Contains(is, wanted) || len(is) > 2 && strings.Contains(wanted, is))
			if alike && is != "" && !slices.Contains(near, n) {
				near = append(near, n)
			}
		}
		if len(near) > 0 {
			break
		}
	}
	return near
}

// Typos returns the words that differ from a word by one slip: a letter left out, doubled,
// changed, added, or exchanged with its neighbour. For a word of n letters there are about 74
// n. Nil for a word that is shorter than five letters, longer than 32, or has other characters
// than a to z and digits.
func Typos(word string) []string {
	if len(word) < shortest || len(word) > longest || strings.Trim(word, alphabet) != "" {
		return nil
	}
	seen := map[string]bool{word: true}
	var all []string
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			all = append(all, w)
		}
	}
	for i := range word {
		add(word[:i] + word[i+1:])
		if i > 0 {
			add(word[:i-1] + word[i:i+1] + word[i-1:i] + word[i+1:])
		}
		for _, c := range alphabet {
			add(word[:i] + string(c) + word[i:])
			add(word[:i] + string(c) + word[i+1:])
		}
	}
	for _, c := range alphabet {
		add(word + string(c))
	}
	return all
}

const (
	alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	shortest = 5  // a shorter word is one slip from too many others
	longest  = 32 // and a longer one is none
)

// Distance returns the number of slips between two words, counted in bytes: letters added, left
// out, changed, or exchanged with their neighbours (optimal string alignment). If it is more
// than most, the result is most+1; the work is then bounded by the shorter word.
func Distance(a, b string, most int) int {
	if a == b {
		return 0
	}
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, now := rows[(i+2)%3], rows[i%3]
		now[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			now[j] = min(before[j]+1, now[j-1]+1, before[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], rows[(i+1)%3][j-2]+1)
			}
		}
	}
	return min(rows[len(a)%3][len(b)], most+1)
}
