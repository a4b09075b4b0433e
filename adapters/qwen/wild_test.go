package qwen_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/qwen"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestWild reads every collected transcript.
func TestWild(t *testing.T) {
	w := adaptertest.Wild{Dir: "wild/qwen", Match: adaptertest.Ending(".jsonl")}
	if c := w.Read(t, qwen.Adapter{}); c.Undescribed > 0 || c.Malformed > 0 || c.Human == 0 {
		t.Errorf("undescribed kinds, records that are no JSON, or no person's turns: %+v", c)
	}
}

// TestQwenPaw holds that the sessions of another tool of that maker are left
// alone.
func TestQwenPaw(t *testing.T) {
	root := adaptertest.Shared(t, "wild/qwen")
	for _, file := range adaptertest.Files(t, root, func(path string) bool { return strings.Contains(path, "/qwenpaw/") }) {
		s := core.Sample{Path: filepath.ToSlash(file), Head: adaptertest.Read(t, file)}
		if fit := (qwen.Adapter{}).Detect(s); fit != core.NoFit {
			t.Errorf("%s: fit %d", file, fit)
		}
	}
}
