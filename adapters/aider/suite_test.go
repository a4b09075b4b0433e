package aider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/aider"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// history is written as aider's source writes it: two sessions, with blocks of which
// one is confirmed, a heading and a quotation of the model's, and an answer that was
// not applied. Its spaces at the ends of lines are written as "·".
var history = strings.ReplaceAll(`
# aider chat started at 2026-08-01 10:00:00

> Aider v0.86.1··
> Git repo: .git with 3 files··

#### Use pnpm instead of npm.··
#### ··
#### Everywhere.··

#### Plan
> as you said
package.json
`+"```json"+`
<<<<<<< SEARCH
  "packageManager": "npm"
#### no prompt
=======
  "packageManager": "pnpm"
>>>>>>> REPLACE
`+"```"+`

other.json
`+"```"+`
<<<<<<< SEARCH
a
=======
b
>>>>>>> REPLACE
`+"```"+`

> Applied edit to package.json··
> Commit 672ae42 build: use pnpm··

# aider chat started at 2026-08-02 10:00:00

#### Write it.··

a.txt
`+"```"+`
one
two
`+"```"+`

> Applied edit to a.txt··

#### And change it.··

a.txt
`+"```"+`
<<<<<<< SEARCH
two
=======
three
>>>>>>> REPLACE
`+"```"+`

> The LLM did not conform to the edit format.··
`, "·", " ")

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: ".aider.chat.history.md", Data: history}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, aider.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, aider.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, aider.Adapter{}, samples()...) }

// TestTold: only what a person typed is theirs, and only what the client confirms is
// an edit.
func TestTold(t *testing.T) {
	var got []string
	adaptertest.Parse(aider.Adapter{}, ".aider.chat.history.md", []byte(history), func(ev *core.Event) {
		switch b := ev.Body.(type) {
		case *core.SessionStart:
			got = append(got, "session")
		case *core.UserTurn:
			got = append(got, "user "+b.Text.String())
		case *core.AssistantTurn:
			head, _, _ := strings.Cut(b.Text.String(), "\n")
			got = append(got, "said "+head)
		case *core.FileEdit:
			got = append(got, fmt.Sprintf("edit %s %s %s +%d -%d", b.Diff.Path, b.Diff.Change, b.Diff.Certainty, b.Diff.Added, b.Diff.Removed))
		case *core.Unknown:
			if !b.Bookkeeping {
				got = append(got, "unknown")
			}
		}
	})
	want := []string{
		"session", "user Use pnpm instead of npm.\n\nEverywhere.", "said #### Plan", "edit package.json modify told +1 -2",
		"session", "user Write it.", "said a.txt", "edit a.txt write  +2 -0", "user And change it.", "said a.txt",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// recorded is what aider 0.86.2 wrote: an answer that does not fit and what the client says
// to the model of it, the answer that fits, a file that is made, and the last line of a
// history, which loses its spaces on the way.
var recorded = strings.ReplaceAll(`
# aider chat started at 2026-11-27 15:39:02

> Aider v0.86.2··

#### Fix b.··

src/db.js
`+"```"+`
<<<<<<< SEARCH
const zzz = 1;
=======
const zzz = 3;
>>>>>>> REPLACE
`+"```"+`

> Tokens: 2.4k sent, 35 received.··
> The LLM did not conform to the edit format.··
> https://aider.chat/docs/troubleshooting/edit-errors.html··
> # 1 SEARCH/REPLACE block failed to match!

## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/db.js
<<<<<<< SEARCH
const zzz = 1;
=======
const zzz = 3;
>>>>>>> REPLACE

The SEARCH section must exactly match an existing block of lines··

Now it fits.

src/db.js
`+"```"+`
<<<<<<< SEARCH
const b = 3;
=======
const b = 4;
>>>>>>> REPLACE
`+"```"+`

src/new.js
`+"```"+`
<<<<<<< SEARCH
=======
module.exports = 1;
>>>>>>> REPLACE
`+"```"+`

src/old.js
`+"```"+`
<<<<<<< SEARCH
=======
exports.more = 1;
>>>>>>> REPLACE
`+"```"+`

> Tokens: 2.6k sent, 32 received.··
> src/new.js··
> Create new file? (Y)es/(N)o [Yes]: y··
> Applied edit to src/db.js··
> Applied edit to src/new.js··
> Applied edit to src/old.js··`, "·", " ")

// TestRecorded: blocks that did not fit are no edits, nor are those that the client shows to
// the model; a file is made where the client says so; and the last line is the client's.
func TestRecorded(t *testing.T) {
	var got []string
	adaptertest.Parse(aider.Adapter{}, ".aider.chat.history.md", []byte(recorded), func(ev *core.Event) {
		switch b := ev.Body.(type) {
		case *core.AssistantTurn:
			head, _, _ := strings.Cut(b.Text.String(), "\n")
			got = append(got, "said "+head)
		case *core.FileEdit:
			got = append(got, fmt.Sprintf("%s %s\n%s", b.Diff.Change, b.Diff.Certainty, b.Diff.Unified))
		}
	})
	want := []string{
		"said src/db.js", "said Now it fits.",
		"modify told\n--- a/src/db.js\n+++ b/src/db.js\n@@ -1 +1 @@\n-const b = 3;\n+const b = 4;\n",
		"create \n--- /dev/null\n+++ b/src/new.js\n@@ -0,0 +1 @@\n+module.exports = 1;\n",
		"modify told\n--- a/src/old.js\n+++ b/src/old.js\n@@ -0,0 +1 @@\n+exports.more = 1;\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHandedOn: the plan of the architect, which the history repeats as the turn that the editor
// answers, is no person's; a part of it, or words of one's own before it, are.
func TestHandedOn(t *testing.T) {
	const plan = "Move the orders service to Postgres.\n\n1. Use pgx instead of mysql in orders/store.go.\n" +
		"2. Rename the table order to orders, since order is reserved.\n3. Never build a query from strings: always use placeholders, in the tests as well."
	as := func(text string) string { return "#### " + strings.ReplaceAll(text, "\n", "  \n#### ") + "  \n\n" }
	history := "\n# aider chat started at 2026-11-27 15:39:02\n\n" + as("Use Postgres.") + plan + "\n\n> Edit the files? (Y)es/(N)o [Yes]: y  \n\n" +
		as(plan) + "Done.\n\n" + as("Plan it again.") + plan + "\n\n" + as("But without the second step:\n\n"+plan)
	var got []string
	adaptertest.Parse(aider.Adapter{}, ".aider.chat.history.md", []byte(history), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.UserTurn); ok {
			head, _, _ := strings.Cut(b.Text.String(), "\n")
			got = append(got, fmt.Sprint(head, " ", ev.Injected))
		}
	})
	want := []string{"Use Postgres. false", "Move the orders service to Postgres. true", "Plan it again. false", "But without the second step: false"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestGrown: what a history said stays what it was when more is appended to it.
func TestGrown(t *testing.T) {
	read := func(text string) (ids []string) {
		adaptertest.Parse(aider.Adapter{}, ".aider.chat.history.md", []byte(text), func(ev *core.Event) { ids = append(ids, ev.Session+" "+ev.ID) })
		return ids
	}
	whole := read(history)
	for _, end := range []string{"> Git repo: .git with 3 files  \n", "> Applied edit to package.json  \n", "> Applied edit to a.txt  \n"} {
		at := strings.Index(history, end) + len(end)
		if part := read(history[:at]); len(part) < 2 || !slices.Equal(part, whole[:len(part)]) {
			t.Errorf("up to %q: %q is no beginning of %q", end, part, whole)
		}
	}
}

// TestWild reads the sessions that aider's own site shows.
func TestWild(t *testing.T) {
	w := adaptertest.Wild{Dir: "wild/aider", Match: adaptertest.Ending(".md"), Alien: func(string) bool { return false }}
	if c := w.Read(t, aider.Adapter{}); c.Undescribed > 0 || c.Human < 50 || c.Said == 0 || c.Edits < 40 {
		t.Errorf("undescribed kinds, or too few turns or edits: %+v", c)
	}
}
