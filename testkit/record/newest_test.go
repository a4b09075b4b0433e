package record

import "testing"

// TestNewestIn: the answers of both registries' clients are read, and what names no
// version, or a path, is none.
func TestNewestIn(t *testing.T) {
	for answer, want := range map[string]string{
		"2.1.330\n": "2.1.330",
		"mistral-vibe (2.19.1)\nAvailable versions: 2.19.1, 2.19.0\n": "2.19.1",
		"":                     "",
		"no such package":      "",
		"evil (../../etc/1)\n": "",
		"pkg (no version yet)": "",
		"1.0.0-beta.2\nrest\n": "1.0.0-beta.2",
	} {
		if got := newestIn(answer); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}
