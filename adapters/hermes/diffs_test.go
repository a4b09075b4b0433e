package hermes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

// TestParts cuts what patches give, as 0.13.0 and 0.19.0 wrote it.
func TestParts(t *testing.T) {
	for name, tc := range map[string]struct {
		diff string
		want []part
	}{
		"a change and a move": {
			"--- a//w/a.js\n+++ b//w/a.js\n@@ -8,2 +8,2 @@\n }\n-x\n+y\n\n# Moved: /w/a.js -> /w/b.js",
			[]part{{change: core.Modify, path: "/w/a.js", text: "@@ -8,2 +8,2 @@\n }\n-x\n+y\n"}, {change: core.Rename, from: "/w/a.js", path: "/w/b.js"}},
		},
		"a new file has no end": {
			"--- /dev/null\n+++ b/docs/a.md\n+# A\n+\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n",
			[]part{{change: core.Create, path: "docs/a.md", text: "# A\n", lines: 2}, {change: core.Modify, path: "b", text: "@@ -1 +1 @@\n-x\n+y\n"}},
		},
		"a file that goes": {
			"--- a/R.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-# R\n---- x",
			[]part{{change: core.Delete, path: "R.md", text: "# R\n--- x"}},
		},
		"an empty file that goes": {"# Deleted: e", []part{{change: core.Delete, path: "e"}}},
		"two lines without ends run together": {
			"--- a/n\n+++ b/n\n@@ -1,2 +1,2 @@\n first\n-last mysql+last postgres",
			[]part{{change: core.Modify, path: "n", text: "@@ -1,2 +1,2 @@\n first\n-last mysql+last postgres\n" + noEnd, broken: true}},
		},
		"other line ends": {
			"--- a/t\n+++ b/t\n@@ -1,4 +1,4 @@\n a\n-b\n+B\n e\f f\n",
			[]part{{change: core.Modify, path: "t", text: "@@ -1,4 +1,4 @@\n a\n-b\n+B\n e\f f\n", broken: true}},
		},
		"nothing": {"", nil},
	} {
		if diff := cmp.Diff(tc.want, parts(tc.diff), cmp.AllowUnexported(part{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestStandard: what the client takes besides is put as other tools write it.
func TestStandard(t *testing.T) {
	const given = "***Update File: a\n@@ def f @@\n-x\n+y\n*** Move File: b -> c\n"
	const want = "*** Begin Patch\n*** Update File: a\n@@ def f\n-x\n+y\n*** Update File: b\n*** Move to: c\n\n*** End Patch"
	if diff := cmp.Diff(want, standard(given)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTyped finds what a person typed.
func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		"use x":               "use x",
		"[x] is done, go on":  "[x] is done, go on",
		"[System: Continue.]": "",
		"[IMPORTANT: The user has invoked the \"s\" skill, …]\n\nThe user has provided the following instruction alongside the skill invocation: do y\n\n[Runtime note: z]":                     "do y",
		"[The user attached an image. Here's what it contains:\nvision_analyze]\n\nno]\n[If you need a closer look, use vision_analyze with image_url: /h/m.png]\n\nUse this red.\n\nNo other.": "Use this red.\n\nNo other.",
		"look at this\n\n--- Attached Context ---\n\nfile":                                           "look at this",
		"[Your active task list was preserved across context compression]\n- [>] 1. x (in_progress)": "",
	} {
		got, more := typed(text)
		if got != want || more == (got == text) {
			t.Errorf("%q: typed is %q, %t", text, got, more)
		}
	}
}
