package patch_test

import (
	"testing"

	"github.com/memscribe/memscribe/internal/verify/patch"
)

func TestApply(t *testing.T) {
	tests := []struct {
		name, diff, before, after string
		added, removed            int
	}{
		{
			"change in the middle", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
			"a\nb\nc\nd\n", "a\nB\nc\nd\n", 1, 1,
		},
		{"create", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n", "", "a\nb\n", 2, 0},
		{"delete", "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "a\n", "", 0, 1},
		{"insert after line 1", "--- a/f\n+++ b/f\n@@ -1,0 +2 @@\n+x\n", "a\nb\n", "a\nx\nb\n", 1, 0},
		{
			"line end appears", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
			"a", "a\n", 1, 1,
		},
		{
			"line end goes", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n",
			"a\n", "a", 1, 1,
		},
		{"carriage return is content", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\r\n+b\r\n", "a\r\n", "b\r\n", 1, 1},
		{
			"two hunks", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n@@ -3 +3 @@ func f()\n-c\n+C\n",
			"a\nb\nc\n", "A\nb\nC\n", 2, 2,
		},
		{"a removed line that looks like a header", "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n--- x\n y\n", "-- x\ny\n", "y\n", 0, 1},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			files, err := patch.Parse("diff --git a/f b/f\nindex 1..2 100644\n" + tc.diff)
			if err != nil || len(files) != 1 {
				t.Fatalf("%d files, %v", len(files), err)
			}
			got, err := files[0].Apply(tc.before)
			if err != nil || got != tc.after {
				t.Errorf("got %q, %v, want %q", got, err, tc.after)
			}
			if a, r := files[0].Counts(); a != tc.added || r != tc.removed {
				t.Errorf("counts +%d -%d, want +%d -%d", a, r, tc.added, tc.removed)
			}
		})
	}
}

func TestParseTwoFiles(t *testing.T) {
	const diff = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ \"b/\\346\\226\\207\"\n@@ -1 +1 @@\n-a\n+b\n"
	files, err := patch.Parse(diff)
	if err != nil || len(files) != 2 || files[1].New != "b/文" {
		t.Errorf("got %+v, %v", files, err)
	}
}

func TestRefused(t *testing.T) {
	for _, diff := range []string{
		"@@ -1 +1 @@\n-a\n+b\n",
		"--- a/f\n@@ -1 +1 @@\n-a\n+b\n",
		"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n+c\n", // a line too many
		"--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n-a\n+b\n",
		"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\nb\n",
		"--- a/f\n+++ b/f\n@@ 1 1 @@\n-a\n+b\n",
		"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+b\n", // content differs
		"--- a/f\n+++ b/f\n@@ -9 +9 @@\n-a\n+b\n", // no such line
	} {
		files, err := patch.Parse(diff)
		if err == nil {
			_, err = files[0].Apply("a\n")
		}
		if err == nil {
			t.Errorf("accepted %q", diff)
		}
	}
}
