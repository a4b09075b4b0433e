package pi_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestWild reads what people published of pi, and of OpenClaw, which writes the
// same form with two kinds of its own.
func TestWild(t *testing.T) {
	for tool, own := range map[string]int{"pi": 0, "openclaw": 2} {
		t.Run(tool, func(t *testing.T) {
			w := adaptertest.Wild{Dir: "wild/" + tool, Match: adaptertest.Ending(".jsonl", ".json"), Alien: alien}
			if c := w.Read(t, pi.Adapter{}); c.Undescribed > own || c.Human == 0 || c.Results == 0 {
				t.Errorf("undescribed kinds, or no person's turns or results: %+v", c)
			}
		})
	}
}

// alien names what only looks like it: DeepSeek's harness has a header of the
// same name, OpenClaw an index, and fixtures of its own making.
func alien(name string) bool {
	return strings.Contains(name, "deepseek") || strings.HasSuffix(name, "sessions.json") || strings.Contains(name, "fixture")
}

// TestWildDeepSeek holds that DeepSeek's harness is not taken for pi, and is kept
// all the same if it is called so.
func TestWildDeepSeek(t *testing.T) {
	for _, path := range adaptertest.Files(t, adaptertest.Shared(t, "wild/dsh"), adaptertest.Ending(".jsonl", ".json")) {
		data := adaptertest.Read(t, path)
		if fit := adaptertest.Fit(pi.Adapter{}, path, data); fit >= core.ShapeFit {
			t.Errorf("%s: fit %d", path, fit)
		}
		if records, events := adaptertest.Parse(pi.Adapter{}, path, data, func(*core.Event) {}); events < records {
			t.Errorf("%s: %d records gave %d events", path, records, events)
		}
	}
}
