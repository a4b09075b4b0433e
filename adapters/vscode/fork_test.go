package vscode_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// answered is a request that was asked and answered in a session at a moment, as the
// client writes it since 2026.
func answered(id, session string, at int64, text string, more obj) obj {
	r := request(id, text, list{tool("copilot_replaceString", "c"+text, nil)}, ended(
		list{calling("c"+text, "replace_string_in_file", `{"filePath":"/w/`+text+`","oldString":"1","newString":"2"}`)},
		obj{"c" + text + "__vscode-17": told("The following files were successfully edited: /w/" + text)},
	))
	r["timestamp"], r["responseTimestamp"] = at, at
	r["result"].(obj)["metadata"].(obj)["sessionId"] = session
	maps.Copy(r, more)
	return r
}

// TestFork: a fork gives the requests that it copies other ids and a later time, and
// keeps when they were answered, and in which session. They add nothing, also in a fork
// of the fork; what is asked in a fork does.
func TestFork(t *testing.T) {
	const at, later = 1795359739807, 1795359796304
	stored := func(session string, requests ...any) adaptertest.Sample {
		doc := obj{"version": 3, "sessionId": session, "creationDate": at, "requests": requests}
		return adaptertest.Sample{Path: "/u/workspaceStorage/a/chatSessions/" + session + ".jsonl", Data: marshal(t, obj{"kind": 0, "v": doc})}
	}
	copied := obj{"timestamp": later}
	first := stored("s1", answered("r1", "s1", at, "one", nil), answered("r2", "s1", at+5, "two", nil))
	fork := stored("s2", answered("x1", "s1", at, "one", copied), answered("r3", "s2", later+7, "three", nil))
	again := stored("s3", answered("y1", "s1", at, "one", obj{"timestamp": later + 90}), answered("y2", "s2", later+7, "three", obj{"timestamp": later + 90}))
	alone := nodes(t, "", first)
	both := nodes(t, "", first, fork)
	if added := len(both) - len(alone); added != len(nodes(t, "", stored("s9", answered("r3", "s9", at, "three", nil)))) {
		t.Errorf("a fork with one request of its own adds %d nodes to %d:\n%s", added, len(alone), strings.Join(both, "\n"))
	}
	if diff := cmp.Diff(both, nodes(t, "", fork, again, first)); diff != "" {
		t.Errorf("a fork of the fork, read before the session (-want +got):\n%s", diff)
	}
	for _, id := range nodes(t, "", again) {
		if !slices.Contains(both, id) {
			t.Errorf("the copies have other names alone: %s", id)
		}
	}
}

// TestCheckpoint: requests behind a checkpoint that was gone back to are marked, and go
// when something else is asked. That is one rewind, told when what it takes back is; a
// mark that goes before that is none, and one within a request neither.
func TestCheckpoint(t *testing.T) {
	const at = 1795359739807
	begin := func(l *log) *log {
		return l.add(t, 0, obj{"v": obj{"sessionId": "s1", "requests": list{answered("r1", "s1", at, "one", nil)}}}).
			add(t, 2, obj{"k": list{"requests"}, "v": list{request("r2", "two", list{}, obj{"responseTimestamp": at + 5})}})
	}
	mark := obj{"k": list{"requests", 1, "shouldBeRemovedOnSend"}, "v": obj{"requestId": "r2"}}
	unmark := obj{"k": list{"requests", 1, "shouldBeRemovedOnSend"}}
	result := obj{"k": list{"requests", 1, "result"}, "v": obj{"metadata": obj{"toolCallRounds": list{obj{"response": "Two."}}}}}
	state := obj{"k": list{"requests", 1, "modelState"}, "v": obj{"value": 1}}
	words := obj{"k": list{"requests", 1, "response"}, "v": list{obj{"value": "Two."}}}
	next := obj{"k": list{"requests"}, "i": 1, "v": list{request("r3", "three", list{}, obj{"responseTimestamp": at + 9})}}
	two := []string{"user one", "user two", "says Two."}
	tests := []struct {
		name  string
		lines func(l *log)
		want  []string
	}{
		{"before the response is saved", func(l *log) {
			l.add(t, 1, mark).add(t, 1, result).add(t, 1, state).add(t, 2, words).add(t, 2, next)
		}, append(slices.Clone(two), "rewind", "user three")},
		{"and nothing else is asked", func(l *log) {
			l.add(t, 1, result).add(t, 1, state).add(t, 2, words).add(t, 1, mark)
		}, append(slices.Clone(two), "rewind")},
		{"taken back before that is saved", func(l *log) {
			l.add(t, 1, mark).add(t, 3, unmark).add(t, 1, result).add(t, 1, state).add(t, 2, words)
		}, two},
		{"to an edit within the request", func(l *log) {
			l.add(t, 1, result).add(t, 1, state).add(t, 2, words).
				add(t, 1, obj{"k": list{"requests", 1, "shouldBeRemovedOnSend"}, "v": obj{"requestId": "r2", "afterUndoStop": "u1"}})
		}, two},
		{"not saved before something else is asked", func(l *log) {
			l.add(t, 1, result).add(t, 1, state).add(t, 2, words).add(t, 2, next)
		}, append(slices.Clone(two), "rewind", "user three")},
		{"written anew with the mark", func(l *log) {
			l.add(t, 2, obj{"k": list{"requests"}, "i": 1, "v": list{}}).
				add(t, 2, obj{"k": list{"requests"}, "v": list{answered("r4", "s1", at+20, "four", obj{"shouldBeRemovedOnSend": obj{"requestId": "r4"}})}})
		}, []string{"user one", "user two", "rewind", "user four", "rewind"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := begin(&log{})
			tt.lines(l)
			var got []string
			for _, line := range shown(t, "chatSessions/s1.jsonl", strings.Join(l.lines, "\n")) {
				if word, _, _ := strings.Cut(line, " "); word == "user" || word == "says" {
					got = append(got, line)
				} else if word == "rewind" {
					got = append(got, word)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestLineEnds: what is put into a file has the line ends of that file, and of a new one
// those of the system.
func TestLineEnds(t *testing.T) {
	const successfully = "The following files were successfully edited: /w/a"
	r := request("r1", "go", list{tool("x", "c1", nil), tool("x", "c2", nil), tool("x", "c3", nil)}, ended(list{
		calling("c1", "create_file", `{"filePath":"/w/a","content":"one\r\ntwo\r\n"}`),
		calling("c2", "replace_string_in_file", `{"filePath":"/w/a","oldString":"two","newString":"two\r\nthree"}`),
		calling("c3", "replace_string_in_file", `{"filePath":"/w/b","oldString":"one\r\n","newString":"1\n2\n"}`),
	}, obj{"c1__vscode-17": told(successfully), "c2__vscode-17": told(successfully), "c3__vscode-17": told(successfully)}))
	data := marshal(t, obj{"kind": 0, "v": obj{"sessionId": "s1", "requests": list{r}}})
	state := marshal(t, timeline(list{baseline("r1", "/w/b", "one\r\ntwo\r\n")}, nil))
	info := core.StreamInfo{Path: "w/chatSessions/s1.jsonl", Sidecars: map[string][]byte{"../chatEditingSessions/s1/state.json": []byte(state)}}
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	st := set.Open(vscode.Adapter{}, info, info.Path)
	st.OnEvent(func(ev *core.Event) {
		if b, ok := ev.Body.(*core.FileEdit); ok {
			_, hunk, _ := strings.Cut(b.Diff.Unified, "@@\n")
			got = append(got, hunk)
		}
	})
	st.Line([]byte(data), 0, 1)
	want := []string{"+one\n+two\n", " one\n two\n+three\n", "-one\r\n+1\r\n+2\r\n two\r\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
