package kimi_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/kimi"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestWild reads what people published of Kimi Code, of protocol 1.4: in every
// record there is something that is described.
func TestWild(t *testing.T) {
	w := adaptertest.Wild{Dir: "wild/kimi", Match: adaptertest.Ending(".jsonl"), Alien: func(string) bool { return false }}
	if c := w.Read(t, kimi.Adapter{}); c.Undescribed > 0 || c.Human == 0 || c.Results == 0 {
		t.Errorf("undescribed kinds, or no person's turns or results: %+v", c)
	}
}

// TestNames: a log is of the session and of the agent in whose folders it lies.
func TestNames(t *testing.T) {
	for file, want := range map[string][2]string{
		"/h/.kimi-code/sessions/wd_x/session_1/agents/main/wire.jsonl":    {"session_1", ""},
		"/h/.kimi-code/sessions/wd_x/session_1/agents/agent-0/wire.jsonl": {"session_1", "agent-0"},
		"/h/.kimi/sessions/0cc1/6f1c/wire.jsonl":                          {"6f1c", ""},
		"/h/.kimi/sessions/0cc1/6f1c/subagents/a1/wire.jsonl":             {"6f1c", "a1"},
		"session.jsonl": {"session", ""},
	} {
		session, thread := "", ""
		adaptertest.Parse(kimi.Adapter{}, file, []byte(`{"type":"metadata","protocol_version":"1.4"}`+"\n"), func(ev *core.Event) {
			session, thread = ev.Session, ev.Thread
		})
		if got := [2]string{session, thread}; got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
