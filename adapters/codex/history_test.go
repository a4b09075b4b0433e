package codex_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/golden"
)

func TestRollback(t *testing.T) {
	back := func(n any) obj { return obj{"type": "thread_rolled_back", "num_turns": n} }
	// seqs: 0 start, 1+2 a, 3+4 its answer, 5+6 b, 7+8 its answer, 9+10 c, …
	talk := func() *rollout {
		return started(oldThread).user("a").says("A").user("b").says("B").user("c")
	}
	tests := []struct {
		name string
		r    *rollout
		want []string
	}{
		{"one turn", talk().event(back(1)), []string{"rewind to 7"}},
		{"two turns", talk().event(back(2)), []string{"rewind to 3"}},
		{"all", talk().event(back(3)), []string{"rewind to 0"}},
		{"more than there are", talk().event(back(99)), []string{"rewind to 0"}},
		{"twice", talk().event(back(1)).event(back(1)), []string{"rewind to 7", "rewind to 3"}},
		{"and again after a new turn", talk().event(back(2)).user("d").event(back(1)), []string{"rewind to 3", "rewind to 3"}},
		{"nothing", talk().event(back(0)), nil},
		{"nonsense", talk().event(back("x")), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			one(t, "x.jsonl", test.r.String(), func(ev *core.Event) {
				if r, ok := ev.Body.(*core.Rewind); ok {
					got = append(got, describe(ev))
					if r.ToEvent == "" {
						t.Error("rewind to no event")
					}
				}
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("rewinds (-want +got):\n%s", diff)
			}
		})
	}
}

// fork makes a fork of a thread as versions without pages do: a header, and all
// that the thread recorded, written anew in one go.
func fork(id string, of *rollout) *rollout {
	r := new(rollout)
	r.pause(60_000)
	r.add("session_meta", obj{"id": id, "forked_from_id": oldThread, "cwd": "/w", "cli_version": "0.99.0", "source": "cli"})
	copyInto(r, of)
	return r
}

// copyInto writes the records of a thread anew.
func copyInto(r, of *rollout) {
	for line := range strings.Lines(of.String()) {
		var copied struct {
			Type    string
			Payload any
		}
		if err := json.Unmarshal([]byte(line), &copied); err != nil {
			panic(err)
		}
		r.ms -= 98 // what is copied is written in one go
		r.add(copied.Type, copied.Payload)
	}
}

func original() *rollout {
	return started(oldThread).turn(oldTurn).user("Let's use Postgres instead of MySQL.").says("Fine.").
		custom("call_0123456789abcdef", "apply_patch", patchText).output("call_0123456789abcdef", wrapped)
}

// What a fork copies gives no second node, in whichever order the two are read;
// what is said in the fork counts.
func TestForkCopies(t *testing.T) {
	parent := original().String()
	tests := []struct {
		name string
		fork *rollout
	}{
		{"turns with ids", fork(newThread, original()).turn(newTurn).user("Let's use SQLite instead.")},
		{"turns without ids", fork(newThread, original()).pause(3000).user("Let's use SQLite instead.")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string][]byte{"a/rollout-1.jsonl": []byte(parent), "b/rollout-2.jsonl": []byte(test.fork.String())}
			alone, _ := capture(t, files, []string{"a/rollout-1.jsonl"}, nil)
			for _, order := range [][]string{{"a/rollout-1.jsonl", "b/rollout-2.jsonl"}, {"b/rollout-2.jsonl", "a/rollout-1.jsonl"}} {
				both, _ := capture(t, files, order, nil)
				for id, n := range alone {
					if got, ok := both[id]; !ok || got.Session != n.Session {
						t.Errorf("node %s of the original is not its own any more", id)
					}
				}
				said := 0
				for id, n := range both {
					if _, known := alone[id]; known {
						continue
					}
					said++
					if text := textOf(n); !strings.Contains(text, "SQLite") || n.Session != newThread {
						t.Errorf("node %s besides the original's: %q", id, text)
					}
				}
				if said == 0 {
					t.Error("nothing of what was decided in the fork")
				}
			}
		})
	}
}

// TestForkWithoutNames: versions that had no events in what a fork copies did not
// name the thread either (0.34, recorded): what is written at once was there before.
func TestForkWithoutNames(t *testing.T) {
	copied := func(version string) *rollout {
		r := new(rollout).add("session_meta", obj{"id": newThread, "cwd": "/w", "cli_version": version})
		at := r.ms
		for _, item := range []func(){
			func() { r.message("user", "Fix it.") },
			func() { r.custom("c", "apply_patch", patchText) },
			func() { r.output("c", wrapped) },
			func() { r.message("assistant", "Fixed.") },
		} {
			item()
			r.ms = at // all in one go
		}
		return r.pause(3000).user("Now test it.").says("Tested.")
	}
	const own = "start " + newThread + " \nuser Now test it.\nsays Tested.\n"
	if diff := cmp.Diff(own, summary(t, "x.jsonl", copied("0.34.0").String())); diff != "" {
		t.Errorf("0.34 (-want +got):\n%s", diff)
	}
	got := summary(t, "x.jsonl", copied("0.53.0").String())
	if !strings.Contains(got, "user Fix it.") {
		t.Errorf("a version that names what it copies: %s", got)
	}
}

// textOf is what a node quotes.
func textOf(n *core.Node) string {
	switch b := n.Body.(type) {
	case *core.Conversation:
		return b.Text
	case *core.Decision:
		return b.Epitome.Text
	}
	return ""
}

func TestForkTurns(t *testing.T) {
	r := fork(newThread, original()).turn(newTurn).user("Let's use SQLite instead.")
	want := "start " + newThread + " \n" +
		"user Let's use Postgres instead of MySQL. (copy)\nsays Fine.\n" +
		"call call_0123456789abcdef apply_patch (copy)\nresult call_0123456789abcdef ok=true (copy)\n" +
		"edit call_0123456789abcdef apply_patch modify /w/a.go +1 -1 (copy)\n" +
		"user Let's use SQLite instead.\n"
	if diff := cmp.Diff(want, summary(t, "x.jsonl", r.String())); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// A fork of a fork copies what its parent copied: that belongs to the oldest.
func TestForkOfFork(t *testing.T) {
	const third = "019a0002-0000-7000-8000-000000000005"
	const thirdTurn = "019a0002-1000-7000-8000-000000000006"
	parent := fork(newThread, original()).turn(newTurn).user("Let's use SQLite instead.")
	r := fork(third, parent).turn(thirdTurn).user("On.")
	var got []string
	one(t, "x.jsonl", r.String(), func(ev *core.Event) {
		if _, ok := ev.Body.(*core.UserTurn); ok {
			thread, _, _ := strings.Cut(ev.Identity(), ":")
			got = append(got, thread)
		}
	})
	if diff := cmp.Diff([]string{oldThread, newThread, third}, got); diff != "" {
		t.Errorf("threads of the turns (-want +got):\n%s", diff)
	}
}

// A subagent's line holds its own work; the context that it got from its parent
// is not told again, and nobody typed its task.
func TestSubagent(t *testing.T) {
	source := obj{"subagent": obj{"thread_spawn": obj{"parent_thread_id": oldThread, "depth": 1}}}
	head := func(extra obj) *rollout {
		m := obj{"id": newThread, "cwd": "/w", "source": source}
		maps.Copy(m, extra)
		return new(rollout).add("session_meta", m)
	}
	work := func(r *rollout) *rollout {
		return r.turn(newTurn).user("Survey it.").says("Done.").custom("c", "apply_patch", patchText).output("c", wrapped)
	}
	const want = "start " + oldThread + " " + newThread + "\nuser Survey it. (injected)\nsays Done.\ncall c apply_patch\n" +
		"result c ok=true\nedit c apply_patch modify /w/a.go +1 -1\n"
	withContext := head(obj{"forked_from_id": oldThread})
	copyInto(withContext, original())
	tests := []struct {
		name string
		r    *rollout
		want string
	}{
		{"without context", work(head(nil)), want},
		{"with context", work(withContext), want},
		{
			"with the root's id", work(head(obj{"session_id": "root", "parent_thread_id": oldThread})),
			strings.Replace(want, oldThread, "root", 1),
		},
		{
			"a review", work(new(rollout).add("session_meta", obj{"id": newThread, "cwd": "/w", "source": obj{"subagent": "review"}})),
			strings.Replace(want, oldThread, newThread, 1),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, summary(t, "x.jsonl", test.r.String())); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// A paginated subagent says which of its records are inherited.
func TestInherited(t *testing.T) {
	data := `{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":0,"type":"session_meta","payload":{"id":"T","session_id":"S","forked_from_id":"S","thread_source":"subagent","history_mode":"paginated","subagent_history_start_ordinal":3,"cwd":"/w"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":1,"type":"session_meta","payload":{"id":"S","session_id":"S","history_mode":"paginated","cwd":"/w"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":2,"type":"response_item","payload":{"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text","text":"I'll ask."}]}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":3,"type":"response_item","payload":{"type":"message","id":"m2","role":"assistant","content":[{"type":"output_text","text":"Working."}]}}
`
	if diff := cmp.Diff("start S T\nsays Working.\n", summary(t, "x.jsonl", data)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// A paginated thread is rolled back by going on in another file, from a point of
// the first one.
func TestContinuation(t *testing.T) {
	first := `{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":22,"type":"event_msg","payload":{"type":"task_complete","turn_id":"x"}}` + "\n"
	second := `{"timestamp":"2026-01-02T03:04:06.000Z","ordinal":23,"type":"session_meta","payload":{"id":"T","session_id":"T","history_mode":"paginated","history_base":{"thread_id":"T","end_ordinal_exclusive":23,"end_byte_offset":4},"cwd":"/w"}}` + "\n"
	header := `{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":0,"type":"session_meta","payload":{"id":"T","history_mode":"paginated","cwd":"/w"}}` + "\n"
	var to, id string
	one(t, "x.jsonl", second, func(ev *core.Event) {
		if r, ok := ev.Body.(*core.Rewind); ok {
			to, id = r.ToEvent, ev.ID
		}
	})
	found := false
	one(t, "x.jsonl", header+first, func(ev *core.Event) { found = found || ev.ID == to && to != "" })
	if !found || id == "" || id == to {
		t.Errorf("rewind %q goes to %q, which is no event of the first file", id, to)
	}
}

// A fork by reference names the event behind which it goes on: an anchor of the
// thread that was forked.
func TestForkByReference(t *testing.T) {
	parent := `{"timestamp":"2026-01-02T03:04:04.000Z","ordinal":0,"type":"session_meta","payload":{"id":"T","session_id":"T","history_mode":"paginated","cwd":"/w"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":22,"type":"event_msg","payload":{"type":"task_complete","turn_id":"x"}}
`
	child := `{"timestamp":"2026-01-02T03:04:06.000Z","ordinal":23,"type":"session_meta","payload":{"id":"U","session_id":"U","forked_from_id":"T","history_mode":"paginated","history_base":{"thread_id":"T","end_ordinal_exclusive":23,"end_byte_offset":4},"cwd":"/w"}}` + "\n"
	var base core.Base
	one(t, "x.jsonl", child, func(ev *core.Event) {
		if s, ok := ev.Body.(*core.SessionStart); ok {
			base = s.Base
		}
	})
	found := false
	one(t, "x.jsonl", parent, func(ev *core.Event) {
		found = found || ev.Anchor && (core.Base{Session: ev.Session, Event: ev.ID}) == base
	})
	if !found {
		t.Errorf("the fork goes on from %+v, which is no anchor of its parent", base)
	}
}

// What the client writes down between two turns may be the last thing before the one
// that is taken back.
func TestContinuationBetweenTurns(t *testing.T) {
	r := `{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":0,"type":"session_meta","payload":{"id":"T","history_mode":"paginated","cwd":"/w"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":1,"type":"event_msg","payload":{"type":"task_started","turn_id":"x"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":2,"type":"event_msg","payload":{"type":"token_count"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":3,"type":"event_msg","payload":{"type":"task_complete","turn_id":"x"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":4,"type":"event_msg","payload":{"type":"thread_settings_applied"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":5,"type":"event_msg","payload":{"type":"task_started","turn_id":"y"}}
`
	var got []string
	one(t, "x.jsonl", r, func(ev *core.Event) {
		if ev.Anchor {
			got = append(got, ev.ID)
		}
	})
	if diff := cmp.Diff([]string{"T", "T/3", "T/4"}, got); diff != "" {
		t.Errorf("events to which a rollback may go back (-want +got):\n%s", diff)
	}
}

// Of a rollback of all turns, the thread begins anew in another file, which counts its
// records from zero again.
func TestRestart(t *testing.T) {
	const thread, part = "01a2029f-7dcc-7902-aab2-fac207f33bbd", "01a2029f-a1e8-7f11-85a6-ec1ad807852b"
	r := `{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":0,"type":"session_meta","payload":{"id":"` + thread + `","session_id":"` + thread + `","history_mode":"paginated","cwd":"/w"}}
{"timestamp":"2026-01-02T03:04:05.000Z","ordinal":1,"type":"event_msg","payload":{"type":"task_complete","turn_id":"x"}}
`
	var anchors, rewinds []string
	for _, name := range []string{thread, thread + "_" + part} {
		one(t, "sessions/rollout-2026-01-02T03-04-05-"+name+".jsonl", r, func(ev *core.Event) {
			if ev.Anchor {
				anchors = append(anchors, ev.ID)
			}
			if b, ok := ev.Body.(*core.Rewind); ok {
				rewinds = append(rewinds, ev.ID+" to "+b.ToEvent)
			}
		})
	}
	if diff := cmp.Diff([]string{thread, thread + "/1", thread + "_" + part + "/1"}, anchors); diff != "" {
		t.Errorf("events to which a rollback may go back (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{thread + "_" + part + "/0-rewind to " + thread}, rewinds); diff != "" {
		t.Errorf("rewinds (-want +got):\n%s", diff)
	}
}

func TestOldForms(t *testing.T) {
	items := []string{
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"}]}`,
		`{"record_type":"state"}`,
		`{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"Fix it."}]}`,
		`{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":null}`,
		`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** Add File: n\\n+1\\n*** End Patch\"]}","call_id":"c"}`,
		`{"type":"function_call_output","call_id":"c","output":"{\"output\":\"Done!\",\"metadata\":{\"exit_code\":0}}"}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Fixed."}]}`,
	}
	const want = "start T \nuser <environment_context>\n  <cwd>/w</cwd>\n</environment_context> (injected)\nuser Fix it.\nthinks hm\n" +
		"call c shell\nresult c ok=true\nedit c shell write /w/n +1 -0\nsays Fixed.\n"
	head := `{"id":"T","timestamp":"2025-05-07T17:24:21.597Z","instructions":null}`
	bare := head + "\n" + strings.Join(items, "\n") + "\n"
	if diff := cmp.Diff(want, summary(t, "x.jsonl", bare)); diff != "" {
		t.Errorf("bare items (-want +got):\n%s", diff)
	}
	document := `{"session":{"timestamp":"2025-04-20T10:00:00.000Z","id":"T","instructions":""},"items":[` + strings.Join(slices.DeleteFunc(slices.Clone(items),
		func(s string) bool { return strings.Contains(s, "record_type") }), ",") + `]}`
	if diff := cmp.Diff(want, summary(t, "x.json", document)); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

// The name of the file says which thread it is, where the header is lost.
func TestLostHeader(t *testing.T) {
	r := started("ignored").user("go").String()
	_, rest, _ := strings.Cut(r, "\n")
	for path, want := range map[string]string{
		"/h/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-" + oldThread + ".jsonl":                    oldThread,
		"/h/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-" + oldThread + "_" + newThread + ".jsonl":  oldThread,
		"/h/.codex/sessions/rollout-2025-05-07-" + oldThread + ".jsonl":                                        oldThread,
		"/h/.codex/archived_sessions/rollout-2026-01-02T03-04-05-" + strings.ToUpper(oldThread) + ".jsonl.zst": strings.ToUpper(oldThread),
		"/h/elsewhere/full.jsonl": "",
	} {
		one(t, path, "garbage\n"+rest, func(ev *core.Event) {
			if ev.Session != want {
				t.Errorf("%s: session %q, want %q", path, ev.Session, want)
			}
		})
	}
}

// Times keep the precision of the source, in whatever form they are written.
func TestTimes(t *testing.T) {
	for in, want := range map[string]string{
		"2026-08-01T00:00:00.000Z":      "2026-08-01T00:00:00.000Z",
		"2024-02-29T23:59:59.999Z":      "2024-02-29T23:59:59.999Z",
		"1999-12-31T01:02:03.004Z":      "1999-12-31T01:02:03.004Z",
		"2000-03-01T00:00:00.001Z":      "2000-03-01T00:00:00.001Z",
		"2026-08-01T02:00:00.123+02:00": "2026-08-01T00:00:00.123Z",
		"2026-08-01T00:00:00Z":          "2026-08-01T00:00:00Z",
		"2025-02-29T00:00:00.000Z":      "",
		"2026-13-01T00:00:00.000Z":      "",
		"yesterday":                     "",
	} {
		one(t, "x.jsonl", `{"timestamp":"`+in+`","type":"event_msg","payload":{"type":"user_message","message":"x"}}`+"\n", func(ev *core.Event) {
			if got := ev.Time.String(); got != want {
				t.Errorf("%s is %q, want %q", in, got, want)
			}
		})
	}
}

// The samples in testdata are recorded lines, scrubbed.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			got := summary(t, path, string(readFile(t, path)))
			expected := strings.TrimSuffix(path, ".jsonl") + ".txt"
			if golden.Updating() {
				if err := os.WriteFile(expected, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(readFile(t, expected)), got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}
