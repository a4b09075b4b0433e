package qwen_test

import (
	"bytes"
	"testing"

	"github.com/memscribe/memscribe/testkit/adaptertest"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestPrefix holds that what was read is never taken back: the events of the
// first lines of a log are the first events of the whole.
func TestPrefix(t *testing.T) {
	files := adaptertest.Files(t, adaptertest.Shared(t, "transcripts/qwen"), isChat)
	files = append(files, adaptertest.Files(t, adaptertest.Shared(t, "wild/qwen"), adaptertest.Ending(".jsonl"))...)
	for _, file := range size.Some(files, 6) { // of each version some
		data := adaptertest.Read(t, file)
		whole := encoded(t, file, data)
		cuts := ends(data)
		for i := 0; i < len(cuts); i += max(1, len(cuts)/8) {
			if part := encoded(t, file, data[:cuts[i]]); !bytes.HasPrefix(whole, part) {
				t.Errorf("%s: the first %d bytes give events that the whole does not give", file, cuts[i])
			}
		}
	}
}

// ends are the ends of the lines.
func ends(data []byte) []int {
	var at []int
	n := 0
	for line := range bytes.Lines(data) {
		n += len(line)
		at = append(at, n)
	}
	return at
}
