package qwen_test

import (
	"testing"

	"github.com/memscribe/memscribe/core"
)

// TestVoices has only a person's words be a person's.
func TestVoices(t *testing.T) {
	const hook = "<qwen:user-prompt-submit-context>\nx\n</qwen:user-prompt-submit-context>"
	tests := []struct {
		name, record string
		want         []string
	}{
		{"prompt", user("One."), []string{"turn One."}},
		{"prompt, said to be one", userOf(`[{"text":"One."}]`, `,"provenance":"real_user"`), []string{"turn One."}},
		{"of the system", userOf(`[{"text":"One."}]`, `,"provenance":"system"`), []string{"put One."}},
		{"notification", userOf(`[{"text":"Task done."}]`, `,"subtype":"notification"`), []string{"put Task done."}}, // wild
		{"cron", userOf(`[{"text":"Check it."}]`, `,"subtype":"cron"`), []string{"put Check it."}},
		{"while the model works", userOf(`[{"text":"[User message received during tool execution]: Use tabs."}]`, `,"subtype":"mid_turn_user_message"`), []string{"turn Use tabs."}},
		{"while the model works, unmarked", userOf(`[{"text":"Use tabs."}]`, `,"subtype":"mid_turn_user_message"`), []string{"turn Use tabs."}},
		{"hook", userOf(`[{"text":"One."},{"text":`+quoted(hook)+`}]`, `,"systemPayload":{"displayText":"One.","hookContext":"x"}`), []string{"turn One.", "put " + hook}}, // wild
		{"shown otherwise", userOf(`[{"text":"Review a.go: package a"}]`, `,"systemPayload":{"displayText":"Review @a.go"}`), []string{"turn Review @a.go", "put Review a.go: package a"}},
		{"a command, shown", userOf(`[{"text":"Do what the command says."}]`, `,"systemPayload":{"displayText":"/plan all"}`), []string{"put Do what the command says.\n\n/plan all"}},
		{"command", user("/compress"), []string{"put /compress"}}, // recorded 0.5.2
		{"file", userOf(`[{"text":"See @a.go"},{"text":"\n--- Content from referenced files ---"},{"text":"\nContent from @a.go:\n"},{"text":"package a"}]`, ""), []string{
			"turn See @a.go", "put \n--- Content from referenced files ---\n\n\nContent from @a.go:\n\n\npackage a",
		}},
		{"reminder", userOf(`[{"text":"<system-reminder>x</system-reminder>"},{"text":"One."}]`, ""), []string{"turn One.", "put <system-reminder>x</system-reminder>"}},
		{"picture", userOf(`[{"text":"See."},{"inlineData":{"mimeType":"image/png","data":"AA=="}}]`, ""), []string{"turn See. <image/png>"}},
		{"nothing", userOf(`[]`, ""), []string{"known user"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { new(log).add(tt.record).check(t, tt.want...) })
	}
}

// TestPieces has records of one uuid be pieces of one message: they say each what
// the others do not, and count their tokens together.
func TestPieces(t *testing.T) {
	usage := func(in, out string) string {
		return `,"usageMetadata":{"promptTokenCount":` + in + `,"candidatesTokenCount":` + out + `,"cachedContentTokenCount":4,"thoughtsTokenCount":3}`
	}
	l := new(log).add(user("One."))
	first := responds(`[{"text":"Let me think.","thought":true},{"text":"Looking"}]`, usage("10", "2"))
	l.record("a", `"r1"`, first).
		record("a", `"r1"`, responds(`[{"text":" around."}]`, usage("10", "5"))).
		record("a", `"r1"`, responds(`[{"functionCall":{"id":"c1","name":"list_directory","args":{}}}]`, usage("10", "5"))).
		record("a", `"r1"`, first). // written twice
		record("b", `"a"`, says("Done.")).
		check(t, "turn One.", "said Looking [10 2 4 0]", "said  around. [0 3 0 0]", "said", "call list_directory c1", "known assistant", "said Done.")
}

// TestGlued reads records that an append that was cut short has put on one line,
// and what is left of a torn one.
func TestGlued(t *testing.T) {
	one := func(id, fields string) string { return `{"uuid":"` + id + `","sessionId":"s",` + fields + `}` }
	new(log).
		line(one("r1", user(`A "}{" in a text.`))+one("r2", says("Fine."))).
		line(one("r3", user("Two."))+`{"uuid":"r4","sess`).
		line(one("r5", says("Go on."))).
		check(t, `turn A "}{" in a text.`, "said Fine.", "turn Two.", "unknown unreadable", "said Go on.")
}

// TestMembers reads where and when a record was made.
func TestMembers(t *testing.T) {
	data := `{"uuid":"r1","sessionId":"s","timestamp":"2026-06-01T10:00:00.500Z","cwd":"/w","version":"0.24.4","gitBranch":"main",` + user("One.") + "}\n" +
		`{"uuid":"r2","parentUuid":"r1","sessionId":"s","timestamp":"2026-06-01T10:00:01Z","cwd":"/w/sub","version":"0.24.4","gitBranch":"fix",` + says("Two.") + "}\n"
	var got []string
	events(t, "s.jsonl", []byte(data), func(ev *core.Event) {
		got = append(got, ev.ID+" "+ev.ParentID+" "+ev.Time.String()+" "+ev.Project.Cwd+" "+ev.Project.Git.Branch)
	})
	want := []string{
		"s  2026-06-01T10:00:00.500Z /w main", "r1  2026-06-01T10:00:00.500Z /w main", "r2 r1 2026-06-01T10:00:01Z /w/sub fix",
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	if got := summarize(t, "s.jsonl", data)[0]; got != "start /w main 0.24.4" {
		t.Errorf("got %q", got)
	}
}

// TestNotices tells the client's notices that are known from those that are not.
func TestNotices(t *testing.T) {
	new(log).
		add(system("ui_telemetry", `{"uiEvent":{}}`)).
		add(system("attribution_snapshot", `{}`)).
		add(system("custom_title", `{"customTitle":"x"}`)).
		add(system("telepathy", `{}`)).
		add(`"type":"thought"`).
		line(`"text"`).
		check(t, "known system/ui_telemetry", "known system/attribution_snapshot", "known system/custom_title",
			"unknown system/telepathy", "unknown thought", "unknown string")
}
