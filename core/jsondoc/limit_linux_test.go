package jsondoc_test

import (
	"errors"
	"math"
	"syscall"
	"testing"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// TestTooLong gives Parse 4 GiB that cannot be read: it has to refuse them for
// their length alone.
func TestTooLong(t *testing.T) {
	size := int64(1) << 32
	if size > math.MaxInt {
		t.Skip("no slice is that long here")
	}
	b, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("no address space:", err)
	}
	defer func() { _ = syscall.Munmap(b) }()
	var d jsondoc.Doc
	n, err := d.Parse(b)
	var refused *jsondoc.SyntaxError
	if n != 0 || !errors.As(err, &refused) || refused.Offset != 0 || d.Root().Exists() {
		t.Errorf("Parse = %d, %v", n, err)
	}
}
