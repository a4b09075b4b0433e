package copilot_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestSnapshots reads edits of files that the client keeps as they were before a
// prompt: with the ends of their lines, which its diffs do not show.
func TestSnapshots(t *testing.T) {
	const prompt = "00000000-0000-0000-0000-000000000001"
	args := obj{"path": "/w/a", "old_str": "b\nc", "new_str": "x"}
	hunk := shown("/w/a", "@@ -1,5 +1,4 @@\n a\n-b\n-c\n+x\n d\n \n")
	exact := edited("/w/a", "@@ -1,4 +1,3 @@\n a\r\n-b\r\n-c\r\n+x\r\n d\r\n")
	plain := edited("/w/a", "@@ -1,4 +1,3 @@\n a\n-b\n-c\n+x\n d\n")
	summed := func(of string) string {
		sum := sha256.Sum256([]byte(of))
		return `{"schema":1,"snapshots":[{"eventId":"` + prompt + `","files":{"h":{"path":"/w/a","preimage":{"kind":"content","contentHash":"` +
			hex.EncodeToString(sum[:]) + `","backupFile":"gone"}}}}]}`
	}
	index := func(prompt, kind string) string {
		return `{"schema":1,"snapshots":[{"eventId":"` + prompt + `","files":{"h":{"path":"/w/a","preimage":{"kind":"` + kind + `","backupFile":"x"}}}}]}`
	}
	tests := []struct {
		name, index, backup, want string
	}{
		{"kept", index(prompt, "content"), "a\r\nb\r\nc\r\nd\r\n", exact},
		{"kept for another prompt", index("33333333-3333-4333-8333-333333333333", "content"), "a\r\nb\r\nc\r\nd\r\n", plain},
		{"changed by something else since", index(prompt, "content"), "a\r\nb\r\nd\r\n", plain},
		{"there was none", index(prompt, "absent"), "a\r\nb\r\nc\r\nd\r\n", plain},
		{"the index is being written", index(prompt, "content")[:40], "a\r\nb\r\nc\r\nd\r\n", plain},
		{"no index", "", "", plain},
		{"the sum is kept, the text is gone", summed("a\r\nb\r\nc\r\nd\r\n"), "", exact},
		{"the sum of lines that end as the diff shows them", summed("a\nb\nc\nd\n"), "", plain},
		{
			"the sum of a text that ends with its last letter", summed("a\r\nb\r\nc\r\nd"), "",
			edited("/w/a", "@@ -1,4 +1,3 @@\n a\r\n-b\r\n-c\r\n+x\r\n d\n\\ No newline at end of file\n"),
		},
		{"the sum of another text", summed("a\r\nb\r\nd\r\n"), "", plain},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := session().user("Do it").call("e", "edit", args).done("e", "updated", hunk)
			beside := map[string][]byte{"rewind-file-snapshots/backups/x": []byte(tt.backup), "rewind-file-snapshots/index.json": []byte(tt.index)}
			if diff := cmp.Diff("edit e modify /w/a\n"+tt.want+"\n", editsBeside(t, s, beside)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

// editsBeside reads a session beside which there are files, and shows its edits.
func editsBeside(t *testing.T, s *script, beside map[string][]byte) string {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const file = "/h/session-state/x/events.jsonl"
	st := set.Open(copilot.Adapter{}, core.StreamInfo{Path: file, Sidecars: beside}, file)
	var out strings.Builder
	st.OnEvent(func(ev *core.Event) {
		if _, ok := ev.Body.(*core.FileEdit); ok {
			out.WriteString(adaptertest.Short(ev) + "\n")
		}
	})
	offset := int64(0)
	for i, line := range s.lines {
		st.Line([]byte(line), offset, int64(i+1))
		offset += int64(len(line) + 1)
	}
	return out.String()
}
