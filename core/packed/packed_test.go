package packed_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/packed"
)

// TestText reads a text that is packed and one that is not; what is cut off or damaged is
// refused.
func TestText(t *testing.T) {
	for _, text := range []string{"", "one", strings.Repeat("the same again\n", 1000)} {
		small, err := packed.Pack(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{text, string(small)} {
			if got, err := packed.Text(form); err != nil || got != text {
				t.Errorf("%.20q is read as %.20q, %v", form, got, err)
			}
		}
		if got, err := packed.Text(string(small[:len(small)-1])); err == nil {
			t.Errorf("a text without its end is read as %.20q", got)
		}
	}
}
