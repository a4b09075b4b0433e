package fault_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/io/fault"
)

func TestCaught(t *testing.T) {
	var nobody []int
	err := fault.Caught(func() error { return io.ErrUnexpectedEOF })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an error becomes %v", err)
	}
	err = fault.Caught(func() error { nobody[len(nobody)]++; return nil })
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || !strings.Contains(f.Error(), "fault of the program: runtime error: index out of range [0] with length 0\n") || !strings.Contains(string(f.Stack), "fault_test.go") {
		t.Errorf("a panic becomes %v", err)
	}
}
