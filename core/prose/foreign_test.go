package prose_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/prose"
)

// TestForeign has text that looks like prose and is somebody else's: what is
// left is what the person said.
func TestForeign(t *testing.T) {
	const review = "The loader reads every file twice, once for its size and once for its content, which is slow for large trees.\n" +
		"Consider caching the content during the first pass, or keep the hashes of the last run.\n\n"
	const said = "Whoever puts a folder with such a name on the disk has the prompt write what it likes to the terminal.\n"
	report := "Description\n" + strings.Repeat(said, 3) + "Where it is\n\n" + strings.Repeat(said, 3) + "Attacker model\n" + strings.Repeat(said, 3) +
		"Suggested fix\n" + strings.Repeat(said, 4)
	guide := "1. Locate the driver\nOpen File Explorer.\n\nNavigate to: C:\\Drivers\n\n2. Install it\nRight-click the file.\n\nSelect Install.\n\nClick Yes in the dialog.\n\n"
	list := strings.Repeat("Make the header wider\nAdd a button to the footer\nMove the search to the left\n", 20)
	output := strings.Repeat("2026-02-13T08:45:11+01:00 [x] calling the CLI (model=m)\n", 12)
	for _, tt := range []struct{ name, text, want string }{
		{"a review that is asked about", review + "Question on this finding: can't we compare hashes?", "Question on this finding: can't we compare hashes?"},
		{"a review that is introduced", "more reviewer feedback: " + review, "more reviewer feedback:"},
		{"a review that is introduced, and what to do", "pr feedback:\n\n" + review + "I think we skip that one.", "pr feedback:|I think we skip that one."},
		{"a review tool's instruction", "In src/load.ts around lines 7 to 9, the loader reads the file twice; " + review, "In"},
		{
			"the person's own paragraphs", "The loader reads every file twice. Keep the hashes of the last run instead, in the cache folder, " +
				"and compare those.\n\nThen review the tests.",
			"The loader reads every file twice. Keep the hashes of the last run instead, in the cache folder, and compare those.\n\nThen review the tests.",
		},
		{"steps of a help page", "is this right?\n\n" + guide + "Then tell me what is left.", "is this right?|Then tell me what is left."},
		{"a few clicks that are wanted", "Make the list sortable:\n- click on a title sorts\n- click again turns it round\n- open rows stay open", "Make the list sortable:\n- click on a title sorts\n- click again turns it round\n- open rows stay open"},
		{"a sentence inside output", "it fails:\n" + output + "Every retry needs another token.\n" + output, "it fails:"},
		{"a person inside output", "it fails:\n" + output + "\nI want it to stop here\n" + output, "it fails:|I want it to stop here"},
		{"a report from a browser", "here's the fourth one:\n\n" + report, "here's the fourth one:"},
		{"a report without a colon before it", "Look into this one with a second reader.\n\nSummary\n" + said + "Details\n" + strings.Repeat(said, 4) + "Impact\n" + strings.Repeat(said, 8), "Look into this one with a second reader."},
		{"a plan that is taken over", "build what is written below:\n\n" + report, "build what is written below:\n\n" + strings.TrimSpace(report)},
		{"a report that is all there is", report, strings.TrimSpace(report)},
		{"a person's list", "Do these:\n" + list, "Do these:\n" + strings.TrimSpace(list)},
		{"a paragraph behind output", "it fails:\n" + output + "\nPlease stop after three attempts.", "it fails:|Please stop after three attempts."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range prose.Of(tt.text).Spans {
				got = append(got, strings.TrimSpace(s.In(tt.text)))
			}
			if have := strings.Join(got, "|"); have != tt.want {
				t.Errorf("kept %q, want %q", have, tt.want)
			}
		})
	}
}
