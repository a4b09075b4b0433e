package pi_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/core"
)

func TestDetect(t *testing.T) {
	tests := []struct {
		name, path, head string
		want             core.Fit
	}{
		{"a session", "/x.jsonl", header("").lines[0] + "\n", core.NativeFit},
		{"a session of version 1", "/x", `{"type":"session","id":"s","timestamp":"2025-11-20T23:33:50.805Z","cwd":"/w","provider":"p","modelId":"m"}`, core.NativeFit},
		{"a session without its header", "/x", header("").user("a").lines[1], core.ShapeFit},
		{"an empty file in its place", "/home/u/.pi/agent/sessions/--w--/2026_s.jsonl", "", core.PathFit},
		{"DeepSeek's harness", "/x", `{"type":"session","version":0,"id":"s","createdAt":1783352050748,"cwd":"/w"}`, core.NoFit},
		{"Claude Code", "/x", `{"type":"user","message":{"role":"user","content":"x"},"uuid":"u","timestamp":"2026-08-01T00:00:00.000Z"}`, core.NoFit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (pi.Adapter{}).Detect(core.Sample{Path: tt.path, Head: []byte(tt.head)}); got != tt.want {
				t.Errorf("fit %d, want %d", got, tt.want)
			}
		})
	}
}
