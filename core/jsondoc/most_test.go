package jsondoc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// TestMaxValues: an input with more values than are sane is refused, at the place
// of the first that is too many; how many are depends on nothing but its length.
func TestMaxValues(t *testing.T) {
	const most = jsondoc.MaxValues
	array := func(n int, el string) []byte {
		return []byte("[" + strings.Repeat(el+",", n-2) + el + "]")
	}
	long := `"` + strings.Repeat("a", jsondoc.BytesPerValue) + `"`
	tests := []struct {
		name   string
		whole  bool
		in     []byte
		offset int // of the fault; -1 is none
	}{
		{"as many as may be", false, array(most, "1"), -1},
		{"one more", false, array(most+1, "1"), 1 + 2*(most-1)},
		{"one more in a session", true, array(most+1, "1"), 1 + 2*(most-1)},
		{"more of longer ones", false, array(most+1, long), 1 + (len(long)+1)*(most-1)},
		{"more of longer ones in a session", true, array(2*most, long), -1},
	}
	var d jsondoc.Doc
	for _, tt := range tests {
		d.Whole = tt.whole
		for range 2 { // the second time with the memory of the first
			_, err := d.Parse(tt.in)
			var bad *jsondoc.SyntaxError
			switch {
			case tt.offset < 0 && err != nil:
				t.Errorf("%s: %v", tt.name, err)
			case tt.offset >= 0 && (!errors.As(err, &bad) || bad.Offset != tt.offset || bad.Reason != "too many values"):
				t.Errorf("%s: %v, want too many values at %d", tt.name, err, tt.offset)
			}
		}
	}
}
