package usage_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/memscribe/memscribe/internal/usage"
)

// A mark survives wrapping, hides no cause and changes no text.
func TestMark(t *testing.T) {
	err := fmt.Errorf("open: %w", usage.Errorf("no tool %q: %w", "x", io.EOF))
	if !usage.Is(err) || !errors.Is(err, io.EOF) || err.Error() != `open: no tool "x": EOF` {
		t.Errorf("got %v, marked %t", err, usage.Is(err))
	}
	if usage.Is(io.EOF) || usage.Is(nil) {
		t.Error("an error without a mark counts as one of usage")
	}
}
