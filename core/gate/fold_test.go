package gate

import (
	"strings"
	"testing"
)

// TestFoldShort holds the quick way of looking a word up to the other one, for
// every byte at every place of short words.
func TestFoldShort(t *testing.T) {
	taken := 0
	for length := range headSize + 2 {
		for at := range max(length, 1) {
			for c := range 256 {
				word := []byte(strings.Repeat("Z", length))
				if length > 0 {
					word[at] = byte(c)
				}
				text := "[" + string(word) + "@Az'é]     "
				head, ok := foldShort(text, 1, 1+length)
				if !ok {
					continue
				}
				taken++
				if want := fold(nil, string(word)); len(want) != length || head != headOf(want) {
					t.Fatalf("%q is %x, want %x", word, head, headOf(want))
				}
			}
		}
	}
	if least := 30 * 127; taken < least {
		t.Errorf("%d words were taken, want %d at least", taken, least)
	}
}

// TestFold shows which forms of a word are one.
func TestFold(t *testing.T) {
	for word, want := range map[string]string{
		"Größe": "grosse", "Don’t": "dont", "Никогда": "никогда", "ЕЩЁ": "еще", "금지": "금지",
		"достопримечательность": "", // more than a vocabulary has
	} {
		if got := string(fold(nil, word)); got != want {
			t.Errorf("%q is folded to %q, want %q", word, got, want)
		}
	}
}
