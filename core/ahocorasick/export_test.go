package ahocorasick

// Word is a word and the place where it ends.
type Word struct {
	Word string
	End  int
}

// Hits lists where words end in a text, found with the automaton's table or
// without it.
func Hits(words []string, text string, withTable bool) []Word {
	var s Scanner
	a := New(words)
	if withTable {
		s.table = newTable(a)
	}
	s.Start(a, []byte(text))
	var all []Word
	for from := 0; from < len(text); from += 700 {
		s.Scan(from, min(from+700, len(text)))
		for _, lane := range s.Hits {
			for _, h := range lane {
				for _, w := range a.Ending(h.State, nil) {
					all = append(all, Word{words[w], h.End})
				}
			}
		}
	}
	return all
}
