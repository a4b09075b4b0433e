package panics_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/panics"
)

func TestCaught(t *testing.T) {
	var nobody []int
	err := panics.Caught(func() error { return io.ErrUnexpectedEOF })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an error becomes %v", err)
	}
	err = panics.Caught(func() error { nobody[len(nobody)]++; return nil })
	f, ok := errors.AsType[*panics.Error](err)
	if !ok || !strings.Contains(f.Error(), "fault of the program: runtime error: index out of range [0] with length 0\n") || !strings.Contains(string(f.Stack), "panics_test.go") {
		t.Errorf("a panic becomes %v", err)
	}
}
