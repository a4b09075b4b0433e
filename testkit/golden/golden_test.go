package golden_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/testkit/golden"
)

func TestDiff(t *testing.T) {
	long := strings.Repeat("x", 500)
	tests := []struct{ name, want, got, shown string }{
		{"middle", "a\nb\nc\n", "a\nB\nc\n", "from line 2 on, 1 lines are expected and 1 came:\n- b\n+ B\n"},
		{"missing", "a\nb\nc\n", "a\nc\n", "from line 2 on, 1 lines are expected and 0 came:\n- b\n"},
		{"more", "a\n", "a\nb\n", "from line 2 on, 0 lines are expected and 1 came:\n+ b\n"},
		{"no end", "a\n", "a", "from line 1 on, 1 lines are expected and 1 came:\n- a\n+ a (no line end)\n"},
		{
			"long line", long + "1" + long + "\n", long + "2" + long + "\n",
			"from line 1 on, 1 lines are expected and 1 came:\n" +
				"- …" + long[:70] + "1" + long[:139] + "…\n+ …" + long[:70] + "2" + long[:139] + "…\n",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := golden.Diff([]byte(tc.want), []byte(tc.got)); got != tc.shown {
				t.Errorf("got\n%s\nwant\n%s", got, tc.shown)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	if golden.Updating() {
		t.Skip("rewrites what it expects")
	}
	d := golden.Open(t, "testdata")
	d.Check(t, "one.txt", []byte("one\n"))
	d.Check(t, "sub/two.txt", []byte("two\n"))
}
