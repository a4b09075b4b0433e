package search_test

import (
	"slices"
	"testing"

	"github.com/memscribe/memscribe/internal/search"
)

func TestNear(t *testing.T) {
	all := []string{"claude_code", "codex", "claude_ai", "gemini", "core", "codex"}
	for name, want := range map[string][]string{
		"claud":  {"claude_code", "claude_ai"},
		"codx":   {"codex"},
		"CODEX":  {"codex"},
		"gemnii": {"gemini"},
		"order":  nil, // "core" is three slips away, too many for five letters
		"x":      nil,
		"":       nil,
	} {
		if got := search.Near(name, all); !slices.Equal(got, want) {
			t.Errorf("near %q is %q, want %q", name, got, want)
		}
	}
}
