package edit_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/edit"
)

// A command casts no doubt on files only if all of it is known to change none.
func TestFilesRan(t *testing.T) {
	for _, test := range []struct {
		command string
		sure    bool
	}{
		{"ls -la src", true},
		{"cd src && cat a.go | head -20", true},
		{"git status; git diff --stat", true},
		{`grep -rn "x y" . 2>/dev/null`, true},
		{"sed -n '1,20p' a.go", true},
		{"find . -name '*.go'", true},
		{"", false},
		{"  ", false},
		{"npm test", false},
		{"cat a > b", false},
		{"cat a >> b", false},
		{"ls; rm a", false},
		{"sed -i s/a/b/ a.go", false},
		{"find . -name '*.tmp' -delete", false},
		{"find . -fls list", false},
		{"git checkout .", false},
		{"git diff --output=a.go", false},
		{"git log --output a.go", false},
		{"echo $(rm a)", false},
		{"cat <<EOF\nx\nEOF", false},
		{"uniq in out", false},
	} {
		var f edit.Files
		f.Set("a", "1\n")
		f.Ran(test.command)
		if _, sure := f.Sure("a"); sure != test.sure {
			t.Errorf("after %q the text is known for sure: %t, want %t", test.command, sure, test.sure)
		}
	}
}
