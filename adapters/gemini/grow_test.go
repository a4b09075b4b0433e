package gemini_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
	"github.com/memscribe/memscribe/testkit/size"
)

// transcripts lists all there are: the recorded and the collected ones.
func transcripts(t testing.TB, suffix string) []string {
	t.Helper()
	recorded := adaptertest.Files(t, adaptertest.Shared(t, "transcripts/gemini"), isChat)
	files := append(recorded, adaptertest.Files(t, adaptertest.Shared(t, "wild/gemini"), isJSON)...)
	files = slices.DeleteFunc(files, func(f string) bool { return !strings.HasSuffix(f, suffix) })
	return size.Some(files, 6) // of each version some
}

// TestPrefix holds that what was read is never taken back: the events of the
// first lines of a log are the first events of the whole.
func TestPrefix(t *testing.T) {
	for _, file := range transcripts(t, ".jsonl") {
		data := adaptertest.Read(t, file)
		if (gemini.Adapter{}).Framing(core.Sample{Path: filepath.ToSlash(file), Head: data}) != core.Lines {
			continue
		}
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

// TestRevisions replays states that a document went through, each of which is a
// stream of its own: together they give the nodes that the last state gives, and
// no state gives an event that means something else later.
func TestRevisions(t *testing.T) {
	for _, file := range transcripts(t, ".json") {
		data := adaptertest.Read(t, file)
		states := revisions(t, data)
		if len(states) == 0 {
			continue
		}
		all, err := pipeline.NewSet(pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		final := map[string]string{}
		events(t, file, data, func(ev *core.Event) { final[ev.ID] = told(ev) })
		for _, state := range append(states, data) {
			read(all, file, state)
			events(t, file, state, func(ev *core.Event) {
				if was, ok := final[ev.ID]; !ok || was != told(ev) {
					t.Errorf("%s: %s was %q in an earlier state, is %q", file, ev.ID, told(ev), was)
				}
			})
		}
		last, err := pipeline.NewSet(pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		read(last, file, data)
		if diff := gocmp.Diff(ids(last), ids(all)); diff != "" {
			t.Errorf("%s (-last state +all states):\n%s", file, diff)
		}
	}
}

// TestMoved has a session that was copied into the folder of its project's new name,
// and then went on in a log beside the document that it had been, give what the log
// alone gives, in whatever order they are read.
func TestMoved(t *testing.T) {
	prompt := user("u1", "Use Postgres, we decided.")
	wrote := says("g1", "On it.", calls(did("c1", "write_file", `{"file_path":"/w/db.js","content":"// Postgres\n"}`, "success", "Successfully created and wrote to new file: /w/db.js.", "")))
	files := []struct{ path, data string }{
		{".gemini/tmp/1c2b/chats/session-2026-02-01T10-00-s.json", document(prompt, wrote)},
		{".gemini/tmp/orders/chats/session-2026-02-01T10-00-s.json", document(prompt, wrote)},
		{".gemini/tmp/orders/chats/session-2026-02-01T10-00-s.jsonl", strings.Join(append(started().lines, prompt, wrote, user("u2", "Never use MySQL.")), "\n") + "\n"},
	}
	of := func(order ...int) []string {
		set, err := pipeline.NewSet(pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range order {
			read(set, files[i].path, []byte(files[i].data))
		}
		list := ids(set)
		slices.Sort(list)
		return list
	}
	want := of(2)
	if len(want) < 5 {
		t.Fatalf("the log gives %q", want)
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		if diff := gocmp.Diff(want, of(order...)); diff != "" {
			t.Errorf("in the order %v (-the log alone +all):\n%s", order, diff)
		}
	}
}

func read(set *pipeline.Set, file string, data []byte) {
	st := set.Open(gemini.Adapter{}, core.StreamInfo{Path: filepath.ToSlash(file)}, file)
	records(file, data, st.Line)
}

// ids are the nodes of a set, with what they are.
func ids(set *pipeline.Set) []string {
	var list []string
	for _, n := range set.Take() {
		list = append(list, fmt.Sprintf("%T %s", n.Body, n.ID))
	}
	return list
}

// told is what an event says. Of an answer only what it said: calls and tokens
// come later, and so does what proves where the work happens.
func told(ev *core.Event) string {
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		return "start"
	case *core.UserTurn:
		return "turn " + b.Text.String()
	case *core.AssistantTurn:
		return "said " + b.Text.String()
	case *core.FileEdit:
		return "edit " + b.CallID + b.Diff.Unified
	case *core.Unknown:
		return "unknown " + b.RawType
	}
	return adaptertest.Summary(ev)
}

// revisions makes earlier states of a document: with fewer messages, and with
// the calls of the last one still running.
func revisions(t *testing.T, data []byte) [][]byte {
	t.Helper()
	var doc map[string]json.RawMessage
	var messages []map[string]any
	if json.Unmarshal(data, &doc) != nil || json.Unmarshal(doc["messages"], &messages) != nil {
		return nil
	}
	var states [][]byte
	state := func(messages []map[string]any) {
		doc["messages"] = marshal(t, messages)
		states = append(states, marshal(t, doc))
	}
	step := max(1, len(messages)/4)
	for n := step; n <= len(messages); n += step {
		m := slices.Clone(messages[:n])
		calls, _ := m[n-1]["toolCalls"].([]any)
		if len(calls) > 0 {
			last := maps.Clone(m[n-1])
			delete(last, "toolCalls")
			state(append(m[:n-1:n-1], last)) // before its calls
			running := slices.Clone(calls)
			call := maps.Clone(running[len(running)-1].(map[string]any))
			call["status"] = "executing"
			delete(call, "result")
			delete(call, "resultDisplay")
			running[len(running)-1] = call
			last = maps.Clone(last)
			last["toolCalls"] = running
			state(append(m[:n-1:n-1], last)) // while the last one runs
		}
		state(m)
	}
	return states
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
