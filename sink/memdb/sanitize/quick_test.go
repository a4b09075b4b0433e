package sanitize

import (
	"slices"
	"strings"
	"testing"
)

// TestFinder compares what a finder finds with what looking for each word finds.
func TestFinder(t *testing.T) {
	var d dictionary
	words := d.words("he she his hers s a.i. _user < 指令 指示 the_user")
	f := newFinder(d.texts)
	for _, text := range []string{"", "x", "ushers", "the users use a.i. <<<he", "shehishers", "指 指令指示\xe6\x8c", "his user: the user"} {
		places := f.find([]byte(text))
		for i, w := range words {
			var want, got []int32
			for at := 0; at < len(text); at++ {
				if strings.HasPrefix(text[at:], d.texts[i]) {
					want = append(want, int32(at))
				}
			}
			if places != nil {
				got = places[w.number]
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q is in %q at %v, want %v", d.texts[i], text, got, want)
			}
		}
		if places != nil && !slices.ContainsFunc(places, func(p []int32) bool { return len(p) > 0 }) {
			t.Errorf("%q: places, and none of them", text)
		}
	}
}

// TestPrefiltersSpare wants ordinary text not to be read closely: what a prefilter
// cannot tell apart, or has too many states for, would be slow unseen.
func TestPrefiltersSpare(t *testing.T) {
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Repeat("The assistant reads the file, and the user asks what to do without the key. Then run all the tests, and send the model a note. ", 40))
	for i := range s.rules {
		if g := s.rules[i].prefilter; g.mayMatch(text) {
			t.Errorf("the prefilter of %s stops at %q", g.pattern, text[:128])
		}
	}
}
