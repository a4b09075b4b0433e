package copilot_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/core"
)

func TestDetect(t *testing.T) {
	start := session().lines[0]
	tests := []struct {
		name, path, head string
		want             core.Fit
	}{
		{"a log", "/x.jsonl", start + "\n", core.NativeFit},
		{"a log without its head", "/x", session().user("a").lines[1], core.NativeFit},
		{"a log of the editor's extension", "/x", strings.Replace(start, `"producer"`, `"vscodeVersion":"1.119.0","producer"`, 1), core.ShapeFit},
		{"a cut line", "/x", `{"type":"user.message","data":{"content":"` + strings.Repeat("x", 100), core.NativeFit},
		{"a document", "/x.json", "{\n  \"sessionId\": \"s\",\n  \"startTime\": \"t\",\n  \"chatMessages\": [", core.NativeFit},
		{"an empty log in its place", "/home/u/.copilot/session-state/s/events.jsonl", "", core.PathFit},
		{"another tool's records", "/x", `{"type":"user","message":{"role":"user","content":"x"},"uuid":"u","parentId":null}`, core.NoFit},
		{"other events", "/x", `{"type":"session.start","data":{"sessionId":"x"}}`, core.NoFit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := core.Sample{Path: tt.path, Head: []byte(tt.head)}
			if got := (copilot.Adapter{}).Detect(s); got != tt.want {
				t.Errorf("fit %d, want %d", got, tt.want)
			}
			want := core.Lines
			if tt.name == "a document" {
				want = core.Document
			}
			if got := (copilot.Adapter{}).Framing(s); got != want {
				t.Errorf("framing %d, want %d", got, want)
			}
		})
	}
}
