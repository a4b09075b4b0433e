package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
)

// said are the messages of some transcripts, a line each.
func said(t *testing.T, o pipeline.Options, transcripts ...string) (lines []string, messages []*core.Message) {
	t.Helper()
	set, err := pipeline.NewSet(o)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range transcripts {
		s := set.Open(script{}, core.StreamInfo{}, fmt.Sprintf("f%d", i))
		no := int64(0)
		for line := range strings.Lines(text) {
			no++
			s.Line([]byte(strings.TrimSpace(line)), 0, no)
		}
		messages = append(messages, set.Messages()...)
	}
	for _, m := range messages {
		lines = append(lines, fmt.Sprintf("%s %s %q", m.Session, m.Kind, m.Text))
	}
	return lines, messages
}

const talk = `{"e":"user","id":"u1","t":"Use Postgres."}
{"e":"user","id":"u2","t":"<system-reminder>","inj":true}
{"e":"say","id":"a1","t":"I will."}
{"e":"say","id":"a2","t":"  "}
{"e":"call","id":"a3","c":"c1","n":"Bash","args":{"command":"go test ./...","timeout":9}}
{"e":"call","id":"a4","c":"c2","n":"shell","args":"{\"command\":[\"bash\",\"-lc\",\"ls\"]}"}
{"e":"call","id":"a5","c":"c3","n":"editor","args":{"command":"view","path":"/a.go"}}
{"e":"result","c":"c1"}
{"e":"user","id":"u3","t":"Thanks.","echo":true}
`

// TestMessages: what people and agents said, and what a shell was told, is a message;
// what the tool put in a person's mouth, and what only repeats, is none.
func TestMessages(t *testing.T) {
	got, _ := said(t, pipeline.Options{Messages: true}, talk)
	want := []string{
		`s1 user "Use Postgres."`, `s1 assistant "I will."`, `s1 command "go test ./..."`, `s1 command "bash -lc ls"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, _ := said(t, pipeline.Options{}, talk); len(got) > 0 {
		t.Errorf("not asked for: %q", got)
	}
	leave := func(pipeline.Subject) bool { return true }
	if got, _ := said(t, pipeline.Options{Messages: true, Exclude: leave}, talk); len(got) > 0 {
		t.Errorf("left out, and yet: %q", got)
	}
}

// TestMessageNames: a copy has the name of its original, equal words said twice have
// two, and names of nodes are the same whether messages are wanted or not.
func TestMessageNames(t *testing.T) {
	fork := `{"e":"user","s":"s2","id":"x1","copy":"u1","t":"Use Postgres."}
{"e":"say","s":"s2","t":"Done."}
{"e":"say","s":"s2","at":1,"t":"Done."}
`
	_, all := said(t, pipeline.Options{Messages: true}, talk, fork)
	if len(all) != 7 || all[0].ID != all[4].ID || all[0].Copied || !all[4].Copied {
		t.Fatalf("%d messages; the copy is called %s, the original %s", len(all), all[4].ID, all[0].ID)
	}
	if all[5].ID == all[6].ID {
		t.Error("two records have one name")
	}
}
