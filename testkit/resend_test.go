package testkit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// resent is a session in which the person interrupts the agent and sends the same words again.
func resent() []byte {
	var b strings.Builder
	parent := "null"
	for i, turn := range [][2]string{
		{"user", `"Use Postgres instead of Redis for the sessions."`},
		{"assistant", `[{"type":"text","text":"Let me look at the schema first."}]`},
		{"user", `[{"type":"text","text":"[Request interrupted by user]"}]`},
		{"user", `"Use Postgres instead of Redis for the sessions."`},
		{"assistant", `[{"type":"text","text":"I'll switch the sessions to Postgres now."}]`},
		{"assistant", `[{"type":"tool_use","id":"c1","name":"Edit","input":{"file_path":"/w/sessions.go","old_string":"redis.Open()","new_string":"postgres.Open()"}}]`},
		{"user", `[{"type":"tool_result","tool_use_id":"c1","content":"The file /w/sessions.go has been updated."}]`},
		{"user", `"thanks"`},
	} {
		fmt.Fprintf(&b, `{"type":%q,"message":{"role":%q,"id":"m%d","content":%s},"uuid":"e%d","parentUuid":%s,"sessionId":"resent","timestamp":"2026-01-01T00:00:%02dZ","cwd":"/w","version":"2.1.0","isSidechain":false,"userType":"external"}`+"\n",
			turn[0], turn[0], i, turn[1], i, parent, i)
		parent = fmt.Sprintf(`"e%d"`, i)
	}
	return []byte(b.String())
}

// TestResent has a turn that is sent again decide once, wherever its transcript is cut.
func TestResent(t *testing.T) {
	a, ok := adapters.ByTool(core.ClaudeCode)
	if !ok {
		t.Fatal("no adapter")
	}
	inputs := []trial.Input{{Adapter: a, Path: "resent.jsonl", Name: "resent.jsonl", Data: resent()}}
	want := play(t, inputs, chunk.Whole(inputs))
	decisions, bound := 0, 0
	for id := range want.Nodes {
		switch kind, _, _ := strings.Cut(id, ":"); kind {
		case "decision":
			decisions++
		case "binding":
			bound++
		}
	}
	if decisions != 1 || bound != 1 {
		t.Errorf("%d decisions and %d bindings, want one of each", decisions, bound)
	}
	for seed := range uint64(40) {
		same(t, want, play(t, inputs, chunk.Random(inputs, rand.New(rand.NewPCG(seed, 7)))), fmt.Sprintf("cut by seed %d", seed))
	}
}
