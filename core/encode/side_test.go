package encode_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/redact"
)

// TestSecretBesideAnotherLineOfADiff has secrets in diffs, given away by the line
// before them, which has another sign or stands beyond lines of the other side. No
// other string of the node helps to find them.
func TestSecretBesideAnotherLineOfADiff(t *testing.T) {
	const secret, other = "Zk39dkeLLq02mfTz8", "Qk39dkeLLq02mfTz1"
	engine, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &encode.Encoder{Scrubber: engine}
	for name, lines := range map[string][]string{
		"name is kept":         {` {`, `   "db_password":`, `-    "` + secret + `"`, `+    "` + other + `"`, ` }`},
		"name is new":          {` {`, `-  "name":`, `+  "db_password":`, `     "` + secret + `"`, ` }`},
		"name was removed":     {` {`, `-  "db_password":`, `+  "name":`, `     "` + secret + `"`, ` }`},
		"both are new":         {` {`, `+  "db_password":`, `+    "` + secret + `"`, ` }`},
		"beyond the other":     {`-db_password = (`, `+db_password = strip(`, `-    "` + secret + `"`, `+    "` + other + `"`, ` )`},
		"arguments of a call":  {` run("--password",`, `-    "` + secret + `",`, `+    "` + other + `",`, ` )`},
		"continued command":    {` mysql --password \`, `-  ` + secret, `+  ` + other},
		"in a later hunk":      {` a`, `-b`, `+c`, `@@ -20,2 +20,2 @@`, `   "db_password":`, `-    "` + secret + `"`, `+    "` + other + `"`},
		"without a line's end": {`   "db_password":`, `-    "` + secret + `"`, `\ No newline at end of file`, `+    "` + other + `"`, `\ No newline at end of file`},
	} {
		unified := "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n" + strings.Join(lines, "\n") + "\n"
		out, err := e.Node(nil, &core.Node{Body: &core.Episode{Diff: core.Diff{Path: "f", Unified: unified}}})
		if err != nil {
			t.Fatal(err)
		}
		var d jsondoc.Doc
		if _, err := d.Parse(out); err != nil {
			t.Fatal(err)
		}
		got := d.Root().Get("diff").Get("unified").Str()
		if strings.Contains(got, secret) || strings.Contains(got, other) || !strings.Contains(got, "[REDACTED:password]") {
			t.Errorf("%s: leaks:\n%s", name, got)
		}
		for i, line := range strings.Split(unified, "\n") {
			if now := strings.Split(got, "\n"); len(now) <= i || line != "" && now[i][0] != line[0] {
				t.Errorf("%s: line %d is no longer what it was:\n%s", name, i, got)
				break
			}
		}
	}
}

// TestSidesKeepTheirWords: lines that a hunk or other lines part are not judged
// together, and what is no secret stays.
func TestSidesKeepTheirWords(t *testing.T) {
	engine, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := &encode.Encoder{Scrubber: engine}
	for _, unified := range []string{
		"--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a(\n+b(\n@@ -9,1 +9,1 @@\n+  \"Zk39dkeLLq02mfTz8\"\n",
		"--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n   \"db_password\":\n@@ -9,1 +9,1 @@\n+    \"Zk39dkeLLq02mfTz8\"\n",
		"--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n if (\n-  a\n+  b\n )\n",
		"--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n", "",
	} {
		plain, err := (&encode.Encoder{}).Node(nil, &core.Node{Body: &core.Episode{Diff: core.Diff{Path: "f", Unified: unified}}})
		if err != nil {
			t.Fatal(err)
		}
		out, err := e.Node(nil, &core.Node{Body: &core.Episode{Diff: core.Diff{Path: "f", Unified: unified}}})
		if err != nil || string(out) != string(plain) {
			t.Errorf("%q was changed: %v\n%s", unified, err, out)
		}
	}
}
